"""Real processes: a web process serves tables without the deck key, and a worker needs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from redis import Redis

from accounts.logins.minting import mint
from accounts.models import User
from config import environment
from config.environment import HOME
from deploy.embedded import ports
from tables.models import Table
from tables.records import parts
from tables.records.month_keys import record_keys
from tables.store import deck_keys, fenced, keys
from tables.workers import recovery
from tests.tables import playing
from tests.tables.gateway.sockets import ORIGIN, Client
from tests.tables.records.folding import holds, play_folded
from tests.tournaments.cardsup.processes import WebProcess

PAGES = ("", "fair/", "proof.json", "phh/", "ohh/")
"""Addresses of one finished hand."""

pytestmark = pytest.mark.django_db(transaction=True)


def holds_key(web: WebProcess) -> bool:
    """Return whether a process has the deck key of this room, as text or as bytes."""
    text = environment.deck_key_file().read_text().strip().encode()
    _, key = deck_keys.held.newest()
    told = Path(f"/proc/{web.child.pid}/environ").read_bytes()
    if text in told or b"DECK_KEY=" in told:
        return True
    return any(text in piece or key in piece for piece in web.memory())


def test_web_serves_a_table_without_the_deck_key(room: Redis, tmp_path: Path) -> None:
    table = playing.sit_down([2_000, 2_000, 2_000])
    recovery.open_tables(room, [table.pk])
    state = playing.run(room, table.pk)
    assert state.hand is not None and state.turn is not None
    player = state.seats[0]
    port = ports.several({"web": None})["web"]
    web = WebProcess(port, tmp_path)
    try:
        [(user, session)] = mint([Table.objects.get().seats.get(seat=player.seat).user], 1)
        own = Client(port, {"Cookie": f"sessionid={session}"}, ORIGIN, lazy=False)
        stranger = Client(port, {}, ORIGIN, lazy=False)
        seen = {
            client: {seat["seat"]: seat["cards"] for seat in told["state"]["seats"]}
            for client in (own, stranger)
            for told in [client.follow(keys.table(table.pk))]
        }
        held = {seat.seat: list(seat.cards) for seat in state.hand.seats}
        hidden = {seat: ["??", "??"] for seat in held}
        assert user.pk == player.user
        assert seen[own] == {**hidden, player.seat: held[player.seat]}
        assert seen[stranger] == hidden
        with urlopen(f"http://127.0.0.1:{port}/tables/{table.pk}/", timeout=60) as page:
            assert page.status == 200
        assert not holds_key(web)
        deck = state.hand.deck.encode()
        assert not any(deck in piece for piece in web.memory()), "the deck is in the web process"
        _give_key(web, tmp_path)
    finally:
        web.stop()


def test_web_shows_finished_hands_without_the_record_key(
    room: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEE_HOLE_CARDS", "0")
    table, kept = play_folded(room)
    cards = parts.hole_cards(kept)
    [own_seat, *others] = sorted(cards)
    port = ports.several({"web": None})["web"]
    web = WebProcess(port, tmp_path)
    try:
        pages = [f"/tables/{table.pk}/", f"/tables/{table.pk}/hands/"]
        pages += [f"/tables/{table.pk}/hands/2/{name}" for name in PAGES]
        player = next(seat.user for seat in kept.seats if seat.seat == own_seat)
        [(_, session)] = mint([User.objects.get(pk=player)], 1)
        for cookie in ("", f"sessionid={session}"):
            for page in pages:
                asked = Request(f"http://127.0.0.1:{port}{page}", headers={"Cookie": cookie})
                with urlopen(asked, timeout=60) as answer:
                    text = answer.read().decode()
                if page.endswith("hands/2/"):
                    told = all(card in text for card in cards[own_seat])
                    assert told == bool(cookie), "own cards are for their player"
        memory = list(web.memory())
        key = record_keys.path().read_text().split()[1].encode()
        assert not any(key in piece or bytes.fromhex(key.decode()) in piece for piece in memory)
        for seat in others:
            assert not any(holds(piece, cards[seat]) for piece in memory), "a folded hand"
        assert any(holds(piece, cards[own_seat]) for piece in memory), "the search finds cards"
    finally:
        web.stop()


def _give_key(web: WebProcess, place: Path) -> None:
    """Plant the weakness: a web process that was given the key is found."""
    os.environ["DECK_KEY"] = environment.deck_key_file().read_text().strip()
    try:
        given = WebProcess(ports.several({"web": None})["web"], place)
    finally:
        del os.environ["DECK_KEY"]
    try:
        assert holds_key(given)
    finally:
        given.stop()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(None, "restore the file"), ("w" * 64, "put the right file at")],
)
def test_a_worker_without_the_right_key_does_not_start(
    room: Redis, tmp_path: Path, content: str | None, sentence: str
) -> None:
    table = playing.sit_down([2_000, 2_000])
    recovery.open_tables(room, [table.pk])
    playing.run(room, table.pk)
    deck_keys.held.check(room)
    path = tmp_path / "deck_key"
    if content is not None:
        path.write_text(content)
    before = fenced.load(room, table.pk)
    done = subprocess.run(
        [sys.executable, "-m", "config.worker", "play", "0"],
        check=False,
        cwd=HOME,
        env={**os.environ, "DECK_KEY_FILE": str(path)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 1 and done.stderr.strip().startswith("Error: ")
    assert sentence in done.stderr and done.stderr.strip().count("\n") == 0
    assert path.exists() == (content is not None)
    after = fenced.load(room, table.pk)
    assert before is not None and after is not None
    assert (after.state, after.version) == (before.state, before.version)
