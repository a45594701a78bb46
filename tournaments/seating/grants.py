"""What a table is told between two hands: who sits there now, who left, and the next hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import cast

import msgspec
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from config import limits
from tables.dealer.director import Answer, Departure, Grant, RosterSeat, Timing, Wait
from tables.models import Seat, Table
from tables.wire.client_commands import ShowdownChoice
from tables.wire.table_events import WaitReason
from tournaments.engine.hand_rules import rules
from tournaments.engine.structure import Level
from tournaments.models import Entry, Move, Offer, Tournament
from tournaments.models.hands import FirstButton
from tournaments.prizes import spins

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Grant).decode


class Boundary:
    """A locked table between two hands: its seats, and the moves that concern it now.

    `arriving` are on their way here, `gone` the moves made at this boundary away from here,
    `removed` those who left play at it.
    """

    def __init__(self, table: Table, moves: Sequence[Move]) -> None:
        self.table = table
        self.arriving = [
            move for move in moves if move.to_table_id == table.pk and move.state == Move.State.LEFT
        ]
        self.gone = [move for move in moves if move.from_table_id == table.pk]
        self.removed: list[Departure] = []

    @cached_property
    def seats(self) -> list[Seat]:
        """Who sits here, by seat; read when first asked for, as a table that waits never asks."""
        return list(Seat.objects.filter(table=self.table).order_by("seat"))

    def departures(self) -> tuple[Departure, ...]:
        """Where those went who left at this boundary."""
        moved = (
            Departure(entry=move.entry_id, reason="moved", to_table=move.to_table_id)
            for move in self.gone
        )
        return (*moved, *self.removed)


def boundary(table: Table) -> Boundary:
    """Look at a locked table; moves first: between two reads a move can only become a seat."""
    # Most tables have none at most hands, so they are only counted at first.
    if not _has_moves(table):
        return Boundary(table, ())
    moves = Move.objects.filter(
        Q(to_table=table, state__in=Move.PENDING)
        | Q(from_table=table, hand=table.hand) & ~Q(state=Move.State.OPEN)
    )
    return Boundary(table, moves.order_by("pk"))


def _has_moves(table: Table) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM tournaments_move WHERE to_table_id = %s"
            " AND state = ANY(%s)) OR EXISTS (SELECT 1 FROM tournaments_move"
            " WHERE from_table_id = %s AND hand = %s AND state <> %s)",
            [table.pk, list(Move.PENDING), table.pk, table.hand, Move.State.OPEN],
        )
        return bool(cursor.fetchone()[0])


def seat_arrivals(now: Boundary) -> None:
    """Put those who arrived into their seats; the table's row is locked (T-08)."""
    if not now.arriving:
        return
    here = now.seats
    entries = Entry.objects.in_bulk([move.entry_id for move in now.arriving])
    seats = Seat.objects.bulk_create(
        Seat(
            table=now.table,
            seat=move.to_seat,
            entry=move.entry_id,
            user_id=entries[move.entry_id].user_id,
            name=entries[move.entry_id].name,
            chips=move.chips,
            bank_ms=move.bank_ms,
            absent=move.absent,
            showdown=move.showdown,
            newcomer=True,
        )
        for move in now.arriving
    )
    Move.objects.filter(pk__in=[move.pk for move in now.arriving]).update(
        state=Move.State.SEATED, seated_at=timezone.now()
    )
    now.seats = sorted([*here, *seats], key=lambda seat: seat.seat)
    now.arriving = []


def stored(table: Table, hand: int) -> Grant | None:
    """The answer this hand was given already, if it was."""
    if table.granted_hand != hand or table.grant is None:
        return None
    return _decode(bytes(table.grant))


def grant(tournament: Tournament, now: Boundary, hand: int, level: tuple[int, Level]) -> Grant:
    """Let a table deal its next hand; stored, so that the same hand is always answered so."""
    table = now.table
    assert hand == table.hand + 1, "hands follow each other"
    assert not now.arriving, "who arrived has a seat"
    assert len(now.seats) >= 2 and all(seat.chips > 0 for seat in now.seats), "a hand can be played"
    number, stakes = level
    given = Grant(
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
        roster=_roster(now.seats, _bought(tournament, table, hand)),
        departures=now.departures(),
        draw_button=table.button is None,
        button_by_lot=tournament.first_button == FirstButton.RANDOM,
        not_before_ms=spins.first_hand_at_ms(tournament) if hand == 1 else 0,
    )
    table.granted_hand = hand
    table.grant = _encode(given)
    with connection.cursor() as cursor:
        cursor.execute(
            'UPDATE tables_table SET granted_hand = %s, "grant" = %s WHERE id = %s',
            [hand, table.grant, table.pk],
        )
        assert cursor.rowcount == 1, "the table is locked, so it is there"
    return given


def wait(
    now: Boundary,
    reason: WaitReason,
    until_ms: int | None = None,
    *,
    again_ms: int = limits.DIRECTOR_WAIT_MS,
) -> Answer:
    """Let a table ask again, and tell it who left meanwhile."""
    return Wait(reason=reason, again_ms=again_ms, until_ms=until_ms, departures=now.departures())


def stand(now: Boundary, reason: WaitReason, until_ms: int | None = None) -> Answer:
    """Let a table wait with all others; whoever lets them go on wakes them."""
    return wait(now, reason, until_ms, again_ms=limits.STANDING_WAIT_MS)


def _bought(tournament: Tournament, table: Table, hand: int) -> dict[int, int]:
    """Entry -> chips it bought at this boundary (E-04, E-05)."""
    if not (tournament.sells or tournament.several_at_once):
        return {}
    given = tournament.offers.filter(
        state=Offer.State.DONE, given_table=table.pk, given_hand=hand
    ).values_list("entry", "chips")
    chips: dict[int, int] = {}
    for entry, amount in given:
        chips[entry] = chips.get(entry, 0) + amount
    return chips


def _roster(seats: Sequence[Seat], bought: Mapping[int, int]) -> tuple[RosterSeat, ...]:
    return tuple(
        RosterSeat(
            seat=seat.seat,
            entry=seat.entry,
            user=seat.user_id,
            name=seat.name,
            chips=seat.chips,
            bank_ms=seat.bank_ms,
            absent=seat.absent,
            newcomer=seat.newcomer,
            bought=bought.get(seat.entry, 0),
            showdown=cast(ShowdownChoice, seat.showdown),
        )
        for seat in seats
    )
