"""Players of a tournament in their order, ranked by the database and read page by page."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import connection

from accounts.models import User
from accounts.names import fold
from tournaments.models import Entry, Tournament
from tournaments.queries.field import STACKS


class PlayerRow(msgspec.Struct, frozen=True):
    """An entry: with chips and table while it plays, with place and winnings once it is out."""

    entry: int
    user: int
    name: str
    state: str
    chips: int
    rank: int | None
    table: int | None
    table_number: int | None
    seat: int | None
    place: int | None
    prize: int
    bounties: int

    @property
    def state_words(self) -> str:
        """Return the state of an entry that has no place and is not in play, in words; else ""."""
        if self.rank or self.place or self.state == Entry.State.SEATED:
            return ""
        return str(Entry.State(self.state).label)


def count(tournament: Tournament) -> int:
    """Return the number of rows of all players."""
    return tournament.entries.exclude(state__in=Entry.TAKEN_BACK).count()


def players(tournament: Tournament, *, first: int = 0, most: int | None = None) -> list[PlayerRow]:
    """Return live entries by chips, eliminated ones by place, then others: `most` from `first`."""
    return _read(tournament, first=first, most=most)


def named(tournament: Tournament, beginning: str, most: int) -> list[PlayerRow]:
    """Return the first entries of players whose names begin so, ranked in the whole field."""
    key = fold(beginning)
    if not key or not key.isprintable():
        return []
    return _read(tournament, key=key, most=most)


def own(tournament: Tournament, user: User) -> list[PlayerRow]:
    """Return the entries of one player, ranked in the whole field, in the page's order."""
    return _read(tournament, user=user.pk)


class OwnStack(msgspec.Struct, frozen=True):
    """Entry of a player: chips and table while it plays, its place once it is out."""

    entry: int
    place: int | None
    chips: int
    table: int | None


def own_stacks(tournament: Tournament, user: User) -> list[OwnStack]:
    """Return the entries of one player with their stacks, without counting the field."""
    gone = list(Entry.TAKEN_BACK)
    asked: dict[str, Any] = {"tournament": tournament.pk, "gone": gone, "user": user.pk}
    with connection.cursor() as cursor:
        cursor.execute(_OWN_STACKS, asked)
        return [OwnStack(*row) for row in cursor.fetchall()]


def _read(
    tournament: Tournament,
    *,
    user: int | None = None,
    key: str | None = None,
    first: int = 0,
    most: int | None = None,
) -> list[PlayerRow]:
    asked: dict[str, Any] = {
        "tournament": tournament.pk,
        "gone": list(Entry.TAKEN_BACK),
        "user": user,
        "key": key,
        "first": first,
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(STACKS + _PLAYERS, asked)
        return [PlayerRow(*row) for row in cursor.fetchall()]


_OWN_STACKS = """
SELECT e.id, e.place, coalesce(s.chips, m.chips, 0), coalesce(t.id, m.to_table_id)
  FROM tournaments_entry e
  LEFT JOIN (tables_seat s JOIN tables_table t
               ON t.id = s.table_id AND t.director = 'tournament' AND t.game = %(tournament)s)
    ON s.entry = e.id
  LEFT JOIN tournaments_move m ON m.entry_id = e.id AND m.state = 'left'
 WHERE e.tournament_id = %(tournament)s AND e.user_id = %(user)s AND e.state <> ALL(%(gone)s)
"""

_PLAYERS = """
, ranked AS (SELECT *, rank() OVER (ORDER BY chips DESC) AS rank FROM stacks)
SELECT e.id, e.user_id, e.name, e.state, coalesce(r.chips, 0), r.rank,
       r.table_id, t.number, r.seat, e.place, e.prize, e.bounties_won
  FROM tournaments_entry e
  LEFT JOIN ranked r ON r.entry = e.id
  LEFT JOIN tables_table t ON t.id = r.table_id
 WHERE e.tournament_id = %(tournament)s AND e.state <> ALL(%(gone)s)
   AND (%(user)s::bigint IS NULL OR e.user_id = %(user)s)
   AND (%(key)s::text IS NULL
        OR e.user_id IN (SELECT id FROM accounts_user WHERE starts_with(name_key, %(key)s)))
 ORDER BY r.rank,
          CASE WHEN r.rank IS NULL THEN e.place END,
          CASE WHEN r.rank IS NULL AND e.place IS NULL THEN lower(e.name) ELSE e.name END
          COLLATE "C",
          e.id
OFFSET %(first)s LIMIT %(most)s::bigint
"""
