"""Table of a season, computed from the results of its tournaments and shared for a moment.

The table is stored nowhere: a result that is ruled otherwise, another formula or another day
changes it at once, no crash loses or doubles a point, and the end of a tournament costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

import msgspec
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from config import limits
from config.shared_value import SharedValues
from tables.models import Hand
from tables.records import hand_months
from tournaments import locks
from tournaments.engine import lifecycle
from tournaments.models import Entry, KnockOut, Tournament
from tournaments.models.tournament import State
from tournaments.seasons.access import countable
from tournaments.seasons.engine.ranking import (
    SeasonPlace,
    SeasonRow,
    SeasonTournament,
    season_table,
)
from tournaments.seasons.models import Season
from tournaments.seasons.refusals import SeasonTooLarge

SHOWN_WITHIN = timedelta(minutes=10)
"""Longest time from the settlement of a hand until its result is told, with room to spare."""

_COUNTED = (*lifecycle.PLAYED, State.FINISHED)


class SeasonTable(msgspec.Struct, frozen=True):
    """A table as it is at `made_at`: rows, names by user, and the names of its tournaments.

    `live` are the tournaments that are not over; their certain places count already.
    """

    rows: list[SeasonRow]
    names: dict[int, str]
    tournaments: dict[int, str]
    live: frozenset[int]
    made_at: datetime


_shared = SharedValues[tuple[int, datetime], SeasonTable](
    seconds=limits.SEASON_TABLE_S, kept=limits.SEASON_TABLES_KEPT
)


def table_of(season: Season) -> SeasonTable:
    """Return a season's table, at most SEASON_TABLE_S old; raises SeasonTooLarge."""
    return _shared.get((season.pk, season.changed_at), lambda: read_table(season))


def forget_tables() -> None:
    """Compute every table anew at its next reading."""
    _shared.forget()


def read_table(season: Season) -> SeasonTable:
    """Compute a season's table from the rows of its tournaments; raises SeasonTooLarge."""
    made_at = timezone.now()
    tournaments = list(counted_tournaments(season))
    if sum(tournament.entrants for tournament in tournaments) > limits.SEASON_ENTRIES_MAX:
        raise SeasonTooLarge(limits.SEASON_ENTRIES_MAX)
    untold = _untold(tournaments, made_at)
    entries = _entries(tournaments)
    live = frozenset(
        row.pk for row in tournaments if row.state != State.FINISHED or row.pk in untold
    )
    rows = season_table(
        (
            _places(row, entries[row.pk], untold.get(row.pk, frozenset()), row.pk in live)
            for row in tournaments
        ),
        formula=season.formula,
        best_of=season.best_of,
        ties=season.ties,
    )
    users = User.objects.filter(pk__in=[row.user for row in rows])
    return SeasonTable(
        rows=rows,
        names=dict(users.values_list("pk", "name")),
        tournaments={row.pk: row.name for row in tournaments},
        live=live,
        made_at=made_at,
    )


def counted_tournaments(season: Season) -> QuerySet[Tournament]:
    """Return the started tournaments that count for a season, in the order of their start."""
    first, after = season.span_ms()
    rows = countable(season).filter(state__in=_COUNTED, started_ms__gte=first, started_ms__lt=after)
    if season.series:
        rows = rows.filter(name=season.series)
    columns = ("pk", "name", "state", "entrants", "buy_in", "pool", "finished_at")
    return rows.only(*columns).order_by("started_ms", "pk")


_Row = tuple[int, int, int | None, str]


def _entries(tournaments: Collection[Tournament]) -> Mapping[int, list[_Row]]:
    """Tournament -> (entry, user, place, state) of the entries that have or may get a place."""
    found: dict[int, list[_Row]] = defaultdict(list)
    states = (*Entry.IN_PLAY, Entry.State.OUT, Entry.State.DISQUALIFIED, Entry.State.WON)
    rows = Entry.objects.filter(tournament__in=[row.pk for row in tournaments], state__in=states)
    columns = ("tournament_id", "pk", "user_id", "place", "state")
    for tournament, *row in rows.order_by("pk").values_list(*columns):
        found[tournament].append((row[0], row[1], row[2], row[3]))
    return found


def _untold(tournaments: Collection[Tournament], now: datetime) -> dict[int, frozenset[int]]:
    """Tournament -> entries that went out in hands whose result is not to be told yet.

    A tournament with such a hand is named also when nobody went out in it.
    """
    recent = [
        row.pk
        for row in tournaments
        if row.finished_at is None or row.finished_at > now - SHOWN_WITHIN
    ]
    # A table deals no hand before the last one was told: only that one may be untold.
    hands = Hand.objects.filter(
        hand_months.between(now, None),
        table__director=locks.DIRECTOR,
        table__game__in=recent,
        number=F("table__hand"),
        released_at__gt=now,
    )
    found: dict[int, frozenset[int]] = {}
    for game, table, number in hands.values_list("table__game", "table_id", "number"):
        outs = KnockOut.objects.filter(table=table, hand=number)
        gone = frozenset(outs.values_list("entry_id", flat=True))
        found[game] = found.get(game, frozenset()) | gone
    return found


def _places(
    tournament: Tournament, entries: list[_Row], untold: frozenset[int], is_live: bool
) -> SeasonTournament:
    """Return the places of a tournament as they may be told: certain ones, or those at least.

    An entry in play would get the last place of the field that is left, once places are given.
    """
    playing = [
        row
        for row in entries
        if is_live and (row[3] in (*Entry.IN_PLAY, Entry.State.WON) or row[0] in untold)
    ]
    ahead = {row[0] for row in playing}
    places = [
        SeasonPlace(user, place, reward=state != Entry.State.DISQUALIFIED)
        for entry, user, place, state in entries
        if place is not None and entry not in ahead
    ]
    if tournament.pool is not None:
        places += [SeasonPlace(row[1], len(playing), certain=False) for row in playing]
    return SeasonTournament(tournament.pk, tournament.entrants, tournament.buy_in, tuple(places))
