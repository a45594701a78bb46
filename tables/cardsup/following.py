"""The hand that a cards-up stream tells next: of its table, or of the featured table of a game."""

from __future__ import annotations

import msgspec

from config import limits
from tables.cardsup import planning, source
from tables.cardsup.events import Featured
from tables.cardsup.models import Retelling
from tables.dealer.record import HandRecord
from tables.history.kept import kept_of
from tables.history.replays import table_before
from tables.models import Hand, Table
from tables.records import hand_months
from tables.wire.client_events import TableSnapshot

_Phase = Retelling.Phase


class _Stack(msgspec.Struct):
    chips: int


class _Seats(msgspec.Struct):
    seats: tuple[_Stack, ...]


class _Told(msgspec.Struct):
    """The fields of `HandRetold` with its stacks; other fields are skipped."""

    start: _Seats


_told = msgspec.json.Decoder(_Told).decode


class FollowedHand(msgspec.Struct, frozen=True):
    """A settled hand, when it starts to be told, its hidden seats, and why its table is shown."""

    hand: Hand
    kept: HandRecord
    starts_ms: int
    hidden: frozenset[int]
    reason: Featured | None = None

    @property
    def start(self) -> TableSnapshot:
        """Table before the hand, as everybody saw it."""
        return table_before(self.kept, self.hand.table.number, self.hand.table.seats_max)


def next_hand(row: Retelling, now_ms: int) -> FollowedHand | str:
    """Return the next hand of a stream, else its phase: it waits for a hand, or all was told."""
    if row.is_featured:
        return _featured(row, now_ms)
    assert row.table_id is not None
    # The status first: a table that is closed has no hand but those that are stored already.
    closed = Table.objects.filter(pk=row.table_id, status=Table.Status.CLOSED).exists()
    found = _after(row, row.table_id, row.hand, row.ends_ms)
    return found or (_Phase.OVER if closed else _Phase.WAITING)


def _after(row: Retelling, table: int, number: int, free_ms: int) -> FollowedHand | None:
    """Return the first settled hand of a table after a number, if the game is told at all."""
    hands = Hand.objects.filter(hand_months.of_tables([table]), number__gt=number)
    hand = hands.select_related("table").order_by("number").first()
    director = source.of(row.director)
    if hand is None or director is None:
        return None
    kept = kept_of(hand)
    terms = director.terms(row.game, kept)
    if terms is None:
        return None
    starts_ms = planning.start_ms(kept, terms.delay_ms, free_ms=free_ms)
    return FollowedHand(hand, kept, starts_ms, terms.hidden)


def _featured(row: Retelling, now_ms: int) -> FollowedHand | str:
    """Return the next hand of the best table that has one soon.

    A table that plays no hand for a while, as a final table with its longer delay, is waited for
    only as long as nobody else has a hand.
    """
    director = source.of(row.director)
    own = Retelling.objects.filter(director=row.director, game=row.game, is_featured=False)
    going = {one.table_id: one for one in own.exclude(phase=_Phase.OVER) if one.table_id}
    if director is None or not going:
        return _Phase.OVER if own.exists() else _Phase.WAITING
    later: FollowedHand | None = None
    stacks = {table: biggest_told(one) for table, one in going.items()}
    for featured in director.featured(row.game, stacks):
        found = _joined(row, going[featured.table], now_ms)
        if found is None:
            continue
        found = msgspec.structs.replace(found, reason=featured.reason)
        if found.starts_ms <= now_ms + limits.CARDS_UP_SOON_MS:
            return found
        if later is None or found.starts_ms < later.starts_ms:
            later = found
    return later or _Phase.WAITING


def biggest_told(row: Retelling) -> int:
    """Return the biggest stack at a table when its hand told last began; 0 before the first."""
    seats = _told(row.retold).start.seats if row.retold else ()
    return max((seat.chips for seat in seats), default=0)


def _joined(row: Retelling, table: Retelling, now_ms: int) -> FollowedHand | None:
    """Return the next hand of a table for the featured stream: none that was begun long ago."""
    assert table.table_id is not None
    if row.table_id == table.table_id:
        number = row.hand
    else:
        # The table's own stream is as far as its viewers are; a hand that it just began counts.
        begun = table.phase == _Phase.TELLING and (
            table.starts_ms >= now_ms - 2 * limits.CARDS_UP_LOOK_MS
        )
        number = table.hand - 1 if begun else table.hand
    return _after(row, table.table_id, number, row.ends_ms)
