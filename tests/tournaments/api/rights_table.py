"""Requests of the table of rights, their answers, and the table as it stands in the docs."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.db import transaction
from django.test import Client

from tests.tables.ring.pages.floor import LEAST
from tests.tournaments.api.asking import ROOT
from tests.tournaments.api.rights import KINDS, Scene
from tournaments.api import document

PAGE = "docs/api.md"
BEGIN, END = "<!-- table of rights -->\n", "<!-- end of the table of rights -->\n"


def requests(scene: Scene) -> dict[str, tuple[str, object]]:
    """Return an address and a body for each route, by method and path as the docs name it."""
    return dict(sorted((_around(scene) | _of_tournaments(scene)).items(), key=_place))


def _place(item: tuple[str, object]) -> tuple[str, str]:
    """Return the path of a route, then its method, by which the table is sorted."""
    method, path = item[0].split()
    return path, {"GET": "0", "POST": "1"}.get(method, "2")


def _around(scene: Scene) -> dict[str, tuple[str, object]]:
    return {
        "GET /hands": ("/hands", None),
        "GET /hands/bundle": ("/hands/bundle", None),
        "GET /hands/export": ("/hands/export", None),
        "GET /hands/{pk}": (f"/hands/{scene.hand.pk}", None),
        "GET /ladders": ("/ladders", None),
        "GET /ladders/{pk}/bots/{user}": (
            f"/ladders/{scene.rated_bot.ladder_id}/bots/{scene.rated_bot.user_id}",
            None,
        ),
        "GET /ladders/{pk}/table": (f"/ladders/{scene.rated_bot.ladder_id}/table", None),
        "POST /offers/{pk}": ("/offers/1", {"answer": "decline"}),
        "GET /ring-games": ("/ring-games", None),
        "POST /ring-games/{pk}/sessions": (
            f"/ring-games/{scene.ring.pk}/sessions",
            {"amount": LEAST},
        ),
        "POST /ring-games/{pk}/waiting": (f"/ring-games/{scene.ring.pk}/waiting", {}),
        "DELETE /ring-games/{pk}/waiting": (f"/ring-games/{scene.ring.pk}/waiting", None),
        "POST /ring-offers/{pk}/sessions": ("/ring-offers/1/sessions", {"amount": LEAST}),
        "GET /ring-sessions": ("/ring-sessions", None),
        "POST /ring-sessions/{pk}/choices": (
            f"/ring-sessions/{scene.session.pk}/choices",
            {"choice": "auto", "on": True},
        ),
        "POST /ring-sessions/{pk}/top-ups": (
            f"/ring-sessions/{scene.session.pk}/top-ups",
            {"amount": 1},
        ),
        "DELETE /ring-sessions/{pk}": (f"/ring-sessions/{scene.session.pk}", None),
        "GET /seasons": ("/seasons", None),
        "GET /seasons/{pk}/table": (f"/seasons/{scene.season.pk}/table", None),
        "GET /tables/{pk}/hands": (f"/tables/{scene.table}/hands", None),
        "GET /tables/{pk}/hands/{number}": (f"/tables/{scene.table}/hands/1", None),
        "GET /tables/{pk}/void-hands": (f"/tables/{scene.table}/void-hands", None),
        "GET /tickets": ("/tickets", None),
        "POST /tickets/{pk}/exchange": ("/tickets/1/exchange", None),
        "GET /statistics": ("/statistics", None),
        "GET /wallet": ("/wallet", None),
    }


def _of_tournaments(scene: Scene) -> dict[str, tuple[str, object]]:
    running, reason = scene.running.pk, {"reason": "test"}
    return {
        "GET /club-templates": ("/club-templates", None),
        "POST /club-templates/{pk}/tournaments": (
            f"/club-templates/{scene.club_template.pk}/tournaments",
            reason,
        ),
        "GET /templates": ("/templates", None),
        "POST /templates/{pk}/tournaments": (
            f"/templates/{scene.template.pk}/tournaments",
            reason,
        ),
        "GET /tournaments": ("/tournaments", None),
        "GET /tournaments/{pk}": (f"/tournaments/{running}", None),
        "POST /tournaments/{pk}/admission": (
            f"/tournaments/{scene.open.pk}/admission",
            {"password": "guess"},
        ),
        "POST /tournaments/{pk}/copies": (f"/tournaments/{running}/copies", reason),
        "POST /tournaments/{pk}/deals": (f"/tournaments/{running}/deals", {"kind": "icm"}),
        "POST /tournaments/{pk}/deals/{deal}/votes": (
            f"/tournaments/{running}/deals/1/votes",
            {"yes": True},
        ),
        "POST /tournaments/{pk}/entries": (f"/tournaments/{scene.open.pk}/entries", {}),
        "DELETE /tournaments/{pk}/entries": (f"/tournaments/{scene.entered.pk}/entries", None),
        "GET /tournaments/{pk}/featured": (f"/tournaments/{running}/featured", None),
        "GET /tournaments/{pk}/hands": (f"/tournaments/{running}/hands", None),
        "GET /tournaments/{pk}/hands/bundle": (f"/tournaments/{running}/hands/bundle", None),
        "GET /tournaments/{pk}/hands/export": (f"/tournaments/{running}/hands/export", None),
        "POST /tournaments/{pk}/leave": (f"/tournaments/{running}/leave", None),
        "POST /tournaments/{pk}/rebuys": (f"/tournaments/{running}/rebuys", {}),
        "GET /tournaments/{pk}/results": (f"/tournaments/{running}/results", None),
        "GET /tournaments/{pk}/tables": (f"/tournaments/{running}/tables", None),
        "POST /tournaments/{pk}/steps": (
            f"/tournaments/{running}/steps",
            reason | {"step": "pause"},
        ),
        "GET /tournaments/{pk}/void-hands": (f"/tournaments/{running}/void-hands", None),
    }


def routes() -> set[str]:
    """Return every route of the API by method and path."""
    return {
        f"{method.upper()} {path.removeprefix(ROOT)}"
        for path, operations in document.schema()["paths"].items()
        for method in operations
    }


def answers(scene: Scene, tokens: Mapping[str, str]) -> dict[str, list[str]]:
    """Return status and code of each route with each of these tokens; every request is undone."""
    return {
        route: [_answer(route, address, body, text) for text in tokens.values()]
        for route, (address, body) in requests(scene).items()
    }


def table(rows: dict[str, list[str]]) -> str:
    """Return the answers as a table of the docs."""
    lines = [f"| route | {' | '.join(KINDS)} |", "|---" * (len(KINDS) + 1) + "|"]
    lines += [f"| `{route}` | {' | '.join(cells)} |" for route, cells in rows.items()]
    return "\n".join(lines) + "\n"


def _answer(route: str, address: str, body: object, text: str) -> str:
    headers = {"Idempotency-Key": "k"} | ({"Authorization": f"Bearer {text}"} if text else {})
    with transaction.atomic():
        answer = Client().generic(
            route.split()[0],
            ROOT + address,
            b"" if body is None else json.dumps(body),
            "application/json",
            headers=headers,
        )
        transaction.set_rollback(True)
    if answer.status_code < 400:
        return str(answer.status_code)
    return f"{answer.status_code} `{answer.json()['code']}`"
