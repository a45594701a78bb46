"""Answers of every address and stream to each kind of people, as a table of the docs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.db import connection, transaction
from django.http.response import HttpResponseBase
from django.template.base import Template
from django.test import Client
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.users import access_tokens
from tests.deploy.cluster import held_pages
from tests.deploy.cluster.held_pages import Hand
from tests.tables.gateway.sockets import Site
from tests.tournaments.api.asking import token

PAGE = "docs/security.md"
BEGIN, END = "<!-- matrix of rights -->\n", "<!-- end of the matrix of rights -->\n"
KINDS = ("nobody", "outsider", "member", "invited", "manager", "staff")
SEASON = re.compile(r"season|api_season$")
"""Names of the routes of one season."""

UNASKED = {"logout"}
"""Routes that end the session of whoever asks."""

NO_KEY = 987_654_321
"""Key of no row, so that nobody owns what is asked for, whatever ran before."""

OPEN_DESK = {"/admin/login/", "/admin/logout/", "/admin/jsi18n/"}
"""Addresses of Django's admin that everybody reaches."""


def patterns() -> dict[str, str]:
    """Return each route of the site by its name, with its parts named as the docs name them."""
    return {
        name: f"/{_readable(route)}"
        for name, route in held_pages.routes()
        if not route.startswith("admin/")
    }


def _readable(route: str) -> str:
    """Return a route without the syntax of its converters and expressions."""
    named = re.sub(
        r"\(\?P<(\w+)>[^)]*\)", r"<\1>", route.strip("^$").replace("^", "").replace("\\.", ".")
    )
    return re.sub(r"<\w+:(\w+)>", r"<\1>", named).replace(r"[\s\S]+", "...")


def of_addresses(
    hand: Hand, club: str, season: int, everybody: Mapping[str, User | None]
) -> dict[str, list[str]]:
    """Return each address's answer to each kind of people; what a request did is undone."""
    asked = {}
    for name, pattern in patterns().items():
        if name not in UNASKED:
            ways = held_pages.SITE.get(name, (pattern.replace("<pk>", str(NO_KEY)),))
            key = season if SEASON.match(name) else NO_KEY
            address = re.sub(r"/1(?=/|$)", f"/{key}", ways[0])
            asked[pattern] = address.format_map(hand._asdict()).replace("made-up", club)
    browsers = [_browser(everybody[kind]) for kind in KINDS]
    return {way: [_answer(each, asked[way]) for each in browsers] for way in sorted(asked)}


def of_the_admin(hand: Hand, everybody: Mapping[str, User | None]) -> dict[str, list[str]]:
    """Return one row for all addresses of Django's admin, with each answer that a kind gets."""
    addresses = held_pages.desk(SimpleNamespace(sql=_sql), hand)  # type: ignore[arg-type]
    asked = {address.removeprefix("hx:") for address in addresses} - OPEN_DESK
    browsers = [_browser(everybody[kind]) for kind in KINDS]
    answers = [{_answer(each, address) for address in asked} for each in browsers]
    return {"/admin/...": [", ".join(sorted(each, reverse=True)) for each in answers]}


def of_streams(
    site: Site, names: Mapping[str, str], people: Mapping[str, User | None]
) -> dict[str, list[str]]:
    """Return the answer to each stream's request by each kind of people; names by pattern."""
    rows: dict[str, list[str]] = {pattern: [] for pattern in names}
    for kind in KINDS:
        client = site.client(people[kind])
        for pattern, stream in names.items():
            client.say(type="subscribe", stream=stream)
            while (answer := client.next())["type"] not in ("snapshot", "refused"):
                pass
            rows[pattern].append("yes" if answer["type"] == "snapshot" else f"`{answer['code']}`")
    return rows


def table(rows: Mapping[str, list[str]], first: str) -> str:
    """Return rows of answers as a table of the docs."""
    lines = [f"| {first} | {' | '.join(KINDS)} |", "|---" * (len(KINDS) + 1) + "|"]
    lines += [f"| `{route}` | {' | '.join(cells)} |" for route, cells in rows.items()]
    return "\n".join(lines) + "\n"


def _sql(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def _browser(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
        client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token(user, *access_tokens.SCOPES)}"
    return client


def _answer(client: Client, address: str) -> str:
    # The status alone counts: another walk draws each page for each kind of user.
    with transaction.atomic(), patch.object(Template, "_render", lambda *_: SafeString("")):
        got: HttpResponseBase = client.get(address)
        for other in (client.post, client.delete):
            if got.status_code == 405:
                got = other(address)
        transaction.set_rollback(True)
    return _word(got)


def _word(got: HttpResponseBase) -> str:
    """Return an answer in a word: a form that was read and refused was open to the user."""
    if got.status_code in (401, 302) and "/login" in got.headers.get("Location", "/login"):
        return "log in"
    return str(got.status_code) if got.status_code in (403, 404) else "yes"
