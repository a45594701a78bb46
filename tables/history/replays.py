"""Finished hands as one viewer may see them again, from the settled records."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tables.dealer.record import HandRecord
from tables.dealer.seen_record import SeenRecord, Unread
from tables.engine.events import HIDDEN, Card, CardsShown, HandEvent, Stack
from tables.engine.evolve import evolve_all
from tables.engine.state import HandState
from tables.engine.visibility import look_up, view
from tables.history.decisions import Decision, decisions
from tables.wire.client_events import SeatSnapshot, TableSnapshot


class Replay(msgspec.Struct, frozen=True):
    """A hand from the table before it to its end, as `user` may see it (None: the public).

    `events` are the viewer's version of the events. `looked_up` are the hands of the showdown that
    were not shown and that the viewer may ask for: seat and hole cards (S-03). `decisions` name
    the time of each decision and those that the room made. `unread` is the reason why the viewer's
    own cards are not shown: their key was burnt, or is not here.
    """

    user: int | None
    start: TableSnapshot
    events: tuple[HandEvent, ...]
    looked_up: tuple[tuple[int, tuple[Card, ...]], ...]
    decisions: tuple[Decision, ...] = ()
    unread: Unread = ""


class HandSummary(msgspec.Struct, frozen=True):
    """A hand in a list: chips, names of the pots' winners, and the viewer's gain, if dealt in.

    The `pot` includes the `rake` that was taken from it (R-02).
    """

    number: int
    ended_ms: int
    level: int
    players: int
    pot: int
    winners: tuple[str, ...]
    board: tuple[Card, ...]
    own: int | None
    rake: int = 0


def replay(kept: HandRecord, *, number: int, seats_max: int, user: int | None) -> Replay:
    """Return the hand of `kept` at table number `number`, for one viewer."""
    events = kept.events()
    last = evolve_all(None, events)
    assert last.finished, "a hand that is not finished"
    shown = {seat.seat: seat.shown for seat in last.seats}
    # Cards shown after the hand belong to its end, not to its course of events.
    later = ((seat, cards) for seat, cards in kept.result.shown if cards != shown[seat])
    events += tuple(CardsShown(seat=seat, cards=cards, made="") for seat, cards in later)
    own = _own_seat(kept, user)
    since = shown | dict(kept.result.shown)
    return Replay(
        user=user if own is not None else None,
        start=table_before(kept, number, seats_max),
        events=tuple(view(event, own) for event in events),
        looked_up=tuple(
            (seat, cards) for seat, cards in mucked_hands(last, own) if cards != since[seat]
        ),
        decisions=decisions(kept),
        unread=kept.unread if isinstance(kept, SeenRecord) else "",
    )


def mucked_hands(last: HandState, own: int | None) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Yield the hands of others that a finished hand did not show and a seat may look up (S-03).

    Cards that their player showed after the hand are among them.
    """
    shown = {seat.seat: seat.shown for seat in last.seats}
    for seat, cards in look_up(last, own):
        if seat != own and cards != shown[seat] and HIDDEN not in cards:
            yield seat, cards


def table_before(kept: HandRecord, number: int, seats_max: int) -> TableSnapshot:
    """Return table number `number` as everybody saw it before a hand.

    A record has the absences at the end of the hand: those at its beginning are read from the first
    decision of each seat, and are those of the end where a seat made none.
    """
    noted = list(zip(kept.actions, kept.notes, strict=False))
    first = {played.seat: note.made_by for played, note in reversed(noted)}
    return TableSnapshot(
        table=kept.table,
        game=kept.game,
        number=number,
        epoch=kept.epoch,
        hand=kept.hand - 1,
        seats_max=seats_max,
        seats=tuple(
            SeatSnapshot(
                seat=seat.seat,
                entry=seat.entry,
                user=seat.user,
                name=seat.name,
                chips=seat.chips_before,
                absent=first[seat.seat] == "absent" if seat.seat in first else seat.absent,
                dealt=seat.dealt,
            )
            for seat in kept.seats
        ),
        level=kept.level,
        stakes=kept.setup.rules.stakes,
    )


def line(kept: HandRecord, user: int | None) -> HandSummary:
    """Return the row of a hand in a list."""
    own = _own_seat(kept, user)
    names = {seat.seat: seat.name for seat in kept.seats}
    won = dict.fromkeys(share.seat for award in kept.result.awards for share in award.winners)
    return HandSummary(
        number=kept.hand,
        ended_ms=kept.ended_ms,
        level=kept.level,
        players=len(kept.setup.players),
        pot=sum(award.amount for award in kept.result.awards),
        winners=tuple(names[seat] for seat in won),
        board=kept.result.board,
        own=None if own is None else _gain(kept, own),
        rake=kept.result.rake,
    )


def _own_seat(kept: HandRecord, user: int | None) -> int | None:
    """Return the seat at which a user was dealt in; a player has one entry per table at most."""
    mine = (seat.seat for seat in kept.seats if seat.dealt and seat.user == user)
    return next(mine, None)


def _gain(kept: HandRecord, seat: int) -> int:
    def chips(stacks: tuple[Stack, ...]) -> int:
        return next(stack.chips for stack in stacks if stack.seat == seat)

    return chips(kept.result.stacks_after) - chips(kept.result.stacks_before)
