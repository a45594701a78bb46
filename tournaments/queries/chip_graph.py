"""Draw the stacks of some players over time from the finished hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from accounts.models import User
from tables.dealer.record import SeatAfter
from tables.models import Hand, Seat
from tables.records import hand_months
from tables.records.stored import open_bytes
from tournaments import locks
from tournaments.models import Entry, KnockOut, Move, Tournament

HANDS_MAX = 300
"""Most hands read, the newest of their tables: quick to read, hours of play at one table."""

LEADERS = 3
WIDTH, HEIGHT = 640, 200


class Curve(msgspec.Struct, frozen=True):
    """One player's stack: `points` for an SVG polyline, and the last stack in chips."""

    name: str
    mine: bool
    points: str
    chips: int


class Graph(msgspec.Struct, frozen=True):
    """The drawing: time from left to right since `began_ms`, chips from 0 up to `most`."""

    curves: list[Curve]
    began_ms: int
    ended_ms: int
    most: int
    width: int = WIDTH
    height: int = HEIGHT


class _Hand(msgspec.Struct):
    """The fields of a `HandRecord` for the drawing; other fields are skipped undecoded."""

    ended_ms: int
    seats: tuple[SeatAfter, ...]


_decode = msgspec.msgpack.Decoder(_Hand).decode


def graph(tournament: Tournament, user: User | None) -> Graph | None:
    """Draw the stacks of the visitor and the leaders; None before two hands are finished.

    A hand has a row only after its result was published, so the drawing is never ahead of the
    table.
    """
    entries = _chosen(tournament, user)
    stacks = _stacks(tournament, [entry.pk for entry in entries])
    times = [at for points in stacks.values() for at, _ in points]
    if not times or min(times) == max(times):
        return None
    most = max(chips for points in stacks.values() for _, chips in points)
    began, ended = min(times), max(times)
    curves = [
        Curve(
            name=entry.name,
            mine=user is not None and entry.user_id == user.pk,
            points=" ".join(_point(at, chips, began, ended, most) for at, chips in points),
            chips=points[-1][1],
        )
        for entry in entries
        if (points := stacks.get(entry.pk))
    ]
    return Graph(curves, began, ended, most)


def _point(at: int, chips: int, began: int, ended: int, most: int) -> str:
    x = WIDTH * (at - began) / (ended - began)
    y = HEIGHT * (1 - chips / max(most, 1))
    return f"{x:.1f},{y:.1f}"


def _chosen(tournament: Tournament, user: User | None) -> list[Entry]:
    """Return the visitor's own entry, then the biggest stacks, after the end the best places."""
    rows = Entry.objects.filter(tournament=tournament)
    seats = Seat.objects.filter(table__director=locks.DIRECTOR, table__game=tournament.pk)
    leading = list(seats.order_by("-chips", "entry").values_list("entry", flat=True)[:LEADERS])
    best = rows.filter(pk__in=leading) if leading else rows.filter(place__lte=LEADERS)
    own = [] if user is None else list(rows.filter(user=user).order_by("-pk")[:1])
    others = [entry for entry in best if entry not in own]
    rank = {pk: number for number, pk in enumerate(leading)}
    others.sort(key=lambda entry: (rank.get(entry.pk, 0), entry.place or 0))
    return own + others[:LEADERS]


def _stacks(tournament: Tournament, entries: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    """Entry -> (time in ms, chips) after each of the newest hands of its tables."""
    tables: set[int | None] = set()
    for rows, field in (
        (Seat.objects.filter(entry__in=entries), "table"),
        (Move.objects.filter(entry__in=entries), "from_table"),
        (KnockOut.objects.filter(entry__in=entries), "table"),
    ):
        tables |= set(rows.values_list(field, flat=True))
    hands = Hand.objects.filter(
        hand_months.of_game(locks.DIRECTOR, tournament.pk), table__in=tables - {None}
    )
    newest = hands.order_by("-finished_at").values_list("record", flat=True)[:HANDS_MAX]
    points: dict[int, list[tuple[int, int]]] = defaultdict(list)
    wanted = set(entries)
    for raw in reversed(newest):
        hand = _decode(open_bytes(bytes(raw)))
        for seat in hand.seats:
            if seat.entry in wanted:
                points[seat.entry].append((hand.ended_ms, seat.chips))
    return points
