"""Jackpots of hands that their players show after the showdown (J-02, S-02)."""

from __future__ import annotations

import random

import pytest
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind
from config import entropy
from tables.dealer.state import TableState
from tables.models import Table
from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.models import Jackpot, JackpotWin, RingSession
from tables.ring.models.jackpot import builtins_of
from tables.ring.sessions import sit_down
from tables.store import fenced
from tables.wire.client_commands import ShowCards, ShowdownChoice
from tables.workers import advance, settle
from tests.tables import playing
from tests.tables.engine.scene import stacked_deck
from tests.tables.ring.room import cast

pytestmark = pytest.mark.django_db(transaction=True)

POOL = 100_00
WINNER_FIRST = {1: ["9h", "Th"], 2: ["Jc", "Jd"]}
"""Cards of the big blind, which shows first, and of the button, whose quads it beats."""
BOARD = ["Jh", "Qh", "Kh", "Js", "2c"]


def peeked(room: Redis, table: Table) -> TableState:
    """The state of a table."""
    state = fenced.peek(room, table.pk)
    assert state is not None
    return state


def beaten(room: Redis, monkeypatch: pytest.MonkeyPatch, choice: ShowdownChoice) -> Table:
    """A table of two whose hand is over: the button's quads were mucked, as its player chose."""
    terms = builtins_of(JACKPOTS["bad_beat"])
    Jackpot.objects.update_or_create(kind="bad_beat", defaults={"stored_terms": terms})
    table = cast.table_of(cast.game(jackpots=("bad_beat",)))
    for _ in range(2):
        sit_down.sit(cast.player(), table.game, amount=cast.BUY_IN)
    RingSession.objects.update(showdown=choice)
    transfers.move(
        key="test:pool",
        kind="credit",
        source=transfers.account(AccountKind.BANK),
        target=transfers.account(AccountKind.JACKPOT, ref="bad_beat"),
        amount=POOL,
    )
    deck = stacked_deck((1, 2), "holdem", WINNER_FIRST, BOARD)
    monkeypatch.setattr(entropy, "shuffled", lambda _items, _chance: deck)
    cast.dealt(room, table, random.Random(1))
    while (state := peeked(room, table)).phase == "hand":
        playing.check_or_call(room, state)
        advance.advance(room, table.pk)
    return table


@pytest.mark.rule("J-02", "S-02")
@pytest.mark.parametrize(
    ("choice", "shows", "wins"),
    [("auto", False, True), ("auto", True, True), ("muck", False, False), ("muck", True, True)],
)
def test_a_beaten_hand_wins_its_jackpot_unless_its_player_mucks_it_for_good(
    room: Redis, monkeypatch: pytest.MonkeyPatch, choice: ShowdownChoice, shows: bool, wins: bool
) -> None:
    table = beaten(room, monkeypatch, choice)
    state = peeked(room, table)
    assert state.phase == "finished" and state.hand is not None
    loser = next(seat for seat in state.hand.seats if seat.mucked)
    user = state.at(loser.seat).user
    if shows:
        hand = {"epoch": state.epoch, "hand": state.hand_number}
        show = ShowCards(id="show", table=table.pk, cards="both", **hand)
        playing.put_in(room, state, user, show)
        advance.advance(room, table.pk)
    settle.settle(room, table.pk)
    roles = {win.role: (win.user_id, win.amount) for win in JackpotWin.objects.all()}
    assert roles.get("loser") == ((user, 35_00) if wins else None)
    cast.law()
