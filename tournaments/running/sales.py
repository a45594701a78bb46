"""What becomes of an offer: taken, declined or over, and its chips given between hands."""

from __future__ import annotations

from collections import Counter

from django.db import transaction

from accounts.ledger import transfers
from accounts.models import User
from config import clock
from tables.models import Seat, Table
from tournaments import locks
from tournaments.buying import offers
from tournaments.engine.lifecycle import PLAYED
from tournaments.entries import late, registration
from tournaments.events import bells
from tournaments.events.buying import ChipsSold
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.models import Entry, KnockOut, Move, Offer, Tournament
from tournaments.prizes import money, tickets
from tournaments.prizes.money import Payments
from tournaments.refusals import (
    REFUSALS,
    NoRebuyNow,
    NoSuchOffer,
    OfferOver,
)
from tournaments.running import settlement
from tournaments.seating import balancer
from tournaments.seating.draws import Stack

ACCEPTED, OPEN = Offer.State.ACCEPTED, Offer.State.OPEN


def answer(user: User, offer_id: int, *, buy: bool) -> Offer:
    """Take an offer or decline it, once; all of it happens, or a refusal and nothing has.

    Chips for a seat in play come at the next boundary of its table, and are paid there.
    """
    found = Offer.objects.filter(pk=offer_id, entry__user=user).first()
    if found is None:
        raise NoSuchOffer
    with transaction.atomic():
        tournament = locks.tournament(found.tournament_id)
        offer = _open_offer(tournament, offer_id)
        outbox, payments = Outbox(), Payments()
        if not buy:
            if outs := _decline(tournament, offer, Offer.State.DECLINED, outbox):
                settlement.go_out(tournament, outs, outbox)
        elif offer.kind == Offer.Kind.REENTRY:
            _reenter(tournament, user, offer, outbox)
        elif offer.entry.state == Entry.State.PENDING:
            seat = _seat_of(offer.entry)
            locks.tables([] if seat is None else [seat.table_id])
            offers.check_limit(tournament, offer.entry)
            _check_covered(offer)
            _give(tournament, offer, seat, payments, outbox)
        else:
            _check_covered(offer)
            _note(offer)
        payments.book()
        tournament.save()
        outbox.write()
    return offer


def request_rebuy(user: User, tournament_id: int, entry_id: int | None = None) -> Offer:
    """Ask for a re-buy for a seat that still has chips, given between hands (E-04)."""
    with transaction.atomic():
        tournament = locks.tournament(tournament_id)
        own = tournament.entries.filter(user=user, state=Entry.State.SEATED)
        entry = (own if entry_id is None else own.filter(pk=entry_id)).order_by("pk").first()
        if entry is None or tournament.state not in PLAYED:
            raise NoRebuyNow
        if entry.offers.filter(kind=Offer.Kind.REBUY, state__in=Offer.PENDING).exists():
            raise NoRebuyNow
        seat = Seat.objects.filter(entry=entry.pk).first()
        if seat is None:
            raise NoRebuyNow
        offers.check_rebuy(tournament, entry, seat.chips)
        offer = offers.rebuy(tournament, entry, clock.database_now_ms())
        _check_covered(offer)
        offer.save()
        _note(offer)
    return offer


def expire(tournament: Tournament, outbox: Outbox) -> None:
    """Close every offer whose clock is over; the locked row is saved by the caller (E-04)."""
    if outs := _run_out(tournament, outbox):
        settlement.go_out(tournament, outs, outbox)


def waits_until_ms(table: Table) -> int | None:
    """Until when a table waits for a re-buy of a seat it holds; None when it holds none."""
    held = Seat.objects.filter(table=table, chips=0).values_list("entry", flat=True)
    open_offers = Offer.objects.filter(entry__in=held, state=OPEN)
    return open_offers.order_by("-until_ms").values_list("until_ms", flat=True).first()


def is_due(table: Table) -> bool:
    """Whether chips are to be given at this boundary, or the clock of a held seat is over."""
    here = Seat.objects.filter(table=table)
    if Offer.objects.filter(entry__in=here.values("entry"), state=ACCEPTED).exists():
        return True
    until_ms = waits_until_ms(table)
    return until_ms is not None and until_ms <= clock.database_now_ms()


def carry_out(tournament: Tournament, table: Table, outbox: Outbox) -> None:
    """Give the chips that were asked for at this table; tournament and table are locked.

    What they cost is booked in one step with what is won from those whose offers are over.
    """
    outs = _run_out(tournament, outbox)
    if outs and tournament.left - len(outs) <= 1:  # it ends here, and nobody buys any more
        settlement.go_out(tournament, outs, outbox)
        return
    here: dict[int, Seat | Move] = {seat.entry: seat for seat in Seat.objects.filter(table=table)}
    _carry_out(tournament, here, outs, outbox)


def carry_out_under_way(tournament: Tournament, outbox: Outbox) -> None:
    """Give what those asked for whom no boundary will seat any more: their chips grow on the way.

    For the end of the play time, when no hand is in play; the locked row is saved by the caller.
    """
    asked = tournament.offers.filter(state=ACCEPTED).values("entry")
    moving = tournament.moves.filter(entry__in=asked, state=Move.State.LEFT)
    locks.tables(moving.values_list("to_table", flat=True))
    under_way: dict[int, Seat | Move] = {move.entry_id: move for move in moving.all()}
    if under_way:
        _carry_out(tournament, under_way, [], outbox)


def _carry_out(
    tournament: Tournament, here: dict[int, Seat | Move], outs: list[Entry], outbox: Outbox
) -> None:
    payments, spent = Payments(), Counter[int]()
    entries: dict[int, Entry] = {}
    asked = Offer.objects.filter(entry__in=here, state=ACCEPTED).select_related("entry__user")
    # What comes anyway comes first, and each offer sees what the one before made of its entry:
    # who has merged chips keeps the seat when a re-buy beside them is refused.
    for offer in sorted(asked, key=lambda offer: (offer.kind != Offer.Kind.MERGE, offer.pk)):
        offer.entry = entries.setdefault(offer.entry_id, offer.entry)
        seat = here[offer.entry_id]
        try:
            if offer.kind == Offer.Kind.REBUY:
                _check_rebuy(tournament, offer, seat)
            _check_covered(offer, spent[offer.entry.user_id])
        except REFUSALS as refusal:
            outs += _decline(tournament, offer, Offer.State.DECLINED, outbox, why=refusal.code)
        else:
            spent[offer.entry.user_id] += offer.cost
            _give(tournament, offer, seat, payments, outbox)
    if outs:
        settlement.go_out(tournament, outs, outbox, payments)
    payments.book()


def _run_out(tournament: Tournament, outbox: Outbox) -> list[Entry]:
    """Close every offer whose clock is over; who is to go out now."""
    now_ms = clock.database_now_ms()
    over = tournament.offers.filter(state=OPEN, until_ms__lte=now_ms).order_by("pk")
    return [
        out
        for offer in over.select_related("entry__user")
        for out in _decline(tournament, offer, Offer.State.EXPIRED, outbox)
    ]


def _check_rebuy(tournament: Tournament, offer: Offer, seat: Seat | Move) -> None:
    """Refuse what was asked for and may not be any more; who has lost all was offered it (E-04)."""
    if seat.chips:
        offers.check_rebuy(tournament, offer.entry, seat.chips)
    else:
        offers.check_limit(tournament, offer.entry)


def _open_offer(tournament: Tournament, offer_id: int) -> Offer:
    offer = Offer.objects.select_related("entry__user").get(pk=offer_id)
    is_open = offer.state == OPEN and offer.until_ms > clock.database_now_ms()
    if not is_open or tournament.state not in PLAYED:
        raise OfferOver(offer.state)
    return offer


def _check_covered(offer: Offer, spent: int = 0) -> None:
    """Refuse what the account does not cover, before anything is written (A-01)."""
    held = transfers.held_by(offer.entry.user) - spent
    if held < offer.cost:
        raise transfers.InsufficientFunds(price=offer.cost, balance=held)


def _note(offer: Offer) -> None:
    """The chips come at the next boundary of the table, which is asked to look at once."""
    offer.state = ACCEPTED
    offer.save(update_fields=["state"])
    seat = _seat_of(offer.entry)
    if seat is not None:
        _wake_table(seat.table_id)


def _reenter(tournament: Tournament, user: User, offer: Offer, outbox: Outbox) -> None:
    """A new entry at the full price with a new seat; the one before is out (E-02)."""
    payments = Payments()
    if tournament.target_id is not None:
        locks.target(tournament)  # the end may need it, and then his account is locked already
    offers.close(tournament, offer, Offer.State.DONE, outbox)
    Entry.objects.filter(pk=offer.entry_id).update(state=Entry.State.OUT)
    paying = tickets.take(tickets.payment(user, tournament) or "", user, tournament)
    entry = registration.enter(tournament, user, outbox, paying, after=offer.entry)
    payments.add(registration.price(tournament, entry, money.player(user), money.till(tournament)))
    settlement.go_out(tournament, [offer.entry], outbox, payments)


def _give(
    tournament: Tournament,
    offer: Offer,
    seat: Seat | Move | None,
    payments: Payments,
    outbox: Outbox,
) -> None:
    """Take the money and put the chips in front of the player; who was pending is back (E-04)."""
    entry = offer.entry
    offers.close(tournament, offer, Offer.State.DONE, outbox)
    entry.chips_bought += 0 if offer.kind == Offer.Kind.MERGE else offer.chips
    entry.paid_buy_in += offer.price
    entry.paid_fee += offer.fee
    entry.rebuys += offer.kind == Offer.Kind.REBUY
    entry.add_ons += offer.kind == Offer.Kind.ADD_ON
    was_pending = entry.state == Entry.State.PENDING
    entry.state = Entry.State.SEATED
    entry.save()
    if was_pending:
        KnockOut.objects.filter(entry=entry).delete()
    if seat is None:
        stack = Stack(entry, offer.chips, tournament.bank_ms)
        late.seat(tournament, stack, outbox)
    elif isinstance(seat, Move):
        seat.chips += offer.chips
        seat.save(update_fields=["chips"])
    else:
        _put(offer, seat)
    payments.add(money.chips(tournament, offer))
    told = ChipsSold(entry.pk, entry.user_id, entry.name, offer.kind, offer.chips)
    outbox.tell(stream_of(tournament.pk), told)
    if was_pending:
        offers.offer_add_on(tournament, entry, outbox)


def _put(offer: Offer, seat: Seat) -> None:
    """Chips come to a seat of a table that stands between two hands."""
    table = Table.objects.get(pk=seat.table_id)
    assert table.granted_hand == table.hand, "chips are given between hands"
    seat.chips += offer.chips
    seat.save(update_fields=["chips"])
    offer.given_table, offer.given_hand = table.pk, table.hand + 1
    offer.save(update_fields=["given_table", "given_hand"])
    _wake_table(table.pk)


def _decline(
    tournament: Tournament, offer: Offer, state: str, outbox: Outbox, why: str = ""
) -> list[Entry]:
    """Nothing is bought; a pending entry leaves the seat that was held and is to go out."""
    offers.close(tournament, offer, state, outbox, why)
    if offer.entry.state != Entry.State.PENDING:
        return []
    seat = _seat_of(offer.entry)
    if seat is not None:
        locks.tables([seat.table_id])
        seat.delete()
        balancer.changed(tournament, {seat.table_id})
        _wake_table(seat.table_id)
    return [offer.entry]


def _seat_of(entry: Entry) -> Seat | None:
    return Seat.objects.filter(entry=entry.pk).first()


def _wake_table(table: int) -> None:
    transaction.on_commit(lambda: bells.wake_tables([table]), robust=True)
