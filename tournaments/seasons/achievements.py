"""Achievements: a handful, earned in the transaction that ends a tournament."""

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


def award_achievements(tournament: Tournament) -> None:
    """Give the players of a tournament that ends what they earn first here; one statement.

    Its places and prizes are written already. A repeated call gives nothing more.
    """
    paid = sum(1 for prize in tournament.prizes if prize)
    with connection.cursor() as cursor:
        cursor.execute(
            _AWARD,
            {
                "tournament": tournament.pk,
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
# in one order.
_AWARD = """
WITH own AS (
  SELECT user_id, min(place) AS place, max(prize) AS prize
    FROM tournaments_entry
   WHERE tournament_id = %(tournament)s AND place IS NOT NULL AND state <> 'disqualified'
   GROUP BY user_id
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
   WHERE NOT EXISTS (SELECT 1 FROM seasons_achievement a
                      WHERE a.user_id = own.user_id AND a.kind = %(regular_kind)s)
     AND (SELECT count(DISTINCT e.tournament_id)
            FROM tournaments_entry e
            JOIN tournaments_tournament t ON t.id = e.tournament_id
           WHERE e.user_id = own.user_id AND e.place IS NOT NULL
             AND (t.state = 'finished' OR t.id = %(tournament)s)) >= %(regular)s
)
INSERT INTO seasons_achievement (user_id, kind, tournament_id, earned_at)
SELECT user_id, kind, %(tournament)s, statement_timestamp()
  FROM earned
 ORDER BY user_id, kind
    ON CONFLICT (user_id, kind) DO NOTHING
"""
