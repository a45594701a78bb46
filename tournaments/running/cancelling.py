"""Cancel a tournament with full refunds, in batches (T-12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Count, F, Sum
from django.utils.translation import gettext as _

from accounts.ledger import transfers
from accounts.ledger.transfers import InsufficientFunds
from tournaments import locks
from tournaments.buying import offers
from tournaments.events.client_events import Cancelled
from tournaments.events.notices import TournamentCancelled
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Tournament
from tournaments.prizes import bounties, money, pool, promises, tickets
from tournaments.refusals import ClubFeesTaken, FeesTaken, PrizesPaid
from tournaments.running import batches
from tournaments.running.ending import close_tables_of_field, end_waiting

REFUNDABLE = (Entry.State.REGISTERED, *Entry.PLAYED)


def roll_back(tx: TournamentTransaction, reason: str) -> None:
    """Cancel with full refunds, also of knocked-out entries; the room gets the overlay back (T-12).

    This transaction ends play, books what is the room's, and makes the first batch of `wind_up`;
    the ticks that follow make the rest. Raises PrizesPaid; RoomCannotPay or ClubCannotPay when
    accounts of the room cannot replace bounties already won, or fees.
    """
    tournament = tx.tournament
    if tournament.entries.filter(prize__gt=0).exists():
        raise PrizesPaid
    won = bounties.won_from_heads(tournament)
    require_fees(tournament, REFUNDABLE)
    bounties.roll_back(tx)
    overlay = pool.overlay_of(tournament)
    offers.withdraw(tx)
    end_waiting(tx)
    announce_end(tx, reason)
    # A pool that gave its surplus away has it back before the first refund.
    tx.pay(promises.overlay_back(tournament, overlay))
    # Tables are locked before tickets.
    wind_up(tx, reason)
    tickets.release(tx)
    try:
        tx.book()
    except InsufficientFunds as refusal:
        raise promises.cannot_pay(tournament, won, refusal.balance) from refusal


def wind_up(tx: TournamentTransaction, reason: str | None = None) -> None:
    """Close some tables of a cancelled tournament; when all are closed, refund some entries.

    `refunding` of the tournament says whether another batch is due. The state of each table and
    entry says whether it was in a batch: a batch is done once, whatever dies in between. `reason`
    is that of the cancellation, None to read it from its audit row.
    """
    tournament = tx.tournament
    tables = locks.some_open_tables(tournament.pk, batches.TABLES)
    close_tables_of_field(tx, tables, standing_too=True)
    tournament.refunding = True
    if len(tables) == batches.TABLES:
        return
    rows = tournament.entries.filter(state__in=REFUNDABLE).order_by("pk")
    entries = list(rows[: batches.ENTRIES])
    _refund(tx, entries, reason_of(tournament) if reason is None else reason)
    tournament.refunding = len(entries) == batches.ENTRIES


def _refund(tx: TournamentTransaction, entries: Sequence[Entry], reason: str) -> None:
    """Give the money or tickets of these entries back, and tell their players."""
    tournament = tx.tournament
    Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(
        state=Entry.State.REFUNDED, place=None
    )
    in_tickets = tickets.give_back(tournament, entries, as_paid=True)
    tx.pay(money.refunds(tournament, entries, in_tickets))
    as_tickets = {entry.pk: money.ticket_part(entry) for entry in entries if entry.pk in in_tickets}
    back = {entry.pk: entry.paid - as_tickets.get(entry.pk, 0) for entry in entries}
    tell_players(tx, entries, back, reason, as_tickets)


def require_fees(tournament: Tournament, states: Iterable[str]) -> None:
    """Refuse to give back fees of entries that the room has taken out of their account meanwhile.

    The fees of a club's tournament are the room's as well. Raises FeesTaken, or
    ClubFeesTaken.
    """
    paid = tournament.entries.filter(state__in=states)
    due = int(paid.aggregate(sum=Sum("paid_fee", default=0))["sum"])
    if due and (held := transfers.balance(money.fees())) < due:
        raise FeesTaken(due, held) if tournament.club_id is None else ClubFeesTaken(due)


def reason_of(tournament: Tournament) -> str:
    """Return the reason of a cancellation from its audit row."""
    row = tournament.audit.filter(action="cancel").order_by("-pk").first()
    return "" if row is None else row.reason


def refund_preview(tournament: Tournament) -> tuple[int, int]:
    """Return how many entries a full refund pays and their total in cents (T-12)."""
    paid = F("paid_buy_in") + F("paid_bounty") + F("paid_fee")
    back = tournament.entries.filter(state__in=REFUNDABLE)
    sums = back.aggregate(count=Count("pk"), total=Sum(paid, default=0))
    return sums["count"], sums["total"]


def announce_end(tx: TournamentTransaction, reason: str) -> None:
    """Announce the cancellation, after which no entry is left."""
    tx.tournament.left = 0
    tx.announce(Cancelled(reason or _("The room cancelled it.")))


def tell_players(
    tx: TournamentTransaction,
    entries: Iterable[Entry],
    back: dict[int, int],
    reason: str,
    as_tickets: Mapping[int, int] = {},
) -> None:
    """Tell the players of these entries what they got `back`, in cents, and as a ticket."""
    tournament = tx.tournament
    for entry in entries:
        ticket = as_tickets.get(entry.pk, 0)
        notice = TournamentCancelled(tournament.pk, tournament.name, back[entry.pk], reason, ticket)
        tx.notify(entry.user_id, notice)
