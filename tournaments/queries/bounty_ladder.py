"""The bounty ladder of a tournament's page: largest heads, largest winnings (N-01..N-04)."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import connection

from tournaments.models import Entry, Tournament

_SHOWN = (*Entry.LIVE, *Entry.PLAYED)


class BountyRow(msgspec.Struct, frozen=True):
    """An entry's bounties in cents: total on its `head`, of it `by_room`, and `won` so far."""

    rank: int
    entry: int
    user: int
    name: str
    live: bool
    head: int
    by_room: int
    knock_outs: int
    won: int


def count(tournament: Tournament) -> int:
    """Return the number of rows of the whole ladder."""
    return tournament.entries.filter(state__in=_SHOWN).count()


def ladder(tournament: Tournament, *, first: int = 0, most: int | None = None) -> list[BountyRow]:
    """Return live entries by head, then eliminated ones by winnings: `most` rows from `first`.

    Equal entries share a rank; a shared knock-out counts for each of its hunters.
    """
    asked: dict[str, Any] = {
        "tournament": tournament.pk,
        "pro": tournament.pro_bounty,
        "live": list(Entry.LIVE),
        "shown": list(_SHOWN),
        "first": first,
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LADDER, asked)
        return [BountyRow(*row) for row in cursor.fetchall()]


_LADDER = """
WITH worth AS (
    SELECT e.id, e.user_id, e.name, e.head, e.bounties_won AS won, e.state = ANY(%(live)s) AS live,
           coalesce(b.amount, 0) + CASE WHEN u.is_pro THEN %(pro)s ELSE 0 END AS by_room
      FROM tournaments_entry e
      JOIN accounts_user u ON u.id = e.user_id
      LEFT JOIN tournaments_roombounty b
        ON b.tournament_id = e.tournament_id AND b.user_id = e.user_id AND NOT b.paid
     WHERE e.tournament_id = %(tournament)s AND e.state = ANY(%(shown)s)
), heads AS (
    SELECT id, user_id, name, live, won,
           CASE WHEN live THEN head + by_room ELSE 0 END AS head,
           CASE WHEN live THEN by_room ELSE 0 END AS by_room
      FROM worth
), hits AS (
    SELECT (share ->> 0)::bigint AS entry, count(*) AS hits
      FROM tournaments_knockout k, jsonb_array_elements(k.bounties) AS share
     WHERE k.tournament_id = %(tournament)s
     GROUP BY 1
)
SELECT rank() OVER (ORDER BY h.live DESC, h.head DESC, h.won DESC) AS rank,
       h.id, h.user_id, h.name, h.live, h.head, h.by_room, coalesce(hits.hits, 0), h.won
  FROM heads h LEFT JOIN hits ON hits.entry = h.id
 ORDER BY rank, lower(h.name) COLLATE "C", h.id
OFFSET %(first)s LIMIT %(most)s::bigint
"""
