"""Answers to offers: accepted, declined or expired; chips are given only between hands."""

from __future__ import annotations

from collections import Counter

from django.db.models import Q, QuerySet

from accounts.ledger import transfers
from accounts.models import User
from accounts.users import own_limits
from config import clock
from config.refusals import Refusal
from tables.dealer.carried import fresh
from tables.models import Seat, Table
from tournaments import locks, progress
from tournaments.buying import offers
from tournaments.engine.lifecycle import PLAYED
from tournaments.entries import entering, late
from tournaments.events.buying import ChipsSold
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import Entry, KnockOut, Move, Offer, Tournament
from tournaments.prizes import money, tickets
from tournaments.refusals import NoRebuyNow, NoSuchOffer, OfferOver
from tournaments.running import settlement
from tournaments.seating import balancer
from tournaments.seating.draws import CarriedStack

ACCEPTED, OPEN = Offer.State.ACCEPTED, Offer.State.OPEN


def answer(user: User, offer_id: int, *, buy: bool) -> Offer:
    """Accept or decline an offer once, completely or not at all.

    Chips for a seat in play arrive at the next boundary of its table and are paid there. Raises
    NoSuchOffer, OfferOver, or the refusal of the purchase.
    """
    known = Offer.objects.filter(pk=offer_id, entry__user=user).first()
    if known is None:
        raise NoSuchOffer
    # An answer counts by its arrival: it may wait long for the lock of a large field.
    came_ms = clock.database_now_ms()
    with tournament_transaction(known.tournament_id) as tx:
        tournament = tx.tournament
        offer = _open_offer(tournament, offer_id, came_ms)
        if buy and offer.kind in (Offer.Kind.REBUY, Offer.Kind.ADD_ON):
            own_limits.check_purchase(user, offer.cost)
        if not buy:
            if outs := _decline(tx, offer, Offer.State.DECLINED):
                settlement.go_out(tx, outs)
        elif offer.kind == Offer.Kind.REENTRY:
            _reenter(tx, user, offer)
        elif offer.entry.state == Entry.State.PENDING:
            seat = _seat_of(offer.entry)
            locks.tables([] if seat is None else [seat.table_id])
            offers.check_limit(tournament, offer.entry)
            _check_covered(offer)
            _give(tx, offer, seat)
        else:
            _check_covered(offer)
            _note(tx, offer)
    return offer


def request_rebuy(user: User, tournament_id: int, entry_id: int | None = None) -> Offer:
    """Request a re-buy for a seat that still has chips, given at the next boundary (E-04).

    Raises NoRebuyNow, a refusal of the re-buy rules, or InsufficientFunds.
    """
    with tournament_transaction(tournament_id) as tx:
        tournament = tx.tournament
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
        own_limits.check_purchase(user, offer.cost)
        offer.save()
        _note(tx, offer)
    return offer


def expire(tx: TournamentTransaction) -> bool:
    """Close offers whose clock is over (E-04); return whether more may be left to close.

    Those that hold entries in are closed all together, as hands knocked these out lately. Of the
    others, the add-ons of a whole field, a batch is closed.
    """
    others = _over(tx.tournament).exclude(entry__state=Entry.State.PENDING)
    batch = list(others.select_related("entry").order_by("pk")[: offers.BATCH])
    offers.close_offers(tx, batch, Offer.State.EXPIRED)
    if outs := _run_out(tx):
        settlement.go_out(tx, outs)
    return len(batch) == offers.BATCH


def waits_until_ms(table: Table) -> int | None:
    """Time at which the table stops waiting for re-buys of held seats; None without a held seat."""
    held = Seat.objects.filter(table=table, chips=0).values_list("entry", flat=True)
    open_offers = Offer.objects.filter(entry__in=held, state=OPEN)
    return open_offers.order_by("-until_ms").values_list("until_ms", flat=True).first()


def is_due(tournament: Tournament, table: Table) -> bool:
    """Return whether chips are due at this boundary, or the clock of a held seat is over."""
    here = Seat.objects.filter(table=table).values("entry")
    coming = _coming(table).values("entry")
    asked = tournament.offers.filter(state=ACCEPTED)
    if asked.filter(Q(entry__in=here) | Q(entry__in=coming)).exists():
        return True
    until_ms = waits_until_ms(table)
    return until_ms is not None and until_ms <= progress.time_ms(tournament)


def carry_out(tx: TournamentTransaction, table: Table) -> None:
    """Give the requested chips at this locked table, also to entries on their way to it."""
    outs = _run_out(tx)
    if outs and tx.tournament.left - len(outs) <= 1:  # the tournament ends: no more chips are sold
        settlement.go_out(tx, outs)
        return
    here: dict[int, Seat | Move] = {move.entry_id: move for move in _coming(table)}
    here |= {seat.entry: seat for seat in Seat.objects.filter(table=table)}
    _carry_out(tx, here, outs)


def carry_out_under_way(tx: TournamentTransaction) -> None:
    """Give requested chips to entries between two tables, which no boundary will seat any more.

    Called at the end of the play time, with no hand in play.
    """
    asked = tx.tournament.offers.filter(state=ACCEPTED).values("entry")
    moving = tx.tournament.moves.filter(entry__in=asked, state=Move.State.LEFT)
    locks.tables(moving.values_list("to_table", flat=True))
    under_way: dict[int, Seat | Move] = {move.entry_id: move for move in moving.all()}
    if under_way:
        _carry_out(tx, under_way, [])


def _carry_out(tx: TournamentTransaction, here: dict[int, Seat | Move], outs: list[Entry]) -> None:
    spent = Counter[int]()
    entries: dict[int, Entry] = {}
    asked = Offer.objects.filter(entry__in=here, state=ACCEPTED).select_related("entry__user")
    # 1. Merges first: they cost nothing and cannot be refused. An entry that has merged chips keeps
    #    its seat when its re-buy is refused afterwards.
    # 2. All offers of one entry share one object, so each offer sees what the previous one changed.
    # 3. Every purchase is checked against the balance less what was spent in this loop.
    for offer in sorted(asked, key=lambda offer: (offer.kind != Offer.Kind.MERGE, offer.pk)):
        offer.entry = entries.setdefault(offer.entry_id, offer.entry)
        seat = here[offer.entry_id]
        try:
            if offer.kind == Offer.Kind.REBUY:
                _check_rebuy(tx.tournament, offer, seat)
            _check_covered(offer, spent[offer.entry.user_id])
        except Refusal as refusal:
            outs += _decline(tx, offer, Offer.State.DECLINED, why=refusal.code)
        else:
            spent[offer.entry.user_id] += offer.cost
            _give(tx, offer, seat)
    if outs:
        settlement.go_out(tx, outs)


def _run_out(tx: TournamentTransaction) -> list[Entry]:
    """Close the offers over by which entries are held in; return the entries to knock out now."""
    over = _over(tx.tournament).filter(entry__state=Entry.State.PENDING).order_by("pk")
    return [
        out
        for offer in over.select_related("entry__user")
        for out in _decline(tx, offer, Offer.State.EXPIRED)
    ]


def _over(tournament: Tournament) -> QuerySet[Offer]:
    """Open offers whose clock is over."""
    return tournament.offers.filter(state=OPEN, until_ms__lte=progress.time_ms(tournament))


def _check_rebuy(tournament: Tournament, offer: Offer, seat: Seat | Move) -> None:
    """Refuse a re-buy that has become invalid; a seat without chips checks its limit (E-04)."""
    if seat.chips:
        offers.check_rebuy(tournament, offer.entry, seat.chips)
    else:
        offers.check_limit(tournament, offer.entry)


def _open_offer(tournament: Tournament, offer_id: int, came_ms: int) -> Offer:
    offer = Offer.objects.select_related("entry__user").get(pk=offer_id)
    in_time = offer.until_ms > min(came_ms, progress.time_ms(tournament))
    if offer.state != OPEN or not in_time or tournament.state not in PLAYED:
        raise OfferOver(state=offer.state)
    return offer


def _check_covered(offer: Offer, spent: int = 0) -> None:
    """Refuse a purchase that the account does not cover, before any write (A-01)."""
    held = transfers.held_by(offer.entry.user) - spent
    if held < offer.cost:
        raise transfers.InsufficientFunds(price=offer.cost, balance=held)


def _note(tx: TournamentTransaction, offer: Offer) -> None:
    """Accept an offer for the next boundary of the table, and wake the table."""
    offer.state = ACCEPTED
    offer.save(update_fields=["state"])
    seat = _seat_of(offer.entry)
    if seat is not None:
        tx.wake_tables([seat.table_id])


def _reenter(tx: TournamentTransaction, user: User, offer: Offer) -> None:
    """Create a new entry at the full price with a new seat; the previous entry is out (E-02)."""
    tournament = tx.tournament
    if tournament.target_id is not None:
        # Lock order: `go_out` may end the tournament and need the target after locking tickets.
        locks.target(tournament)
    offers.close_offer(tx, offer, Offer.State.DONE)
    Entry.objects.filter(pk=offer.entry_id).update(state=Entry.State.OUT)
    paying = tickets.take(tickets.payment(user, tournament) or "", user, tournament)
    entry = entering.enter(tx, user, paying, after=offer.entry)
    tx.pay(entering.price(tournament, entry, money.player(user), money.till(tournament)))
    settlement.go_out(tx, [offer.entry])


def _give(tx: TournamentTransaction, offer: Offer, seat: Seat | Move | None) -> None:
    """Collect the price and give the chips; a pending entry is back in play (E-04)."""
    entry = offer.entry
    offers.close_offer(tx, offer, Offer.State.DONE)
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
        stack = CarriedStack(entry, fresh(offer.chips, tx.tournament.bank_ms))
        late.seat(tx, stack)
    elif isinstance(seat, Move):
        seat.chips += offer.chips
        seat.save(update_fields=["chips"])
    else:
        _put(tx, offer, seat)
    tx.pay(money.chips(tx.tournament, offer))
    sale = ChipsSold(entry.pk, entry.user_id, entry.name, offer.kind, offer.chips)
    tx.announce(sale)
    if was_pending:
        offers.offer_add_on(tx, entry)


def _put(tx: TournamentTransaction, offer: Offer, seat: Seat) -> None:
    """Add chips to a seat of a table that stands between two hands."""
    table = Table.objects.get(pk=seat.table_id)
    assert table.granted_hand == table.hand, "chips are given only between hands"
    seat.chips += offer.chips
    seat.save(update_fields=["chips"])
    offer.given_table, offer.given_hand = table.pk, table.hand + 1
    offer.save(update_fields=["given_table", "given_hand"])
    tx.wake_tables([table.pk])


def _decline(tx: TournamentTransaction, offer: Offer, state: str, why: str = "") -> list[Entry]:
    """Close an offer without a purchase; return its pending entry, which loses its held seat."""
    offers.close_offer(tx, offer, state, why)
    if offer.entry.state != Entry.State.PENDING:
        return []
    seat = _seat_of(offer.entry)
    if seat is not None:
        locks.tables([seat.table_id])
        seat.delete()
        balancer.changed(tx, {seat.table_id})
        tx.wake_tables([seat.table_id])
    return [offer.entry]


def _coming(table: Table) -> QuerySet[Move]:
    """Moves on their way to a table, which seats them under its own lock."""
    return Move.objects.filter(to_table=table, state=Move.State.LEFT)


def _seat_of(entry: Entry) -> Seat | None:
    return Seat.objects.filter(entry=entry.pk).first()
