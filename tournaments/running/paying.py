"""Pay the field of a tournament that finished, in batches (T-07, Z-04).

Places and prizes are final when the tournament finishes. `Tournament.paying` is the key of the last
entry that has all it won, committed with each batch: a worker that dies between two leaves the rest
to a later tick. The ledger says which prizes were paid before the end.
"""

from __future__ import annotations

from django.db.models import Q

from accounts.ledger import transfers
from tournaments import locks
from tournaments.events.formats import TournamentOver
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry
from tournaments.prizes import bounties, money, placing
from tournaments.running import batches
from tournaments.running.ending import close_tables_of_field
from tournaments.seasons import achievements


def begin(tx: TournamentTransaction) -> None:
    """Make the first batch of a tournament that finishes; the ticks that follow make the rest."""
    tx.tournament.paying = 0
    _make_batch(tx)
    if tx.tournament.paying is not None:
        tx.wake(batches.NEXT_MS)


def pay_next(tx: TournamentTransaction) -> None:
    """Close some tables of the tournament; when all are closed, pay some entries what they won."""
    # Tables that stand are closed by the tick: the settle queue is left to other tournaments.
    _make_batch(tx, standing_too=True)


def _make_batch(tx: TournamentTransaction, *, standing_too: bool = False) -> None:
    tournament = tx.tournament
    tables = locks.some_open_tables(tournament.pk, batches.TABLES)
    close_tables_of_field(tx, tables, standing_too=standing_too)
    if len(tables) < batches.TABLES:
        _pay_some(tx)
    tx.book()
    if tournament.paying is None:
        assert transfers.balance(money.pool(tournament)) == 0, "the pool is empty at the end"
        if tournament.bounty:
            held = transfers.balance(money.bounties(tournament))
            assert held == 0, "the bounty account is empty at the end"


def _pay_some(tx: TournamentTransaction) -> None:
    """Pay the next entries their prizes and heads, tell them, and award what they earned."""
    tournament = tx.tournament
    assert tournament.paying is not None, "a batch is due"
    rows = tournament.entries.filter(pk__gt=tournament.paying).order_by("pk")
    # Most entries of a field won nothing: they are looked through faster than others are paid.
    last = rows.values_list("pk", flat=True)[batches.LOOKED_AT - 1 : batches.LOOKED_AT].first()
    won = Q(state=Entry.State.WON) | Q(prize__gt=0) | bounties.owed(tournament)
    due = rows.filter(won) if last is None else rows.filter(won, pk__lte=last)
    entries = list(due[: batches.ENTRIES])
    if len(entries) == batches.ENTRIES:
        last = entries[-1].pk
    bounties.pay_heads(tx, entries)
    entries.sort(key=lambda entry: (entry.place or 0, entry.pk))
    placing.pay(tx, entries)
    for entry in entries:
        if entry.state == Entry.State.WON and not entry.prize:
            assert entry.place is not None, "every entry that was left has a place"
            over = TournamentOver(tournament.pk, tournament.name, entry.place)
            tx.notify(entry.user_id, over)
    achievements.award_achievements(tournament, after=tournament.paying, last=last)
    tournament.paying = last
