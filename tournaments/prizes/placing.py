"""Places and prizes of entries that are out, given and paid exactly once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import connection
from django.db.models import QuerySet

from tournaments.engine import formats, payouts, places
from tournaments.events.client_events import PlayerPlaced
from tournaments.events.notices import PrizeWon
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, KnockOut, Tournament
from tournaments.prizes import money, satellites


def place(tx: TournamentTransaction, now: Collection[int] = ()) -> list[Entry]:
    """Give every knock-out without a place its place and prize; return the entries to be paid.

    Only called when nothing is undecided: entries are closed and the round is complete (T-07,
    E-07). Entries that go out `now` are told their places by the event of that.
    """
    outs = list(_unplaced(tx.tournament).select_related("entry"))
    return _place(tx, outs, tx.tournament.left + len(outs), now)


def place_first(tx: TournamentTransaction, most: int, paid: int) -> list[Entry]:
    """Give those that went out first of the entries without a place theirs, as `place` does.

    These are `most`, or `paid` of them where they win something, and the others of their hands.
    """
    tournament, waiting = tx.tournament, _unplaced(tx.tournament)
    total = tournament.left + waiting.count()
    wins = sum(1 for prize in tournament.prizes if prize)
    size = max(paid, min(most, total - wins))
    orders = waiting.order_by("order").values_list("order", flat=True)
    last = orders[size - 1 : size].first()
    outs = waiting if last is None else waiting.filter(order__lte=last)
    return _place(tx, list(outs.select_related("entry")), total)


def place_out(tx: TournamentTransaction, entries: Iterable[Entry]) -> list[Entry]:
    """Give entries that go out now their places, while others wait for theirs, below.

    Their knock-outs count as without a place until `place_first` comes to them and finds the same:
    as those are always the last ones, `place` is right at any time, in an earlier release as well.
    """
    tournament, waiting = tx.tournament, _unplaced(tx.tournament)
    now = [entry.pk for entry in entries]
    own = KnockOut.objects.filter(entry__in=now)
    placed: list[Entry] = []
    for order in sorted(set(own.values_list("order", flat=True))):
        total = tournament.left + waiting.filter(order__gte=order).count()
        outs = list(waiting.filter(order=order).select_related("entry"))
        placed += _give(tx, outs, total, now)
    return placed


def are_waiting(tournament: Tournament, more_than: int = 0) -> bool:
    """Return whether knock-outs, more than so many, have no place yet."""
    return _unplaced(tournament)[more_than : more_than + 1].exists()


def _unplaced(tournament: Tournament) -> QuerySet[KnockOut]:
    """Knock-outs without a place; an entry that waits for chips is not out (E-03, E-04)."""
    rows = KnockOut.objects.filter(tournament=tournament, placed=False)
    return rows.exclude(entry__state=Entry.State.PENDING)


def _place(
    tx: TournamentTransaction, outs: Sequence[KnockOut], total: int, now: Collection[int] = ()
) -> list[Entry]:
    """Give these knock-outs the last of `total` places for good."""
    KnockOut.objects.filter(pk__in=[out.pk for out in outs]).update(placed=True)
    return _give(tx, outs, total, now)


def _give(
    tx: TournamentTransaction, outs: Sequence[KnockOut], total: int, now: Collection[int]
) -> list[Entry]:
    """Store the places and prizes of these knock-outs; return their entries.

    Those that went out before `now` are announced after a round of hand-for-hand, and where they
    win something; a large field that waited for the end of sales would fill the stream.
    """
    if not outs:
        return []
    tournament = tx.tournament
    ranked = places.places(
        [_as_engine(out) for out in outs],
        total,
        # Columns with choices are typed as str.
        round_ties=tournament.tie_rule,  # type: ignore[arg-type]
    )
    prizes = payouts.shared(tournament.prizes, ranked)
    entries = {out.entry_id: out.entry for out in outs}
    if tournament.cash_value:  # the worth of each stack that left, no prize for a place
        prizes |= {pk: entry.dead_chips for pk, entry in entries.items()}
    told = {*now, *(pk for pk, entry in entries.items() if entry.place is not None)}
    for placed in ranked:
        entries[placed.entry].place = placed.place
        entries[placed.entry].prize = prizes[placed.entry]
    _write([(entry.pk, entry.place, entry.prize) for entry in entries.values()])
    for out in outs:
        entry = entries[out.entry_id]
        if out.entry_id not in told and (out.round or entry.prize):
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


def pay(tx: TournamentTransaction, placed: Iterable[Entry], *, in_tickets: bool = True) -> None:
    """Pay placed entries the prizes they have not been paid yet, and tell their players (Z-04)."""
    tournament = tx.tournament
    paid = money.unpaid(tournament, placed, tx.ordered())
    as_ticket: dict[int, int] = {}
    if in_tickets and satellites.is_one(tournament):
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
        removed=out.entry.state == Entry.State.DISQUALIFIED,
    )
