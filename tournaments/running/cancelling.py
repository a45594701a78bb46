"""Cancel a tournament: refund everything, or pay what is unpaid to the entries in play (T-12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Sum
from django.utils.translation import gettext as _

from accounts.ledger import transfers
from accounts.ledger.transfers import InsufficientFunds
from tournaments import chips_in_play, locks
from tournaments.buying import closing, offers
from tournaments.engine import cancellation
from tournaments.engine.cancellation import RolledForward
from tournaments.events.client_events import Cancelled
from tournaments.events.notices import TournamentCancelled
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Tournament
from tournaments.prizes import bounties, money, placing, pool, promises, tickets
from tournaments.refusals import NotPlayed, PrizesPaid
from tournaments.running import batches
from tournaments.running.ending import close_field, close_tables_of_field, end_waiting

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
    _require_fees(tournament)
    bounties.roll_back(tx)
    overlay = pool.overlay_of(tournament)
    offers.withdraw(tx)
    end_waiting(tx)
    _announce_end(tx, reason)
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
    _refund(tx, entries, _reason(tournament) if reason is None else reason)
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
    _tell_players(tx, entries, back, reason, as_tickets)


def _require_fees(tournament: Tournament) -> None:
    """Refuse a refund of fees that the room has taken out of their account meanwhile."""
    paid = tournament.entries.filter(state__in=REFUNDABLE)
    due = int(paid.aggregate(sum=Sum("paid_fee", default=0))["sum"])
    if due and (held := transfers.balance(money.fees())) < due:
        raise promises.cannot_pay(tournament, due, held)


def _reason(tournament: Tournament) -> str:
    row = tournament.audit.filter(action="cancel").order_by("-pk").first()
    return "" if row is None else row.reason


def roll_forward(tx: TournamentTransaction, reason: str) -> None:
    """Pay what is unpaid to the entries in play, by their chips after the last hand (T-12).

    Unused tickets won for this tournament become money, as in `roll_back` (K-08). Raises NotPlayed.
    """
    tournament = tx.tournament
    if tournament.started_ms is None:
        raise NotPlayed
    offers.withdraw(tx)
    closing.stop(tx)
    if tournament.pool is None:
        pool.fix(tx)
    # A pending entry may still buy again: it counts as left, with no chips.
    tournament.knock_outs.filter(entry__state=Entry.State.PENDING).delete()
    placed = placing.place(tx)
    left = list(tournament.entries.filter(state__in=Entry.IN_PLAY).order_by("pk"))
    stacks = chips_in_play.by_entry(tournament)
    forward = _shares(tournament, left)
    close_field(tx, locks.open_tables(tournament.pk), standing_too=True)
    for entry, share in zip(left, forward.shares, strict=True):
        entry.state = Entry.State.REFUNDED
        entry.prize = share
    Entry.objects.bulk_update(left, ["state", "prize"])
    tx.pay(money.prizes(tournament, [*placed, *left]))
    tx.pay(promises.overlay_back(tournament, forward.to_room))
    if not forward.in_the_money:
        tx.pay(money.fees_back(left))
    bounties.close_bounties(tx, stacks)
    tickets.release(tx)
    tx.book()
    assert transfers.balance(money.pool(tournament)) == 0, "the pool account is empty at the end"
    amounts = zip(forward.shares, forward.fees, strict=True)
    back = {entry.pk: sum(both) for entry, both in zip(left, amounts, strict=True)}
    _announce_end(tx, reason)
    _tell_players(tx, left, back, reason)


def refund_preview(tournament: Tournament) -> tuple[int, int]:
    """Return how many entries a full refund pays and their total in cents (T-12)."""
    back = [entry.paid for entry in tournament.entries.filter(state__in=REFUNDABLE)]
    return len(back), sum(back)


def forward_preview(tournament: Tournament) -> tuple[int, int]:
    """Return how many entries share what is unpaid, and the total in cents (T-12)."""
    left = list(tournament.entries.filter(state__in=Entry.IN_PLAY).order_by("pk"))
    if not left:
        return 0, 0
    forward = _shares(tournament, left)
    return len(left), sum(forward.shares) + sum(forward.fees) + sum(forward.bounties)


def _shares(tournament: Tournament, left: list[Entry]) -> RolledForward:
    chips = chips_in_play.by_entry(tournament)
    if tournament.cash_value:
        return RolledForward(
            shares=tuple(chips[entry.pk] for entry in left),
            fees=tuple(entry.paid_fee for entry in left),
            bounties=tuple(0 for entry in left),
            to_room=0,
            in_the_money=False,
        )
    return cancellation.roll_forward(
        [chips.get(entry.pk, 0) for entry in left],
        [prize for prize in pool.payable(tournament)[: len(left)] if prize],
        fees=[entry.paid_fee for entry in left],
        bounties=[entry.head for entry in left],
        overlay=max(0, pool.overlay_of(tournament)),
    )


def _announce_end(tx: TournamentTransaction, reason: str) -> None:
    tx.tournament.left = 0
    tx.announce(Cancelled(reason or _("The room cancelled it.")))


def _tell_players(
    tx: TournamentTransaction,
    entries: Iterable[Entry],
    back: dict[int, int],
    reason: str,
    as_tickets: Mapping[int, int] = {},
) -> None:
    tournament = tx.tournament
    for entry in entries:
        ticket = as_tickets.get(entry.pk, 0)
        notice = TournamentCancelled(tournament.pk, tournament.name, back[entry.pk], reason, ticket)
        tx.notify(entry.user_id, notice)
