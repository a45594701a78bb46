"""Dealt decks of a room, read from the records of its finished hands."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time

import structlog
from django.db.models import Count, QuerySet

from accounts.models import User
from config.postgres.one_moment import one_moment
from tables.chance.family import DealtCounts, DealtDeck
from tables.dealer.record import HandRecord
from tables.engine.begin import begin
from tables.engine.cards import DECK
from tables.engine.events import HoleCardsDealt
from tables.fairness.cutting import CutState
from tables.fairness.leaves import Fate
from tables.models import Hand, SealedDeck
from tables.records import stored
from tables.records.month_keys import BurntMonth, NoMonthKey

log = structlog.get_logger(__name__)

READ_AT_ONCE = 500
_VOID = (Fate.VOID_IN_PLAY, Fate.VOID_BEFORE_CARDS)
_DAY_MS = 24 * 3_600_000
_NUMBERS = {card: number for number, card in enumerate(DECK)}


def count_decks(day: date | None = None) -> dict[str, DealtCounts]:
    """Return the counts of all hands as "all", and those of a UTC day under its name."""
    groups = _groups()
    counts = {"all": DealtCounts()}
    if day is not None:
        counts[day.isoformat()] = DealtCounts()
    with one_moment():
        for kept in _records():
            deck = dealt_deck(kept, groups)
            if deck is None:
                continue
            counts["all"].add(kept.table, deck)
            ended = datetime.fromtimestamp(kept.ended_ms / 1_000, UTC).date()
            if ended == day:
                counts[day.isoformat()].add(kept.table, deck)
        _count_ends(counts["all"], SealedDeck.objects.all())
        if day is not None:
            began_ms = int(datetime.combine(day, time(), UTC).timestamp() * 1_000)
            of_day = SealedDeck.objects.filter(
                ended_ms__gte=began_ms, ended_ms__lt=began_ms + _DAY_MS
            )
            _count_ends(counts[day.isoformat()], of_day)
    return counts


def _count_ends(counts: DealtCounts, decks: QuerySet[SealedDeck]) -> None:
    """Count played and void decks by their rows, which stay when the keys of their month go."""
    ends = dict(decks.values_list("fate").annotate(Count("pk")).order_by())
    counts.played = ends.get(Fate.PLAYED, 0)
    counts.void = sum(ends.get(fate, 0) for fate in _VOID)


def dealt_deck(kept: HandRecord, groups: dict[int, str]) -> DealtDeck | None:
    """Return the deck of a hand; None when it was not sealed."""
    if kept.called is None:
        return None
    users = {seat.seat: seat.user for seat in kept.seats if seat.dealt}
    holes: tuple[tuple[int, str, bytes], ...] = ()
    if kept.setup.rules.variant == "holdem":
        holes = tuple(
            (event.seat, groups.get(users[event.seat], "person"), _bytes(event.cards))
            for event in begin(kept.setup)
            if isinstance(event, HoleCardsDealt)
        )
    awaited = {cut.seat for cut in kept.called.cuts if cut.awaited}
    rows = [row for row in kept.called.roster() if row.seat in awaited]
    unopened = sum(row.state is not CutState.OPENED for row in rows)
    cut = bytes(kept.called.cut())
    return DealtDeck(_bytes(kept.setup.deck), cut, holes, len(rows), unopened)


def _bytes(cards: tuple[str, ...]) -> bytes:
    return bytes(_NUMBERS[card] for card in cards)


def _groups() -> dict[int, str]:
    """Return the users that are no ordinary persons: bots and staff."""
    rows = User.objects.filter(is_bot=True) | User.objects.filter(is_staff=True)
    return {pk: "bot" if is_bot else "staff" for pk, is_bot in rows.values_list("pk", "is_bot")}


def _records() -> Iterator[HandRecord]:
    for raw in Hand.objects.order_by("pk").values_list("record", flat=True).iterator(READ_AT_ONCE):
        try:
            yield stored.decode(bytes(raw))
        except BurntMonth:
            continue
        except NoMonthKey:
            raise
        except Exception:
            log.exception("hand left out of statistics")
