"""Merge several entries of one player into one between two hands: chips, heads, places (E-03)."""

from __future__ import annotations

from collections import defaultdict

from django.utils import timezone

from tables.models import Seat, Table
from tournaments.buying import offers
from tournaments.engine import merging as rules
from tournaments.engine.bounties import merged_head
from tournaments.events.buying import EntriesMerged
from tournaments.events.prizes import HeadChanged
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, KnockOut, Move, Offer, Tournament
from tournaments.prizes import bounties
from tournaments.seating import balancer


def due(tournament: Tournament, table: Table) -> list[tuple[int, int]]:
    """Entries of this table to merge now, each with the entry that takes it over (E-03).

    Each entry merges at the boundary of its own table.
    """
    if not tournament.several_at_once or not _is_time(tournament):
        return []
    own = _several(tournament)
    if not own:
        return []
    here = set(Seat.objects.filter(table=table, chips__gt=0).values_list("entry", flat=True))
    stacks = _stacks(tournament)
    live = (
        rules.LiveEntry(entry, user, stacks.get(entry, 0))
        for user, entries in own.items()
        for entry in entries
    )
    return [(merge.entry, merge.into) for merge in rules.merges(live) if merge.entry in here]


def waiting(tournament: Tournament) -> int:
    """Return how many players have several entries, plus merged chips not yet at their seat."""
    if not tournament.several_at_once:
        return 0
    on_the_way = tournament.offers.filter(kind=Offer.Kind.MERGE, state=Offer.State.ACCEPTED)
    return len(_several(tournament)) + on_the_way.count()


def absorb(tx: TournamentTransaction, seat: Seat, into: int) -> None:
    """Merge an entry at a standing table into another entry of its player (E-08, N-05).

    The merged entry takes the lowest live place, gives no bounty and buys nothing more. Its chips
    stay in an accepted offer until the boundary of the other entry's table. The tournament and the
    seat's table are locked.
    """
    tournament = tx.tournament
    entry = Entry.objects.get(pk=seat.entry)
    other = Entry.objects.get(pk=into)
    assert entry.user_id == other.user_id and other.state == Entry.State.SEATED, (
        "both entries belong to one player and the other one has chips"
    )
    _record(tournament, entry, seat)
    other.head = merged_head([other.head, entry.head])
    other.save(update_fields=["head"])
    entry.state, entry.merged_into, entry.head = Entry.State.MERGED, other, 0
    entry.out_at = timezone.now()
    entry.save(update_fields=["state", "merged_into", "head", "out_at"])
    chips = seat.chips + end_offers(tx, entry)
    _send(tx, other, chips)
    seat.delete()
    merged = EntriesMerged(entry.pk, other.pk, entry.user_id, entry.name, chips, tournament.left)
    tx.announce(merged)
    if bounties.offered(tournament):
        head = bounties.worth(tournament, other)
        tx.announce(HeadChanged(other.pk, head))


def end_offers(tx: TournamentTransaction, entry: Entry) -> int:
    """Close the pending offers of an entry that leaves play; return the merged chips among them.

    Merged chips were paid for long ago and go where those of the entry go; chips only asked for
    are not sold (E-03, T-15).
    """
    pending = Offer.objects.filter(entry=entry, state__in=Offer.PENDING).order_by("pk")
    chips = 0
    for offer in pending.select_related("entry__user"):
        chips += offer.chips if offer.kind == Offer.Kind.MERGE else 0
        offers.lapse_offer(tx, offer)
    return chips


def _several(tournament: Tournament) -> dict[int, list[int]]:
    """Entries with chips of every player that has several, by user."""
    rows = tournament.entries.filter(state=Entry.State.SEATED).order_by("pk")
    own: dict[int, list[int]] = defaultdict(list)
    for entry, user in rows.values_list("pk", "user"):
        own[user].append(entry)
    return {user: entries for user, entries in own.items() if len(entries) > 1}


def _is_time(tournament: Tournament) -> bool:
    """Return whether merging is due; players are counted only when few enough entries are left."""
    fits_one_table = not tournament.entries_open and balancer.needed(tournament) == 1
    if not fits_one_table and tournament.left > tournament.merge_at * tournament.entries_max:
        return False
    in_play = tournament.entries.filter(state__in=Entry.IN_PLAY)
    return rules.merging_is_due(
        players=in_play.values("user").distinct().count(),
        at_players=tournament.merge_at,
        fits_one_table=fits_one_table,
    )


def _stacks(tournament: Tournament) -> dict[int, int]:
    seats = Seat.objects.filter(table__director="tournament", table__game=tournament.pk)
    moving = tournament.moves.filter(state=Move.State.LEFT)
    return dict([*seats.values_list("entry", "chips"), *moving.values_list("entry", "chips")])


def _record(tournament: Tournament, entry: Entry, seat: Seat) -> None:
    """Record a knock-out at this point of the tournament without a winner (E-08)."""
    tournament.left -= 1
    tournament.knocked_out += 1
    KnockOut.objects.create(
        tournament=tournament,
        entry=entry,
        order=tournament.knocked_out,
        round=0,
        table=seat.table,
        hand=seat.table.hand,
        stack=seat.chips,
        button_distance=1,
        winners=[],
    )


def _send(tx: TournamentTransaction, other: Entry, chips: int) -> None:
    """Add chips to the accepted merge offer of an entry, one row for all its merged entries."""
    offer, is_new = Offer.objects.get_or_create(
        tournament=tx.tournament,
        entry=other,
        kind=Offer.Kind.MERGE,
        state=Offer.State.ACCEPTED,
        defaults={"price": 0, "chips": chips, "until_ms": 0},
    )
    if not is_new:
        offer.chips += chips
        offer.save(update_fields=["chips"])
    seat = Seat.objects.filter(entry=other.pk).first()
    if seat is not None:
        tx.wake_tables([seat.table_id])
