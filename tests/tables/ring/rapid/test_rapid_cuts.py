"""Cuts in rapid pools: a pledge stays with the session, and the next hand at any table calls it."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

import pytest
from django.conf import settings
from redis import Redis

from accounts.models import User
from room_client.cutter import Cutter
from room_client.messages.commands import CutDeck
from room_client.view import seat_of
from tables.dealer.state import TableState
from tables.fairness.cutting import CutState
from tables.fairness.signing import public_key_of
from tables.history import hand_proofs
from tables.models import Hand, Table
from tables.records import stored
from tables.ring.models import RapidStay, RingGame
from tables.store import fenced, inbox
from tables.workers import advance, recovery, sealing, settle
from tests.tables import playing
from tests.tables.client_side import command, snapshot
from tests.tables.fairness.verifier import failures
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.rule("R-03")]

HANDS = 10
NO_LOG = {"V13", "V14", "V15"}


class Browsers:
    """Browsers of the players of a pool; each keeps its seeds wherever it plays."""

    def __init__(self, room: Redis) -> None:
        self._room = room
        self._cutters: dict[int, Cutter] = {}

    def answer(self, state: TableState) -> None:
        """Let everybody at a table answer what the page there shows."""
        for seat in state.seats:
            if seat.user not in self._cutters:
                fresh = partial(random.Random(seat.user).randbytes, 32)
                self._cutters[seat.user] = Cutter(fresh)
                self._cutters[seat.user].enter(sealing.room().hex())
            shown = snapshot(state, seat.user)
            own = seat_of(shown, seat.user)
            assert own is not None
            for message in self._cutters[seat.user].shown(shown, own):
                assert isinstance(message, CutDeck)
                inbox.append_cut(self._room, state.table, seat.user, command(message))


def _granted(room: Redis, table: Table) -> TableState:
    while (state := cast.boundary(room, table)).phase != "granted":
        pass
    return state


def _states(state: TableState) -> dict[int, CutState]:
    """States of the cuts of a granted hand by user."""
    assert state.called is not None
    return {state.at(cut.seat).user: cut.state for cut in state.called.cuts}


def _deal(room: Redis, table: Table) -> TableState:
    state = fenced.peek(room, table.pk)
    assert state is not None
    playing.wait_until(state.due_ms)
    advance.advance(room, table.pk)
    state = fenced.peek(room, table.pk)
    assert state is not None and state.phase == "hand"
    return state


def _second_hand(room: Redis, game: RingGame) -> tuple[Browsers, int, Table]:
    """Deal a first hand, let its players pledge and one fold; return who, and the next table."""
    browsers = Browsers(room)
    [first] = pools.tables(game)
    state = cast.begin(room, first)
    assert state.called is not None and not state.called.cuts, "nobody had pledged"
    browsers.answer(state)
    folder = pools.fold(room, first)
    assert len(bytes(pools.session(_user(folder)).pledge)) == 32
    [_, other] = pools.tables(game)
    return browsers, folder, other


def _user(pk: int) -> User:
    return User.objects.get(pk=pk)


def test_a_folded_player_cuts_the_next_hand_at_another_table(room: Redis) -> None:
    sealing.publish_call_key()
    game = pools.pool()
    pools.joined(game, 4)
    browsers, folder, other = _second_hand(room, game)
    state = _granted(room, other)
    assert _states(state) == {folder: CutState.SILENT}
    assert bytes(pools.session(_user(folder)).pledge) == b"", "called once"
    stay = RapidStay.objects.get(table=other, session__user=folder)
    assert state.called is not None
    assert (stay.seat, stay.session_id) in state.called.seats, "the call names the session"
    browsers.answer(state)
    assert _states(_deal(room, other)) == {folder: CutState.OPENED}
    pools.fold_to_end(room, other)
    kept = stored.decode(bytes(Hand.objects.get(table=other).record))
    key = public_key_of(sealing.call_key())
    for user in (None, folder, kept.seats[0].user):
        proof = hand_proofs.hand_proof(kept, origin=settings.FAIR_ORIGIN, user=user)
        assert failures(proof, b"\0" * 32, key) - NO_LOG == set()


def test_a_pledge_that_may_be_open_is_never_called_again(room: Redis) -> None:
    game = pools.pool()
    pools.joined(game, 4)
    browsers, folder, other = _second_hand(room, game)
    state = _granted(room, other)
    assert folder in _states(state)
    browsers.answer(state)
    # The hand is void between call and deal: its seeds were told.
    recovery.rebuild(room, other.pk, seen_epoch=state.epoch)
    again = _granted(room, other)
    assert again.epoch > state.epoch and not _states(again)
    assert bytes(pools.session(_user(folder)).pledge) == b""


@pytest.mark.journey
def test_nearly_all_players_of_a_pool_cut_after_their_first_hand(room: Redis) -> None:
    game = pools.pool()
    pools.joined(game, 6)
    browsers, chance = Browsers(room), random.Random(11)
    for _ in range(5_000):
        if Hand.objects.count() > HANDS:
            break
        table = chance.choice(pools.tables(game))
        state = fenced.peek(room, table.pk)
        if state is not None and state.phase == "hand":
            # No raises: all-ins could end the pool before it has played enough hands.
            if chance.random() < 0.4:
                cast.act(room, state, "fold")
            else:
                playing.check_or_call(room, state)
        advance.advance(room, table.pk)
        settle.settle(room, table.pk)
        state = fenced.peek(room, table.pk)
        if state is not None and state.phase in ("granted", "hand"):
            browsers.answer(state)
        if state is not None and state.phase == "granted":
            playing.wait_until(state.due_ms)
    hands = [stored.decode(bytes(row.record)) for row in Hand.objects.order_by("pk")]
    found: Counter[CutState] = Counter()
    entries = set()
    for kept in hands:
        assert kept.called is not None
        found.update(row.state for row in kept.called.roster())
        entries |= {cut.seed for cut in kept.called.cuts if cut.seed}
    opened = found[CutState.OPENED]
    assert len(entries) == opened + found[CutState.LATE], "no seed cut twice"
    assert len(hands) > HANDS and opened > 0.7 * found.total(), found
    cast.law()
