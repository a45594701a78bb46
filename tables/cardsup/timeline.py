"""Timeline of a hand told again: every event with its time since the hand began."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random

import msgspec

from tables.cardsup.events import Equity, HandChances
from tables.dealer.record import HandRecord
from tables.dealer.run_out import schedule
from tables.engine.betting import to_call
from tables.engine.events import (
    HIDDEN,
    Card,
    CardsShown,
    Event,
    HandEvent,
    HandsRevealed,
    HoleCardsDealt,
    StreetDealt,
)
from tables.engine.evolve import evolve
from tables.engine.state import HandState
from tables.engine.visibility import view
from tables.history.equity import EquityTable


class TimedEvent(msgspec.Struct, frozen=True):
    """An event and the time after the start of its hand at which it happened, in ms."""

    at_ms: int
    event: Event


def timeline(kept: HandRecord, hidden: Collection[int] = ()) -> tuple[TimedEvent, ...]:
    """Return the events of a hand with all cards in the time of the hand, in order.

    Cards of the `hidden` seats are told as everybody at the table saw them.
    """
    chances = _Chances(kept, frozenset(hidden))
    told: list[TimedEvent] = []
    state: HandState | None = None
    for at_ms, events in _groups(kept):
        for event in events:
            state = evolve(state, event)
            told.append(TimedEvent(at_ms, _opened(event, hidden)))
            is_over = event is events[-1] or isinstance(event, (StreetDealt, HandsRevealed))
            if is_over and (news := chances.after(state)) is not None:
                told.append(TimedEvent(at_ms, news))
    told += [TimedEvent(told[-1].at_ms, event) for event in _shown_later(kept, state)]
    return tuple(told)


def _opened(event: HandEvent, hidden: Collection[int]) -> HandEvent:
    """Return an event with its hole cards, and without the deck and the choices of players."""
    if isinstance(event, HoleCardsDealt) and event.seat not in hidden:
        return event
    return view(event, None)


def _groups(kept: HandRecord) -> Iterator[tuple[int, Sequence[HandEvent]]]:
    """Yield the deal, the events of each action and the beats of a run-out, with their times."""
    groups = kept.steps()
    times = (0, *_times(kept, len(groups) - 1))
    yield from zip(times[:-1], groups[:-1], strict=True)
    # The record has no times of a run-out: they lie evenly between the last action and the release.
    last, last_ms = groups[-1], times[-1]
    breath_ms = (kept.released_ms - kept.began_ms - last_ms) // max(1, _beats(last))
    at_once, run_out = schedule(kept.hand, last, now_ms=last_ms, breath_ms=max(0, breath_ms))
    yield last_ms, last[:at_once]
    for beat in () if run_out is None else run_out.coming:
        yield beat.at_ms, beat.events


def _beats(last: Sequence[HandEvent]) -> int:
    _, run_out = schedule(0, last, now_ms=0, breath_ms=1)
    return 0 if run_out is None else len(run_out.coming)


def _times(kept: HandRecord, count: int) -> list[int]:
    """Return the time of each action; records without notes are spread evenly."""
    if len(kept.notes) == count:
        times, latest = [], 0
        for note in kept.notes:
            latest = max(latest, note.at_ms)
            times.append(latest)
        return times
    span_ms = max(0, kept.ended_ms - kept.began_ms)
    return [span_ms * number // (count + 1) for number in range(1, count + 1)]


def _shown_later(kept: HandRecord, last: HandState | None) -> list[HandEvent]:
    """Return the cards shown after the hand, which belong to its end."""
    assert last is not None and last.finished, "a hand that is not finished"
    shown = {seat.seat: seat.shown for seat in last.seats}
    return [
        CardsShown(seat=seat, cards=cards, made="")
        for seat, cards in kept.result.shown
        if cards != shown[seat]
    ]


def _need_bp(state: HandState, call: int) -> int:
    """Return the part of what the seat to act can win that pays for its call, in basis points.

    Chips of others beyond its own last chip are not to be won by it (P-01).
    """
    if not call or state.actor is None:
        return 0
    most = state.seat(state.actor).committed + call
    others = [seat.committed for seat in state.seats if seat.seat != state.actor]
    return 10_000 * call // (state.dead + most + sum(min(chips, most) for chips in others))


class _Chances:
    """Chances after each step of one hand; hands are ranked anew only when a card was dealt."""

    def __init__(self, kept: HandRecord, hidden: frozenset[int]) -> None:
        self._variant = kept.setup.rules.variant
        self._hidden = hidden
        self._seed = kept.digest()
        self._known: tuple[object, ...] = ()
        self._table: EquityTable | None = None
        self._last: HandChances | None = None

    def after(self, state: HandState) -> HandChances | None:
        """Return the chances now; None when they are those told last, or the hand is decided."""
        told = None if state.finished or state.awarded else self._now(state)
        if told is None or told == self._last:
            return None
        self._last = told
        return told

    def _now(self, state: HandState) -> HandChances:
        # Before the first bets are collected antes lie neither in a pot nor in front of a seat.
        pot = state.dead + sum(seat.committed for seat in state.seats)
        if state.actor is None:
            return HandChances(self._equities(state), pot=pot)
        call = to_call(state, state.order.index(state.actor))
        return HandChances(self._equities(state), state.actor, pot, call, _need_bp(state, call))

    def _equities(self, state: HandState) -> tuple[Equity, ...]:
        live = [seat.seat for seat in state.seats if not seat.folded]
        hands = {seat.seat: self._cards(seat.seat, seat.cards, seat.shown) for seat in state.seats}
        if len(live) < 2 or any(HIDDEN in hands[seat] for seat in live):
            return ()
        known = (state.board, tuple(hands.values()))
        if self._table is None or known != self._known:
            dead = [
                card
                for seat, cards in hands.items()
                if seat not in live
                for card in cards
                if card != HIDDEN
            ]
            chance = Random(f"{self._seed}{len(state.board)}")  # nosec B311: no card is drawn
            self._table = EquityTable(
                self._variant, {seat: hands[seat] for seat in live}, state.board, dead, chance
            )
            self._known = known
        shares = self._table.shares_bp(live)
        return tuple(Equity(seat, share_bp) for seat, share_bp in shares.items())

    def _cards(
        self, seat: int, cards: tuple[Card, ...], shown: tuple[Card, ...]
    ) -> tuple[Card, ...]:
        if seat not in self._hidden:
            return cards
        return shown or (HIDDEN,) * len(cards)
