"""Places and prizes of entries that are out, given and paid exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import connection

from tournaments.engine import formats, payouts, places
from tournaments.events.client_events import PlayerPlaced
from tournaments.events.notices import PrizeWon
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, KnockOut, Tournament
from tournaments.prizes import money, satellites


def place(tx: TournamentTransaction) -> list[Entry]:
    """Give every knock-out without a place its place and prize; return the entries to be paid.

    Only called when nothing is undecided: entries are closed and the round is complete (T-07,
    E-07).
    """
    tournament = tx.tournament
    # An entry that waits for chips, of a merged entry for example, is not out (E-03, E-04).
    unplaced = KnockOut.objects.filter(tournament=tournament, placed=False)
    outs = list(unplaced.exclude(entry__state=Entry.State.PENDING).select_related("entry"))
    if not outs:
        return []
    ranked = places.places(
        [_as_engine(out) for out in outs],
        tournament.left + len(outs),
        # Columns with choices are typed as str.
        round_ties=tournament.tie_rule,  # type: ignore[arg-type]
    )
    prizes = payouts.shared(tournament.prizes, ranked)
    entries = {out.entry_id: out.entry for out in outs}
    if tournament.cash_value:  # the worth of each stack that left, no prize for a place
        prizes |= {pk: entry.dead_chips for pk, entry in entries.items()}
    for placed in ranked:
        entries[placed.entry].place = placed.place
        entries[placed.entry].prize = prizes[placed.entry]
    _write([(entry.pk, entry.place, entry.prize) for entry in entries.values()])
    KnockOut.objects.filter(pk__in=[out.pk for out in outs]).update(placed=True)
    for out in outs:
        if out.round:
            entry = entries[out.entry_id]
            assert entry.place is not None, "every entry that is out was ranked"
            event = PlayerPlaced(entry.pk, entry.user_id, entry.name, entry.place, entry.prize)
            tx.announce(event)
    return list(entries.values())


def _write(rows: Sequence[tuple[int, int | None, int]], state: str | None = None) -> None:
    """Store place and prize of each row (entry, place, prize), and the state if one is given."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tournaments_entry e"
            " SET place = v.place, prize = v.prize, state = coalesce(%s, e.state)"
            " FROM unnest(%s::bigint[], %s::int[], %s::bigint[]) AS v(id, place, prize)"
            " WHERE e.id = v.id",
            [state, *(list(column) for column in zip(*rows, strict=True))],
        )
        assert cursor.rowcount == len(rows), "the update wrote every place"


def place_left(tournament: Tournament, stacks: Mapping[int, int]) -> Entry:
    """Give the live entries {entry: chips} the first places by chips and their prizes.

    Equal stacks share, with the odd unit to the first in the mapping. Returns the winner.
    """
    assert tournament.left == len(stacks), "every live entry has a stack"
    ranked = formats.places_by_chips(stacks)
    prizes = payouts.shared(tournament.prizes, ranked)
    rows = [(placed.entry, placed.place, prizes[placed.entry]) for placed in ranked]
    # In one statement and without an object for each entry: a whole field may be left.
    _write(rows, Entry.State.WON)
    return tournament.entries.get(pk=ranked[0].entry)


def pay(tx: TournamentTransaction, placed: Iterable[Entry]) -> None:
    """Pay the prizes of newly placed entries, and tell their players (Z-04)."""
    tournament = tx.tournament
    paid = [entry for entry in placed if entry.prize]
    as_ticket: dict[int, int] = {}
    if satellites.is_one(tournament):
        as_ticket = satellites.pay(tx, paid)
    else:
        tx.pay(money.prizes(tournament, paid))
    for entry in paid:
        assert entry.place is not None
        ticket = as_ticket.get(entry.pk, 0)
        notice = PrizeWon(tournament.pk, tournament.name, entry.place, entry.prize, ticket)
        tx.notify(entry.user_id, notice)


def _as_engine(out: KnockOut) -> places.BustedEntry:
    return places.BustedEntry(
        entry=out.entry_id,
        order=out.order,
        round=out.round,
        table=out.table_id,
        stack=out.stack,
        left_of_button=out.button_distance,
    )
