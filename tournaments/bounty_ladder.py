"""The ladder of bounties on a tournament's page: who is worth most, who won most (N-01..N-04)."""

from __future__ import annotations

from collections import Counter

import msgspec

from tournaments import bounties
from tournaments.models import Entry, KnockOut, Tournament


class BountyRow(msgspec.Struct, frozen=True):
    """An entry in cents: on its `head` all together, of that `by_room`; what it `won` so far."""

    rank: int
    entry: int
    user: int
    name: str
    live: bool
    head: int
    by_room: int
    knock_outs: int
    won: int


def ladder(tournament: Tournament) -> list[BountyRow]:
    """Those in by what is on their heads, then those out by what they won; equals share a rank."""
    entries = tournament.entries.filter(state__in=(*Entry.LIVE, *Entry.PLAYED))
    worth = bounties.heads(tournament)
    hits = _knock_outs(tournament)
    found = []
    for entry in entries:
        live = entry.state in Entry.LIVE
        head = worth.get(entry.pk, tournament.bounty) if live else 0
        found.append((live, head, entry))
    found.sort(key=lambda one: (-one[0], -one[1], -one[2].bounties_won, one[2].name.casefold()))
    rows: list[BountyRow] = []
    rank, last = 0, None
    for at, (live, head, entry) in enumerate(found, start=1):
        if (live, head, entry.bounties_won) != last:
            rank, last = at, (live, head, entry.bounties_won)
        rows.append(
            BountyRow(
                rank=rank,
                entry=entry.pk,
                user=entry.user_id,
                name=entry.name,
                live=live,
                head=head,
                by_room=head - entry.head if live else 0,
                knock_outs=hits[entry.pk],
                won=entry.bounties_won,
            )
        )
    return rows


def _knock_outs(tournament: Tournament) -> Counter[int]:
    """How many each entry knocked out, shared ones included."""
    hits: Counter[int] = Counter()
    rows = KnockOut.objects.filter(tournament=tournament).exclude(bounties=[])
    for shares in rows.values_list("bounties", flat=True):
        hits.update(entry for entry, _cash, _added in shares)
    return hits
