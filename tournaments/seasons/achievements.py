"""Achievements: a handful, earned in the transactions that end a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection

from accounts.models import User
from tournaments.models import Tournament
from tournaments.seasons.models import Achievement

BIG_FIELD = 50
"""Least entries of a tournament whose winner earns BIG_WIN."""

REGULAR_AFTER = 25
"""Finished tournaments after which a player earns REGULAR, the one that ends now included."""

REAL_FIELD = 3
"""Least entries of a tournament whose winner earns FIRST_WIN."""


def award_achievements(tournament: Tournament, after: int = 0, last: int | None = None) -> None:
    """Give the players of a tournament that ends what they earn first here; one statement.

    Only players of entries with keys above `after`, up to `last` if it is given, for all of their
    entries. Places and prizes are written already. A repeated call gives nothing more.
    """
    paid = sum(1 for prize in tournament.prizes if prize)
    with connection.cursor() as cursor:
        cursor.execute(
            _AWARD,
            {
                "tournament": tournament.pk,
                "after": after,
                "last": last,
                "entrants": tournament.entrants,
                "real": REAL_FIELD,
                "big": BIG_FIELD,
                "bubble": paid + 1 if paid else 0,
                "regular": REGULAR_AFTER,
                **{f"{kind.name.lower()}_kind": kind.value for kind in Achievement.Kind},
            },
        )


def earned(user: User) -> list[Achievement]:
    """Return a user's achievements, newest first, with their tournaments."""
    return list(user.achievements.select_related("tournament").order_by("-earned_at", "-pk"))


def exported_achievements(user: User) -> Iterable[Mapping[str, Any]]:
    """Return a user's achievements for the export of the account."""
    return user.achievements.order_by("pk").values("kind", "tournament", "earned_at")


# Rows are inserted in the order of users: two tournaments that end at once wait for each other
# in one order. Whatever the planner knows of a field that has just played, entries are found by
# their player: `+ 0` and the inner SELECT keep it from the index of the tournament, which it read
# whole for each player (31 s for 30,000). Who is regular already is not counted.
_AWARD = """
WITH players AS MATERIALIZED (
  SELECT DISTINCT user_id FROM tournaments_entry
   WHERE tournament_id = %(tournament)s AND id > %(after)s AND id <= coalesce(%(last)s::bigint, id)
), own AS MATERIALIZED (
  SELECT e.user_id, min(e.place) AS place, max(e.prize) AS prize
    FROM players JOIN tournaments_entry e USING (user_id)
   WHERE e.tournament_id + 0 = %(tournament)s AND e.place IS NOT NULL AND e.state <> 'disqualified'
   GROUP BY e.user_id
), earned AS (
  SELECT user_id, %(first_prize_kind)s AS kind FROM own WHERE prize > 0
  UNION ALL
  SELECT user_id, %(first_win_kind)s FROM own WHERE place = 1 AND %(entrants)s >= %(real)s
  UNION ALL
  SELECT user_id, %(big_win_kind)s FROM own WHERE place = 1 AND %(entrants)s >= %(big)s
  UNION ALL
  SELECT user_id, %(bubble_kind)s FROM own WHERE place = %(bubble)s AND prize = 0
  UNION ALL
  SELECT own.user_id, %(regular_kind)s FROM own
   WHERE CASE
     WHEN EXISTS (SELECT 1 FROM seasons_achievement a
                   WHERE a.user_id = own.user_id AND a.kind = %(regular_kind)s) THEN false
     ELSE (SELECT count(DISTINCT e.tournament_id)
             FROM tournaments_entry e
            WHERE e.user_id = own.user_id AND e.place IS NOT NULL
              AND (e.tournament_id = %(tournament)s
                   OR (SELECT t.state FROM tournaments_tournament t WHERE t.id = e.tournament_id)
                      = 'finished')) >= %(regular)s
   END
)
INSERT INTO seasons_achievement (user_id, kind, tournament_id, earned_at)
SELECT user_id, kind, %(tournament)s, statement_timestamp()
  FROM earned
 ORDER BY user_id, kind
    ON CONFLICT (user_id, kind) DO NOTHING
"""
