"""A web process without deck key and record key, asked for every address by every kind of user."""

from __future__ import annotations

import re
import ssl
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile, is_zipfile

import httpx
import pytest
from django.db import connection
from redis import Redis

from accounts.logins.minting import mint
from accounts.models import User
from accounts.users import access_tokens
from config import environment
from deploy.embedded import ports
from tables.models import Hand as HandRow
from tables.records import parts, stored
from tables.records.month_keys import record_keys
from tests.deploy.cluster import held_pages
from tests.deploy.cluster.held_pages import Hand
from tests.tables.records.folding import holds
from tests.tournaments.api.asking import token
from tests.tournaments.cardsup.processes import WebProcess
from tests.tournaments.cast import Arena, passive, started
from tests.tournaments.club_scene import staff
from tournaments.models import Entry

MANAGES = ("view_tournament", "run_tournament", "add_tournament", "rule_players")

TLS = ssl.create_default_context()
"""Reading the authorities takes 60 ms of processor time: once, not for each request."""

UNASKED = {"/accounts/logout/"}
"""Addresses that end the session."""


def _sql(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def _texts(body: bytes) -> str:
    if not is_zipfile(BytesIO(body)):
        return body.decode(errors="replace")
    with ZipFile(BytesIO(body)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def _tells(text: str, cards: tuple[str, ...]) -> bool:
    """Return whether a page has hole cards: one after the other, or as a hand history has them."""
    written = re.search(rf"(?<![A-Za-z0-9]){''.join(cards)}(?![A-Za-z0-9])", text)
    return bool(written) or holds(text.encode(), cards)


def _answer(web: httpx.Client, address: str, session: str, text: str) -> httpx.Response:
    kind, _, path = address.rpartition(":")
    headers = {"Cookie": f"sessionid={session}"} if session else {}
    headers |= {"HX-Request": "true"} if kind == "hx" else {}
    if path.startswith("/api/"):
        headers = {"Authorization": f"Bearer {text}"} if text else {}
    # Connections are used again, cookies are not: each request is that of its user alone.
    web.cookies.clear()
    return web.get(path, headers=headers)


@pytest.mark.sample
@pytest.mark.journey
def test_every_address_is_served_without_either_key_and_tells_no_hidden_card(
    house: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = started(3, name="Keyless", watched_by="everybody")
    arena = Arena(made.pk)
    arena.choose = passive
    arena.hand(arena.tables()[0])
    row = HandRow.objects.get()
    kept = stored.decode(bytes(row.record))
    cards = {seat.user: parts.hole_cards(kept)[seat.seat] for seat in kept.seats if seat.dealt}
    assert kept.result.shown == () and len(cards) == 3
    entry = Entry.objects.filter(tournament=made).order_by("pk")[0]
    hand = Hand(made.pk, row.table_id, row.number, entry.pk, entry.name[:5], "link")
    people: dict[str, User | None] = {
        "nobody": None,
        "player": entry.user,
        "manager": staff("Mona", *MANAGES),
        "staff": User.objects.create_superuser("Root", "correct-horse-battery"),
    }
    addresses = held_pages.site(hand)
    desk = held_pages.desk(SimpleNamespace(sql=_sql), hand)  # type: ignore[arg-type]
    for name in ("DECK_KEY_FILE", "RECORD_KEY_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "missing"))
    monkeypatch.setenv("SEE_HOLE_CARDS", "0")
    web = WebProcess(ports.several({"web": None})["web"], tmp_path)
    client = httpx.Client(base_url=f"http://127.0.0.1:{web.port}", timeout=60, verify=TLS)
    asked, own_pages = 0, set()
    try:
        for kind, user in people.items():
            session = "" if user is None else mint([user], 1)[0][1]
            text = "" if user is None else token(user, *access_tokens.SCOPES)
            hidden = [own for owner, own in cards.items() if user is None or owner != user.pk]
            for address in [*addresses, *(desk if kind in ("manager", "staff") else ())]:
                if address in UNASKED:
                    continue
                answer = _answer(client, address, session, text)
                asked += 1
                # Without workers the room is alive and not ready.
                is_fine = answer.status_code < 500 or address == "/readyz"
                assert is_fine, (kind, address, answer.status_code)
                told = [own for own in hidden if _tells(_texts(answer.content), own)]
                assert told == [], (kind, address)
                if user == entry.user and _tells(_texts(answer.content), cards[user.pk]):
                    own_pages.add(address)
        assert asked > 4 * 200
        memory = list(web.memory())
    finally:
        client.close()
        web.stop()
    page = f"/tables/{hand.table}/hands/{hand.number}/"
    assert {page, f"{page}phh/"} <= own_pages, "the search finds cards"
    monkeypatch.undo()
    deck_key = environment.deck_key_file().read_text().strip().encode()
    record_key = record_keys.path().read_text().split()[1].encode()
    for key in (deck_key, record_key, bytes.fromhex(record_key.decode())):
        assert not any(key in piece for piece in memory)
    others = [own for owner, own in cards.items() if owner != entry.user_id]
    assert not any(holds(piece, own) for piece in memory for own in others)
