"""A tournament at a glance: its lobby row, the head of its page, and its tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import Avg, Count, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from config import clock
from config.postgres.statements import ANY_TIME, BuiltOnce
from tables.engine.events import Stakes
from tables.models import Table
from tournaments import locks, progress, words
from tournaments.engine import lifecycle
from tournaments.engine.structure import stakes_of
from tournaments.events import standstill
from tournaments.events.formats import SpinOdds
from tournaments.events.lobby_row import Summary
from tournaments.models import Entry, Tournament
from tournaments.models.audience import Audience
from tournaments.prizes import pool as prizes
from tournaments.prizes import spins
from tournaments.queries import field
from tournaments.queries.players import PlayerRow
from tournaments.seating import shootout

OVER_SHOWN = 50
OVER_SHOWN_FOR = timedelta(hours=24)
_LARGE = ("prizes", "resized", "payout_table", "spin_splits", "bounty_players")


class TableRow(msgspec.Struct, frozen=True):
    """An open table: players and their stacks in chips."""

    table: int
    number: int
    players: int
    smallest: int
    largest: int
    average: int
    hand: int


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament at a glance; chips, cents, ms since the epoch; missing values are empty.

    A level ends at a time or after a number of hands of the table with the most hands (L-01).
    `stands_why` is the `reason` of the pause, or of the cancellation. `paying` is true while prizes
    of an ended tournament, refunds or shares are being paid, some at a time.
    """

    summary: Summary
    now_ms: int
    level: int | None
    stakes: Stakes | None
    next_stakes: Stakes | None
    level_ends_at_ms: int | None
    level_ends_in_hands: int | None
    break_at_ms: int | None
    break_until_ms: int | None
    play_ends_at_ms: int | None
    spin: SpinOdds | None
    round: int
    rounds: int
    clock_runs: bool
    stands_why: str
    chips: int
    average: int
    largest: int
    smallest: int
    places_paid: int
    next_prize: int
    hand_for_hand: bool
    final_table: bool
    tables_open: int
    me: PlayerRow | None
    paying: bool = False

    @property
    def why_words(self) -> str:
        """Reason of the stop, in words."""
        return words.why(self.stands_why)


def lobby() -> list[Summary]:
    """Return announced and running tournaments, then the latest ended ones.

    Tournaments that only members or guests of a club may watch are not among them.
    """
    return _summaries([*_LIVE.rows(), *_OVER.rows(timezone.now() - OVER_SHOWN_FOR)])


def of_clubs(clubs: Collection[int]) -> list[Summary]:
    """Return the tournaments of these clubs, whoever may watch them, in the lobby's order."""
    return _newest(Q(club__in=clubs))


def everything() -> list[Summary]:
    """Return the tournaments of the room and of all clubs, in the lobby's order."""
    return _newest(Q())


def _newest(shown: Q) -> list[Summary]:
    return _summaries([*_live(shown), *_over(shown, timezone.now() - OVER_SHOWN_FOR)])


def _live(shown: Q) -> QuerySet[Tournament]:
    known = _rows(shown)
    return known.filter(state__in=lifecycle.NOT_ENDED).order_by("starts_at", "pk")


def _over(shown: Q, since: datetime) -> QuerySet[Tournament]:
    known = _rows(shown).filter(state__in=lifecycle.ENDED, finished_at__gte=since)
    return known.order_by("-finished_at")[:OVER_SHOWN]


def _rows(shown: Q) -> QuerySet[Tournament]:
    """Return tournaments with their clubs, without large columns that no row of a list needs."""
    return Tournament.objects.filter(shown).select_related("club").defer(*_LARGE)


_PUBLIC = Q(club__isnull=True) | Q(watched_by=Audience.EVERYBODY)
_LIVE = BuiltOnce(lambda: _live(_PUBLIC))
_OVER = BuiltOnce(lambda since: _over(_PUBLIC, since), ANY_TIME)


def _summaries(rows: Sequence[Tournament]) -> list[Summary]:
    paid = _collected(rows)
    return [summary(row, paid.get(row.pk, 0)) for row in rows]


def summary(tournament: Tournament, paid: int | None = None) -> Summary:
    """Return a tournament's lobby row; `paid` are its buy-ins so far in cents."""
    pool = tournament.pool
    if pool is None:
        pool = (
            prizes.pool_now(tournament) if paid is None else prizes.expected_pool(tournament, paid)
        )
    on_break = tournament.state in lifecycle.PLAYED and progress.break_until_ms(tournament)
    facts = lifecycle.Facts(
        entries_open=tournament.entries_open,
        on_break=bool(on_break),
        final_table=tournament.final_table,
    )
    structure = tournament.levels()
    started = tournament.started_ms is not None
    return Summary(
        tournament=tournament.pk,
        name=tournament.name,
        format=tournament.format,
        start=tournament.start,
        variant=tournament.variant,
        limit=tournament.limit,
        bets=_bets(tournament),
        state=tournament.state,
        # Columns with choices are typed as str.
        shown=lifecycle.shown(tournament.state, facts),  # type: ignore[arg-type]
        buy_in=tournament.buy_in,
        bounty=tournament.bounty,
        fee=tournament.fee,
        pool=pool,
        guarantee=tournament.guarantee,
        starting_stack=tournament.starting_stack,
        seats_per_table=tournament.table_size,
        players_min=tournament.players_min,
        players_max=tournament.players_max,
        entrants=tournament.entrants,
        left=tournament.left,
        private=bool(tournament.password),
        starts_at_ms=tournament.started_ms if started else tournament.starts_at_ms,
        methods=tournament.methods,
        activity=tournament.activity,
        structure=tournament.structure_name,
        speed_ms=structure.levels[0].lasts_ms,
        level=progress.level(tournament)[0] if started else 0,
        late=tournament.entries_open,
        full=tournament.is_full,
        entries_max=tournament.entries_max,
        several=tournament.several_at_once,
        rebuys=tournament.rebuys_open,
        cash_value=tournament.cash_value,
        club=tournament.club_id,
        club_name="" if tournament.club is None else tournament.club.name,
        watched_by=tournament.watched_by,
        entered_by=tournament.entered_by,
    )


def overview(tournament: Tournament) -> Overview:
    """Return the values of a tournament page's head, without a visitor's own part."""
    now_ms = clock.database_now_ms()
    chips = field.chips(tournament)
    seated = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament.pk, status=Table.Status.OPEN
    )
    return Overview(
        summary=summary(tournament),
        now_ms=now_ms,
        **_clock(tournament, now_ms),
        stands_why=standstill.why(tournament),
        chips=chips.total,
        average=chips.average,
        largest=chips.largest,
        smallest=chips.smallest,
        places_paid=prizes.places_paid(tournament),
        next_prize=_next_prize(tournament),
        spin=spins.shown(tournament),
        round=tournament.stage,
        rounds=shootout.rounds(tournament),
        hand_for_hand=tournament.hand_for_hand,
        final_table=tournament.final_table,
        tables_open=seated.count(),
        me=None,
        paying=tournament.is_paying,
    )


def tables(tournament: Tournament) -> list[TableRow]:
    """Return the open tables with their stacks."""
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament.pk, status=Table.Status.OPEN
    ).annotate(
        players=Count("seats"),
        smallest=Min("seats__chips", default=0),
        largest=Max("seats__chips", default=0),
        average=Avg("seats__chips", default=0),
    )
    columns = ("pk", "number", "players", "smallest", "largest", "average", "hand")
    return [
        TableRow(table, number, players, smallest, largest, int(average), hand)
        for table, number, players, smallest, largest, average, hand in rows.order_by(
            "number"
        ).values_list(*columns)
    ]


def closed_tables(tournament: Tournament) -> list[tuple[int, int, int]]:
    """Return the closed tables with hands: key, number, hands."""
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament.pk, status=Table.Status.CLOSED, hand__gt=0
    )
    return list(rows.order_by("number").values_list("pk", "number", "hand"))


def _bets(tournament: Tournament) -> tuple[int, int] | None:
    """Return the bets of the first level under a limit with bets of its own (B-03, B-04)."""
    if tournament.limit not in ("fixed_limit", "spread_limit"):
        return None
    first = stakes_of(tournament.levels().levels[0], tournament.limit)
    return first.lower_bet, first.upper_bet


def _clock(tournament: Tournament, now_ms: int) -> dict[str, Any]:
    """Return the overview values that depend on the clock."""
    idle: dict[str, Any] = dict.fromkeys(
        (
            *("level", "stakes", "next_stakes", "level_ends_at_ms", "level_ends_in_hands"),
            *("break_at_ms", "break_until_ms", "play_ends_at_ms"),
        )
    )
    if tournament.state not in lifecycle.PLAYED:
        return {**idle, "clock_runs": False}
    now = progress.position(tournament, now_ms)
    ends_at_ms = None if now.ends_in_ms is None else now_ms + now.ends_in_ms
    (number, level), limit = progress.level(tournament), tournament.limit
    play_ends_in_ms = progress.play_ends_in_ms(tournament, now_ms)
    return {
        "level": number,
        "stakes": stakes_of(level, limit),
        "next_stakes": None if now.next_level is None else stakes_of(now.next_level, limit),
        "level_ends_at_ms": None if now.is_break else ends_at_ms,
        "level_ends_in_hands": now.ends_in_hands,
        "break_at_ms": None if now.break_in_ms is None else now_ms + now.break_in_ms,
        "break_until_ms": ends_at_ms if now.is_break else None,
        "play_ends_at_ms": None if play_ends_in_ms is None else now_ms + play_ends_in_ms,
        "clock_runs": not tournament.stops,
    }


def _next_prize(tournament: Tournament) -> int:
    """Return the prize of the next entry to go out, in cents."""
    at = tournament.left - 1
    return tournament.prizes[at] if 0 <= at < len(tournament.prizes) else 0


def _collected(rows: Iterable[Tournament]) -> dict[int, int]:
    """Return the buy-ins of tournaments without a fixed pool, in one query."""
    open_pools = [row.pk for row in rows if row.pool is None]
    paid = Entry.objects.filter(tournament__in=open_pools, state__in=prizes.COUNTED)
    sums = paid.values_list("tournament").annotate(total=Sum("paid_buy_in"))
    return dict(sums)
