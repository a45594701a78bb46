"""Shared helpers of tournament tests: players with money, tournaments, tables that play by
themselves.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from django.db import connection

from config import limits, redis
from config.refusals import Refusal
from tables.dealer import boundary, director, record, turns
from tables.dealer.deal import deal
from tables.dealer.grants import Close, Grant, Wait
from tables.dealer.record import HandRecord
from tables.dealer.state import TableState
from tables.engine.actions import Action, Bet, Call, Check, Fold, Raise
from tables.engine.betting import legal_actions
from tables.models import Seat, Table
from tables.store import fenced
from tables.workers import settle
from tests.tournaments.structures import counted
from tournaments.engine.presets import PRESETS
from tournaments.entries import registration
from tournaments.models import Entry, Move, Offer, Structure, Tournament
from tournaments.models.structure import encoded
from tournaments.monitor import audit
from tournaments.running import operations, sales, tick
from tournaments.schedule import making

BUY_IN = 1_000
FEE = 100
STACK = 1_500


def structure(name: str = "turbo") -> Structure:
    """Database row of a preset structure."""
    made = PRESETS[name]
    row, _ = Structure.objects.get_or_create(
        name=name,
        defaults={
            "items": encoded(made.structure),
            "starting_stack": made.starting_stack,
        },
    )
    return row


def offer(**fields: Any) -> Tournament:
    """An announced Sit & Go; keyword arguments override fields of Tournament."""
    wanted: dict[str, Any] = {
        "name": "Test",
        "start": "sit_and_go",
        "buy_in": BUY_IN,
        "fee": FEE,
        "seats_per_table": 6,
        "players_min": 2,
        "players_max": 6,
        "starting_stack": STACK,
        "hand_pause_ms": 0,
        "showdown_pause_ms": 0,
        "street_pause_ms": 0,
    }
    levels = fields.pop("structure", None) or structure()
    return making.create_from_structure(levels, **(wanted | fields))


def open_offer(**fields: Any) -> Tournament:
    """A tournament with open registration."""
    return operations.open(offer(**fields).pk)


def started(players: int, **fields: Any) -> Tournament:
    """A running tournament of bots."""
    from accounts.users import bots

    made = open_offer(**({"players_max": max(players, 2)} | fields))
    for bot in bots.create(players):
        registration.register(bot, made, fields.get("password"))
    return operations.start(made.pk)


def by_hands(players: int, hands: int, **fields: Any) -> Tournament:
    """A running tournament with levels of this many hands each."""
    made = started(players, **fields)
    made.structure = encoded(counted(PRESETS["turbo"].structure, hands=hands))
    made.save(update_fields=["structure"])
    return made


def shove(state: TableState, chance: random.Random) -> Action:
    """Fold, call or go all-in at random."""
    assert state.hand is not None and state.turn is not None
    option = legal_actions(state.hand, state.turn.seat)
    if chance.random() < 0.45:
        return Check() if option.check else Fold() if option.fold else Call()
    if option.raise_max is not None and chance.random() < 0.6:
        return Raise(option.raise_max)
    if option.bet_max is not None:
        return Bet(option.bet_max)
    if option.call is not None:
        return Call()
    return Check()


def passive(state: TableState, chance: random.Random) -> Action:
    """Check or fold."""
    assert state.hand is not None and state.turn is not None
    return Check() if legal_actions(state.hand, state.turn.seat).check else Fold()


def somebody(tournament: Tournament) -> Entry:
    """First entry in play."""
    return tournament.entries.filter(state="seated").select_related("user").order_by("pk")[0]


def at_once(*calls: Callable[[], object]) -> list[object]:
    """Run calls in threads that start together; return results and exceptions in order."""
    gate = threading.Barrier(len(calls))
    results: list[object] = [None] * len(calls)

    def run(number: int, call: Callable[[], object]) -> None:
        gate.wait()
        try:
            results[number] = call()
        except Exception as error:
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return results


class Arena:
    """Tables of a tournament played in this process; hands are settled for real."""

    def __init__(self, tournament_id: int, seed: int = 1) -> None:
        self.tournament_id = tournament_id
        self.chance = random.Random(seed)
        self.states: dict[int, TableState] = {}
        self.answers: list[tuple[int, str]] = []
        self.hands = 0
        self.choose: Callable[[TableState, random.Random], Action] = shove

    def tables(self) -> list[int]:
        """Open tables, including those opened since the last call."""
        rows = Table.objects.filter(director="tournament", game=self.tournament_id, status="open")
        for pk in rows.exclude(pk__in=self.states).values_list("pk", flat=True):
            found = fenced.peek(redis.room(), pk)
            if found is not None:  # else its worker opens it next
                self.states[pk] = found
        return [pk for pk, state in self.states.items() if state.phase != "closed"]

    def step(self, table: int) -> str:
        """Advance one table by one step; return the kind of the step."""
        state = self.states[table]
        if state.phase == "boundary":
            said = director.of("tournament").next(table, state.hand_number + 1)
            self.states[table], _ = boundary.answer(state, said, now_ms=0)
            kind = {Grant: "grant", Close: "close"}.get(type(said)) or said.reason  # type: ignore[union-attr]
            if isinstance(said, Wait):
                assert said.again_ms <= limits.STANDING_WAIT_MS
            self.answers.append((table, kind))
            return kind
        if state.phase == "granted":
            state, _ = deal(state, now_ms=0, shuffle=self._deck)
            self.states[table] = self.play(state)
            return "hand"
        if state.phase == "run_out":
            self.states[table], _ = turns.show(state, now_ms=state.due_ms)
            return "shown"
        settle.settle_hand(record.of(state))
        self.hands += 1
        self.states[table] = boundary.confirm(state)
        return "settled"

    def play(self, state: TableState) -> TableState:
        """Play a dealt hand to its end."""
        while state.phase == "hand":
            assert state.turn is not None
            state, happened = turns.play(
                state,
                state.turn.seat,
                self.choose(state, self.chance),
                at_ms=state.began_ms,
            )
            state, _ = turns.go_on(state, happened, now_ms=0)
        return state

    def hand(self, table: int) -> HandRecord:
        """Play and settle one whole hand of a table that may deal."""
        for _ in range(4):
            if self.states[table].phase == "finished":
                break
            self.step(table)
        done = record.of(self.states[table])
        self.step(table)
        return done

    def run(self, steps: int = 100_000, after: Callable[[], None] | None = None) -> None:
        """Advance tables in random order until all are closed."""
        for _ in range(steps):
            tables = self.tables()
            if not tables:
                return
            self.step(self.chance.choice(tables))
            if after is not None:
                after()
        raise AssertionError("the tournament does not end")

    def _deck(self, cards: Sequence[str]) -> tuple[str, ...]:
        deck = list(cards)
        self.chance.shuffle(deck)
        return tuple(deck)


def chips_of(tournament_id: int) -> int:
    """All chips of a tournament: at seats, in moves, and between merging entries."""
    seats = Seat.objects.filter(table__game=tournament_id).values_list("chips", flat=True)
    moves = Move.objects.filter(tournament=tournament_id, state="left")
    merging = Offer.objects.filter(tournament=tournament_id, kind="merge", state="accepted")
    on_the_way = [*moves.values_list("chips", flat=True), *merging.values_list("chips", flat=True)]
    return sum(seats) + sum(on_the_way)


def places_of(tournament_id: int) -> list[tuple[int | None, int]]:
    """Place and prize of every entry, best first."""
    rows = Entry.objects.filter(tournament=tournament_id, place__isnull=False)
    return list(rows.order_by("place", "-prize").values_list("place", "prize"))


class Buyers:
    """Players who answer offers at random: buy, decline, let expire, request chips."""

    def __init__(self, tournament_id: int, seed: int = 1) -> None:
        self.tournament_id = tournament_id
        self.chance = random.Random(seed)
        self.bought: Counter[str] = Counter()

    def act(self) -> None:
        """Answer an offer, request a re-buy or tick the tournament, each at random."""
        if self.chance.random() < 0.3:
            self._answer()
        if self.chance.random() < 0.05:
            self._ask()
        if self.chance.random() < 0.1:
            tick.tick(self.tournament_id)

    def _answer(self) -> None:
        open_offers = Offer.objects.filter(tournament=self.tournament_id, state="open")
        found = list(open_offers.select_related("entry__user").order_by("pk"))
        if not found:
            return
        offer = self.chance.choice(found)
        choice = self.chance.choice(("buy", "buy", "decline", "late"))
        if choice == "late":
            Offer.objects.filter(pk=offer.pk).update(until_ms=1)
            return
        with suppress(Refusal):
            sales.answer(offer.entry.user, offer.pk, buy=choice == "buy")
            self.bought[f"{offer.kind}_{choice}"] += 1

    def _ask(self) -> None:
        seated = Entry.objects.filter(tournament=self.tournament_id, state="seated")
        found = list(seated.select_related("user").order_by("pk"))
        if found:
            with suppress(Refusal):
                sales.request_rebuy(self.chance.choice(found).user, self.tournament_id)
                self.bought["asked"] += 1


def law(tournament_id: int) -> None:
    """Assert that chips sold equal chips counted, money adds up, and the auditor finds nothing
    (Z-01).
    """
    found = audit.audit_tournaments(tournament_id)
    assert not found, found
    tournament = Tournament.objects.get(pk=tournament_id)
    if tournament.state == "running":
        assert chips_of(tournament_id) == audit.sold_chips(tournament)
        in_play = Entry.objects.filter(tournament=tournament, state__in=Entry.IN_PLAY)
        assert tournament.left == in_play.count()
