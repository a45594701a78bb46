"""Answers to a table between two hands: its seats now, departures, and the grant of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from accounts.names import is_of_bot
from config import limits
from config.postgres.arrays import array_of
from config.postgres.statements import rows_of
from tables.dealer import carried
from tables.dealer.grants import Answer, Departure, Grant, RosterSeat, Timing, Wait
from tables.models import Seat, Table
from tables.wire.table_events import WaitReason
from tables.workers import granted_hands
from tournaments.engine.hand_rules import rules
from tournaments.engine.structure import Level
from tournaments.models import Entry, Move, Offer, Tournament
from tournaments.models.options.hands import FirstButton
from tournaments.prizes import spins


class Boundary:
    """A locked table between two hands: its seats, and the moves from and to it.

    `arriving` are moves on their way here, `gone` the moves made away from here at this boundary,
    `removed` the entries that left play at it.
    """

    def __init__(self, table: Table, seats: Sequence[Seat], moves: Sequence[Move]) -> None:
        self.table = table
        self.seats = list(seats)
        self.arriving = [
            move for move in moves if move.to_table_id == table.pk and move.state == Move.State.LEFT
        ]
        self.gone = [move for move in moves if move.from_table_id == table.pk]
        self.removed: list[Departure] = []

    def departures(self) -> tuple[Departure, ...]:
        """Departures at this boundary, each with its reason and its new table."""
        moved = (
            Departure(entry=move.entry_id, reason="moved", to_table=move.to_table_id)
            for move in self.gone
        )
        return (*moved, *self.removed)


def boundary(table: Table) -> Boundary:
    """Read the boundary of a locked table: its seats in order, and its moves.

    Moves are read before seats: between the two reads a move can only turn into a seat, so no entry
    is missed.
    """
    # Most tables have no moves at most hands: one statement tells that, and the seats.
    seats, has_moves = _seats(table)
    if not has_moves:
        return Boundary(table, seats, ())
    rows = Move.objects.filter(
        Q(to_table=table, state__in=Move.PENDING)
        | Q(from_table=table, hand=table.hand) & ~Q(state=Move.State.OPEN)
    )
    moves = list(rows.order_by("pk"))
    return Boundary(table, _seats(table)[0], moves)


def _seats(table: Table) -> tuple[list[Seat], bool]:
    """Return the seats of a table in order, and whether it has moves, in one snapshot."""
    pending, is_open = array_of(Move.PENDING), Move.State.OPEN
    rows = rows_of(_SEATS, [table.pk, pending, table.pk, table.hand, is_open, table.pk])
    seats = [Seat.from_db(connection.alias, _NAMES, row[1:]) for row in rows if row[1] is not None]
    return seats, bool(rows[0][0])


def seat_arrivals(boundary: Boundary) -> None:
    """Seat the arriving entries of a table whose row is locked (T-08)."""
    if not boundary.arriving:
        return
    here = boundary.seats
    entries = Entry.objects.in_bulk([move.entry_id for move in boundary.arriving])
    seats = Seat.objects.bulk_create(
        Seat(
            table=boundary.table,
            seat=move.to_seat,
            entry=move.entry_id,
            user_id=entries[move.entry_id].user_id,
            name=entries[move.entry_id].name,
            newcomer=True,
            **carried.copied(move),
        )
        for move in boundary.arriving
    )
    Move.objects.filter(pk__in=[move.pk for move in boundary.arriving]).update(
        state=Move.State.SEATED, seated_at=timezone.now()
    )
    boundary.seats = sorted([*here, *seats], key=lambda seat: seat.seat)
    boundary.arriving = []


def grant(tournament: Tournament, boundary: Boundary, hand: int, level: tuple[int, Level]) -> Grant:
    """Grant a table its next hand and store the grant, so that a repeated request gets it again."""
    table = boundary.table
    assert hand == table.hand + 1, "hands are granted in order"
    assert not boundary.arriving, "arriving entries are seated before a grant"
    assert len(boundary.seats) >= 2 and all(seat.chips > 0 for seat in boundary.seats), (
        "two stacks or more"
    )
    number, stakes = level
    granted = Grant(
        hand=hand,
        rules=rules(tournament, stakes, left=tournament.left),
        level=number,
        round=tournament.round if tournament.hand_for_hand else 0,
        timing=Timing(
            action_ms=tournament.action_ms,
            hand_pause_ms=tournament.hand_pause_ms,
            showdown_pause_ms=tournament.showdown_pause_ms,
            street_pause_ms=tournament.street_pause_ms,
        ),
        roster=_roster(tournament, boundary.seats, _bought(tournament, table, hand)),
        departures=boundary.departures(),
        draw_button=table.button is None,
        button_by_lot=tournament.first_button == FirstButton.RANDOM,
        not_before_ms=spins.first_hand_at_ms(tournament) if hand == 1 else 0,
    )
    granted_hands.keep(table, granted)
    return granted


def wait(
    boundary: Boundary,
    reason: WaitReason,
    until_ms: int | None = None,
    *,
    again_ms: int = limits.DIRECTOR_WAIT_MS,
) -> Answer:
    """Answer that the table asks again after `again_ms`, with its departures."""
    return Wait(
        reason=reason, again_ms=again_ms, until_ms=until_ms, departures=boundary.departures()
    )


def stand(boundary: Boundary, reason: WaitReason, until_ms: int | None = None) -> Answer:
    """Answer that the table waits with all others until it is woken."""
    return wait(boundary, reason, until_ms, again_ms=limits.STANDING_WAIT_MS)


def _bought(tournament: Tournament, table: Table, hand: int) -> dict[int, int]:
    """Chips bought at this boundary, by entry (E-04, E-05)."""
    if not (tournament.sells or tournament.several_at_once):
        return {}
    given = tournament.offers.filter(
        state=Offer.State.DONE, given_table=table.pk, given_hand=hand
    ).values_list("entry", "chips")
    chips: dict[int, int] = {}
    for entry, amount in given:
        chips[entry] = chips.get(entry, 0) + amount
    return chips


def _roster(
    tournament: Tournament, seats: Sequence[Seat], bought: Mapping[int, int]
) -> tuple[RosterSeat, ...]:
    return tuple(
        RosterSeat(
            seat=seat.seat,
            entry=seat.entry,
            user=seat.user_id,
            name=seat.name,
            newcomer=seat.newcomer,
            bought=bought.get(seat.entry, 0),
            action_ms=tournament.bot_action_ms if is_of_bot(seat.name) else 0,
            **carried.copied(seat),
        )
        for seat in seats
    )


_FIELDS = Seat._meta.concrete_fields
_NAMES = [field.attname for field in _FIELDS]
_SEATS = f"""
SELECT moves.pending, {", ".join(f's."{field.column}"' for field in _FIELDS)}
  FROM (SELECT EXISTS (SELECT 1 FROM tournaments_move WHERE to_table_id = %s AND state = ANY(%s))
            OR EXISTS (SELECT 1 FROM tournaments_move
                        WHERE from_table_id = %s AND hand = %s AND state <> %s) AS pending) moves
  LEFT JOIN tables_seat s ON s.table_id = %s
 ORDER BY s.seat
"""  # nosec B608
