"""Ring game played in this process: real rows and money, hands dealt and settled for real."""

from __future__ import annotations

import random
from collections.abc import Sequence

from django.apps import apps
from django.db import transaction

from config import redis
from tables.dealer import boundary, director, record, turns
from tables.dealer.deal import deal
from tables.dealer.grants import Close, Grant
from tables.dealer.state import TableState
from tables.engine.actions import Action, Bet, Call, Check, Fold, Raise
from tables.engine.betting import legal_actions
from tables.models import Table
from tables.ring.migrations import _presets
from tables.ring.models import RakeTable, RingGame
from tables.ring.sessions import locks, opening
from tables.store import fenced
from tables.workers import settle

TERMS = {
    "name": "Ring",
    "small_blind": 50,
    "big_blind": 100,
    "buy_in_min": 1_000,
    "buy_in_max": 5_000,
    "seats_max": 4,
}


def open_ring(**terms: object) -> RingGame:
    """Open a ring game with its first tables."""
    game = RingGame.objects.create(**TERMS | terms)
    with transaction.atomic():
        opening.open_missing(locks.game(game.pk))
    return game


def presets() -> RakeTable:
    """Return the first rake table; write it and the jackpots again after a flush."""
    if not RakeTable.objects.exists():
        _presets.write(apps, None)
    return RakeTable.objects.order_by("pk")[0]


class RingArena:
    """Tables of one ring game, advanced step by step in this process."""

    def __init__(self, game: int, seed: int = 1) -> None:
        self.game = game
        self.chance = random.Random(seed)
        self.states: dict[int, TableState] = {}

    def tables(self) -> list[int]:
        """Open tables, including those opened since the last call."""
        rows = Table.objects.filter(director="ring", game=self.game, status="open")
        for pk in rows.exclude(pk__in=self.states).values_list("pk", flat=True):
            found = fenced.peek(redis.room(), pk)
            if found is not None:
                self.states[pk] = found
        return [pk for pk, state in self.states.items() if state.phase != "closed"]

    def step(self, table: int) -> str:
        """Advance one table by one step; return the kind of the step."""
        state = self.states[table]
        if state.phase == "boundary":
            told = director.of("ring").next(table, state.hand_number + 1)
            self.states[table], _ = boundary.answer(state, told, now_ms=0)
            if isinstance(told, Grant):
                return "grant"
            return "close" if isinstance(told, Close) else told.reason
        if state.phase == "granted":
            state, _ = deal(state, now_ms=0, shuffle=self._deck)
            while state.phase == "hand":
                assert state.turn is not None
                state, happened = turns.play(
                    state,
                    state.turn.seat,
                    choose(state, self.chance),
                    at_ms=state.began_ms,
                )
                state, _ = turns.go_on(state, happened, now_ms=0)
            self.states[table] = state
            return "hand"
        if state.phase == "run_out":
            self.states[table], _ = turns.show(state, now_ms=state.due_ms)
            return "shown"
        settle.settle_hand(record.of(state))
        self.states[table] = boundary.confirm(state)
        return "settled"

    def play(self, table: int, hands: int = 1) -> None:
        """Play and settle whole hands of a table, or as many as can be dealt."""
        done = 0
        for _ in range(6 * hands):
            if done == hands:
                return
            done += self.step(table) == "settled"

    def _deck(self, cards: Sequence[str]) -> tuple[str, ...]:
        deck = list(cards)
        self.chance.shuffle(deck)
        return tuple(deck)


def choose(state: TableState, chance: random.Random) -> Action:
    """Return a legal action that often goes all-in, so that seats bust."""
    assert state.hand is not None and state.turn is not None
    option = legal_actions(state.hand, state.turn.seat)
    draw = chance.random()
    if draw < 0.3 and option.raise_max is not None:
        return Raise(option.raise_max)
    if draw < 0.3 and option.bet_max is not None:
        return Bet(option.bet_max)
    if option.check:
        return Check()
    return Call() if draw < 0.8 and option.call is not None else Fold()
