"""Cancel a tournament: refund everything, or pay what is unpaid to the entries in play (T-12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from accounts.ledger import transfers
from accounts.ledger.transfers import InsufficientFunds
from tournaments import chips_in_play, locks
from tournaments.buying import closing, offers
from tournaments.engine import cancellation
from tournaments.engine.cancellation import RolledForward
from tournaments.events.client_events import Cancelled, TournamentCancelled
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.events.outbox import user as notices_of
from tournaments.models import Entry, Tournament
from tournaments.prizes import bounties, money, placing, pool, promises, tickets
from tournaments.prizes.money import Payments
from tournaments.refusals import NotPlayed, PrizesPaid, RoomCannotPay
from tournaments.running.ending import close_field

REFUNDABLE = (Entry.State.REGISTERED, *Entry.PLAYED)


def roll_back(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    """Refund every entry in full, also knocked-out ones; return the overlay to the room (T-12).

    Raises PrizesPaid, or RoomCannotPay when the promotions account cannot replace bounties already
    won.
    """
    if tournament.entries.filter(prize__gt=0).exists():
        raise PrizesPaid
    won = bounties.won_from_heads(tournament)
    payments = Payments()
    bounties.roll_back(tournament, payments)
    entries = list(tournament.entries.filter(state__in=REFUNDABLE))
    overlay = pool.overlay_of(tournament)
    offers.withdraw(tournament, outbox)
    close_field(tournament, locks.open_tables(tournament.pk), standing_too=True)
    Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(
        state=Entry.State.REFUNDED, place=None
    )
    in_tickets = tickets.give_back(tournament, entries, as_paid=True)
    tickets.release(tournament, payments, outbox)
    payments.add(promises.overlay_back(tournament, overlay))
    payments.add(money.refunds(tournament, entries, in_tickets))
    try:
        payments.book()
    except InsufficientFunds as refusal:
        raise RoomCannotPay(won, refusal.balance) from refusal
    as_tickets = {entry.pk: money.ticket_part(entry) for entry in entries if entry.pk in in_tickets}
    back = {entry.pk: entry.paid - as_tickets.get(entry.pk, 0) for entry in entries}
    _end(tournament, entries, back, outbox, reason, as_tickets)


def roll_forward(tournament: Tournament, outbox: Outbox, reason: str) -> None:
    """Pay what is unpaid to the entries in play, by their chips after the last hand (T-12).

    Unused tickets won for this tournament become money, as in `roll_back` (K-08). Raises NotPlayed.
    """
    if tournament.started_ms is None:
        raise NotPlayed
    offers.withdraw(tournament, outbox)
    closing.stop(tournament, outbox)
    payments = Payments()
    if tournament.pool is None:
        pool.fix(tournament, payments)
    # A pending entry may still buy again: it counts as left, with no chips.
    tournament.knock_outs.filter(entry__state=Entry.State.PENDING).delete()
    placed = placing.place(tournament, outbox)
    left = list(tournament.entries.filter(state__in=Entry.IN_PLAY).order_by("pk"))
    stacks = chips_in_play.by_entry(tournament)
    forward = _shares(tournament, left)
    close_field(tournament, locks.open_tables(tournament.pk), standing_too=True)
    for entry, share in zip(left, forward.shares, strict=True):
        entry.state = Entry.State.REFUNDED
        entry.prize = share
    Entry.objects.bulk_update(left, ["state", "prize"])
    payments.add(money.prizes(tournament, [*placed, *left]))
    payments.add(promises.overlay_back(tournament, forward.to_room))
    if not forward.in_the_money:
        payments.add(money.fees_back(left))
    bounties.close(tournament, payments, outbox, stacks)
    tickets.release(tournament, payments, outbox)
    payments.book()
    assert transfers.balance(money.pool(tournament)) == 0, "the pool account is empty at the end"
    amounts = zip(forward.shares, forward.fees, strict=True)
    back = {entry.pk: sum(both) for entry, both in zip(left, amounts, strict=True)}
    _end(tournament, left, back, outbox, reason)


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


def _end(
    tournament: Tournament,
    entries: Iterable[Entry],
    back: dict[int, int],
    outbox: Outbox,
    reason: str,
    as_tickets: Mapping[int, int] = {},
) -> None:
    tournament.left = 0
    outbox.tell(stream_of(tournament.pk), Cancelled(reason or _("The room cancelled it.")))
    for entry in entries:
        ticket = as_tickets.get(entry.pk, 0)
        notice = TournamentCancelled(tournament.pk, tournament.name, back[entry.pk], reason, ticket)
        outbox.tell(notices_of(entry.user_id), notice)
