"""Shares of hands with a cut by kind of game, in hands that the room's directors granted."""

from __future__ import annotations

import json
import random
from collections import Counter
from datetime import timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from msgspec.structs import replace
from redis import Redis

from room_client.cutter import Cutter
from room_client.messages.commands import CutDeck
from room_client.view import seat_of
from tables.chance.cut_shares import count_shares
from tables.fairness.cutting import CutState
from tables.models import Hand, Table
from tables.records import month_keys, stored
from tables.ring.sessions import sit_down
from tables.store import fenced, inbox
from tables.workers import advance, sealing, settle
from tests.tables import playing
from tests.tables.client_side import command, snapshot
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast as ring_cast
from tests.tournaments import cast as tournament_cast

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = 3
HANDS = 3


class Browsers:
    """Browsers of all players; from hand `silent_from` on that of the first seat opens no seed."""

    def __init__(self, room: Redis, silent_from: int) -> None:
        self._room, self._silent_from = room, silent_from
        self._cutters: dict[int, Cutter] = {}

    def answer(self, table: int) -> None:
        """Let everybody at a table answer what the page there shows."""
        state = fenced.peek(self._room, table)
        if state is None or state.phase not in ("granted", "hand"):
            return
        for seat in state.seats:
            shown = snapshot(state, seat.user)
            own = seat_of(shown, seat.user)
            assert own is not None
            cutter = self._cutters.get(seat.user)
            if cutter is None:
                cutter = self._cutters[seat.user] = Cutter(
                    partial(random.Random(seat.user).randbytes, 32)
                )
                cutter.enter(sealing.room().hex())
            is_silent = seat is state.seats[0] and state.hand_number >= self._silent_from
            for message in cutter.shown(shown, own):
                assert isinstance(message, CutDeck)
                if is_silent and message.seed is not None:
                    continue
                inbox.append_cut(self._room, table, seat.user, command(message))


def _play(room: Redis, director: str, browsers: Browsers, hands: int) -> None:
    """Play so many hands at the tables of a director, each to its end."""
    chance = random.Random(5)
    for _ in range(2_000):
        if Hand.objects.filter(table__director=director).count() >= hands:
            return
        rows = Table.objects.filter(director=director, status="open").order_by("pk")
        table = chance.choice(rows.values_list("pk", flat=True))
        state = fenced.peek(room, table)
        if state is not None and state.phase == "hand":
            playing.check_or_call(room, state)
        if state is not None and state.phase == "granted":
            browsers.answer(table)
            state = fenced.peek(room, table)
            assert state is not None
            playing.wait_until(state.due_ms)
        advance.advance(room, table)
        settle.settle(room, table)
        browsers.answer(table)
    raise AssertionError(f"{director} did not play {hands} hands")


@pytest.fixture
def played(room: Redis, broker: Redis) -> None:
    """Three hands of a tournament and of a ring game, six of a rapid pool."""
    sealing.publish_call_key()
    tournament_cast.started(PLAYERS)
    _play(room, "tournament", Browsers(room, silent_from=3), HANDS)
    game = ring_cast.game()
    for _ in range(PLAYERS):
        sit_down.sit(ring_cast.player(), game.pk, amount=ring_cast.BUY_IN)
    _play(room, "ring", Browsers(room, silent_from=99), HANDS)
    pools.joined(pools.pool(), 2 * PLAYERS)
    _play(room, "rapid", Browsers(room, silent_from=99), 2 * HANDS)


def _recounted(director: str) -> dict[str, int]:
    """Count again from whole records, hand by hand."""
    found: Counter[str] = Counter()
    for row in Hand.objects.filter(table__director=director):
        kept = stored.decode(bytes(row.record))
        assert kept.called is not None
        states = [seat.state for seat in kept.called.roster()]
        found["hands"] += 1
        found["hands_cut"] += any(state is CutState.OPENED for state in states)
        for state in states:
            found["seats"] += 1
            found["called"] += state is not CutState.NO_PLEDGE
            found["in_time"] += state is CutState.OPENED
            found["late"] += state is CutState.LATE
    return dict(found)


def _told(**options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("fair_shares", stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def test_hands_with_a_cut_are_counted_by_kind_of_game(
    played: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shares.json"
    counted = {kind: _recounted(kind) for kind in ("rapid", "ring", "tournament")}
    # What all saw of a hand is enough: no process needs a key to count.
    monkeypatch.setattr(month_keys.record_keys, "of", None)
    monkeypatch.setattr(month_keys.record_keys, "named", None)
    out, err = _told(report=path)
    report = json.loads(path.read_text())
    for kind, figures in counted.items():
        assert report[kind].items() >= figures.items(), kind
        assert report[kind]["unsealed"] == report[kind]["unread"] == 0
    # Nobody had pledged in the first hand, all cut the second one, one was silent in the third.
    told = report["tournament"]
    assert [told[name] for name in ("hands", "hands_cut", "called", "in_time")] == [3, 2, 6, 5]
    assert told["share_of_hands"] == 0.66667 and told["share_in_time"] == 0.83333
    assert told["share_of_seats"] == 0.55556
    assert report["ring"]["hands_cut"] == HANDS - 1
    assert 0 < report["rapid"]["hands_cut"] < report["rapid"]["hands"]
    [line] = [line for line in out.splitlines() if line.startswith("tournament")]
    assert " ".join(line.split()) == "tournament 3 2 (66.67%) 6 5 (83.33%) 9 5 (55.56%) 0"
    assert not err


def test_hands_of_another_day_without_a_seal_or_unreadable_are_told_apart(played: None) -> None:
    rows = Hand.objects.filter(table__director="tournament").order_by("pk")
    first, second, third = rows
    yesterday = timezone.now() - timedelta(days=1)
    kept = stored.decode(bytes(first.record))
    moved = replace(kept, ended_ms=int(yesterday.timestamp() * 1_000))
    Hand.objects.filter(pk=first.pk).update(record=stored.encode(moved))
    unsealed = replace(stored.decode(bytes(second.record)), called=None)
    Hand.objects.filter(pk=second.pk).update(record=stored.encode(unsealed))
    Hand.objects.filter(pk=third.pk).update(record=bytes(third.record)[:40])
    found = count_shares(yesterday.date())
    assert (found["tournament"].hands, found["tournament"].unread) == (1, 1)
    assert "ring" not in found
    today = count_shares(timezone.now().date())["tournament"]
    assert (today.hands, today.unsealed, today.unread) == (0, 1, 1)
    assert today.figures()["share_of_hands"] is None
    out, err = _told()
    assert "tournament: 1 record cannot be read" in err
    assert "ring" in out


def test_an_empty_room_and_wrong_options_are_refused(db: None, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no hand was dealt from a sealed deck") as none:
        _told()
    assert none.value.returncode == 2
    with pytest.raises(CommandError, match="no hand"):
        _told(day=timezone.now().date())
    for wrong in ("2026-13-01", "yesterday", ""):
        with pytest.raises(CommandError, match="invalid fromisoformat value"):
            call_command("fair_shares", "--day", wrong)
    with pytest.raises(CommandError, match="--report"):
        _told(report=tmp_path / "missing" / "shares.json")
