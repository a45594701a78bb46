"""Registration for a tournament and its withdrawal (T-01..T-06, A-01)."""

from __future__ import annotations

from datetime import datetime

from accounts.bots import places
from accounts.ledger.transfers import Order
from accounts.models import Account, User
from accounts.users import own_limits
from tables.dealer.carried import fresh
from tables.gateway.rights import rights_changed
from tournaments import progress
from tournaments.buying import offers, slots
from tournaments.buying.slots import EntryTerms, Slot
from tournaments.engine.lifecycle import PLAYED
from tournaments.engine.refusals import RegistrationClosed
from tournaments.entries import audiences, consent, late, privacy
from tournaments.events import bells
from tournaments.events.client_events import (
    PlayerRegistered,
    PlayerUnregistered,
    Registered,
    Unregistered,
)
from tournaments.events.prizes import HeadChanged
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import AuditRow, Entry, KnockOut, Ticket, Tournament
from tournaments.models.prizes import Surplus
from tournaments.models.tournament import Start, State
from tournaments.prizes import bounties, money, tickets
from tournaments.refusals import AlreadyStarted, NoSuchTournament, NotRegistered
from tournaments.seating.draws import CarriedStack

SEAT = "seat"
"""Audit action for an entry that an organiser bought for a player."""


def register(
    user: User,
    tournament: Tournament | int,
    password: str | None = None,
    *,
    ticket: str | int = "",
    address: str = "",
    shows_cards: bool = False,
) -> Entry:
    """Buy an entry for a player, completely or not at all.

    Paid with money, or with the ticket `ticket`: a number, or "any" for the one that expires first
    (K-02). The password of a private tournament is needed once; attempts count by user and
    `address`. `shows_cards` is the player's consent to streams with cards, where it is asked.
    Raises a refusal.
    """
    offer = _entered(user, tournament)
    if offer.password:
        privacy.admit(user, offer, password, address)
    # Open accounts before the lock: hundreds of registrations may wait for the tournament's lock.
    payer, till = money.player(user), money.till(offer)
    with tournament_transaction(offer.pk) as tx:
        return _buy(tx, user, ticket, payer, till, shows_cards=shows_cards)


def register_for(
    user: User,
    tournament: Tournament | int,
    password: str | None = None,
    *,
    ticket: str | int = "",
    address: str = "",
    actor: User,
    reason: str,
    token: str = "",
) -> Entry:
    """Buy an entry for a player on behalf of an organiser, on the terms of `register` (T-01, E-01).

    `token` identifies the request: a repeated token buys nothing and returns the entry it bought.
    """
    offer = _entered(user, tournament)
    if offer.password:
        privacy.admit(user, offer, password, address)
    payer, till = money.player(user), money.till(offer)
    with tournament_transaction(offer.pk) as tx:
        locked = tx.tournament
        sent = locked.audit.filter(action=SEAT, details__token=token).first() if token else None
        if sent is not None:
            return Entry.objects.get(pk=sent.details["entry"])
        entry = _buy(tx, user, ticket, payer, till)
        AuditRow.objects.create(
            tournament=locked,
            actor=actor,
            action=SEAT,
            reason=reason,
            details={
                "entry": entry.pk,
                "name": entry.name,
                "price": locked.price,
                "ticket": entry.ticket_id,
                "token": token,
            },
        )
    return entry


def takes_entries(tournament: Tournament, *, offered: bool = False) -> bool:
    """Return whether the tournament takes entries now, `offered` re-entries longer (E-01, E-07)."""
    if tournament.state == State.REGISTERING:
        return True
    if tournament.state not in PLAYED:
        return False
    return not tournament.hand_for_hand if offered else progress.may_enter(tournament)


def enter(
    tx: TournamentTransaction,
    user: User,
    paying: Ticket | None = None,
    *,
    after: Entry | None = None,
    shows_cards: bool = False,
) -> Entry:
    """Create one more unpaid entry of a player in a locked tournament; a late entry gets a seat.

    Raises a refusal. A re-entry offered `after` a lost entry is possible even after late
    registration (E-02). The caller pays the price.
    """
    tournament = tx.tournament
    # An offered re-entry puts the previous entry out, which pays bounties to other accounts: the
    # caller locks all of them in one order, so the bonus account is not locked here.
    offered = after is not None
    own_limits.check_purchase(
        user, 0 if paying else tournament.price, lambda since: _made_since(user, since)
    )
    slot = _slot(tournament, user, offered=offered)
    consents = after.shows_cards if after is not None else shows_cards
    shown = consent.answered(tournament, user, consents=consents)
    entry = _enter(tournament, user, slot, paying, shown, lock=not offered)
    _tell_registered(tx, entry)
    if tournament.state in PLAYED:
        _seat_late(tx, entry, after)
    return entry


def unregister(user: User, tournament: Tournament | int) -> Entry:
    """Take an entry back before the start and refund it in full (T-06, T-16).

    Raises NotRegistered, AlreadyStarted or RegistrationClosed.
    """
    offer = _offer(tournament)
    if not privacy.may_list(user, offer):
        raise NoSuchTournament
    with tournament_transaction(offer.pk) as tx:
        locked = tx.tournament
        entry = Entry.objects.filter(tournament=locked, user=user, state__in=Entry.LIVE).first()
        if entry is None:
            raise NotRegistered
        if locked.state in PLAYED:
            raise AlreadyStarted
        if locked.state != State.REGISTERING:
            raise RegistrationClosed(state=locked.state)
        assert entry.state == Entry.State.REGISTERED, "no entry is seated before the start"
        entry.state = Entry.State.UNREGISTERED
        entry.head = 0
        entry.save(update_fields=["state", "head"])
        locked.entrants -= 1
        in_tickets = tickets.give_back(locked, [entry])
        tx.pay(money.refunds(locked, [entry], in_tickets))
        _tell_unregistered(tx, entry, 0 if in_tickets else entry.paid)
        if locked.password or not locked.is_listed:
            rights_changed(user.pk)
        _wake_after(tx)
    return entry


def _offer(tournament: Tournament | int) -> Tournament:
    if isinstance(tournament, Tournament):
        return tournament
    known = Tournament.objects.filter(pk=tournament).first()
    if known is None:
        raise NoSuchTournament
    return known


def _entered(user: User, tournament: Tournament | int) -> Tournament:
    """Return the tournament a player wants to enter; refuse players outside its audience."""
    offer = _offer(tournament)
    if not privacy.may_list(user, offer):
        raise NoSuchTournament
    audiences.validate_entry(user, offer)
    places.validate_player(user, offer.bots)
    return offer


def _made_since(user: User, since: datetime) -> int:
    """Return the number of entries of a player since a time, without those taken back."""
    rows = Entry.objects.filter(user=user, registered_at__gte=since)
    return rows.exclude(state__in=(Entry.State.UNREGISTERED, Entry.State.REFUNDED)).count()


def _slot(tournament: Tournament, user: User, *, offered: bool) -> Slot:
    """Return the slot of one more entry of this player now, or raise a refusal."""
    terms = EntryTerms(
        state=tournament.state,
        is_open=takes_entries(tournament, offered=offered),
        is_full=tournament.is_full,
        players_max=tournament.players_max,
        entries_max=tournament.entries_max,
        several_at_once=tournament.several_at_once,
    )
    return slots.following(slots.bought(user, [tournament])[tournament.pk], terms)


def _buy(
    tx: TournamentTransaction,
    user: User,
    ticket: str | int,
    payer: Account,
    till: money.Till,
    *,
    shows_cards: bool = False,
) -> Entry:
    """Create, pay and announce one entry."""
    paying = tickets.take(ticket, user, tx.tournament)
    entry = enter(tx, user, paying, shows_cards=shows_cards)
    tx.pay(price(tx.tournament, entry, payer, till))
    _wake_after(tx)
    return entry


def _enter(
    tournament: Tournament,
    user: User,
    slot: Slot,
    paying: Ticket | None,
    shows_cards: bool,
    *,
    lock: bool,
) -> Entry:
    tournament.entrants += 1
    tournament.entries_made += 1
    tournament.reentries += slot.again
    # Bonus never buys chips with cash value: it could be cashed out at once (A-04, K-03).
    no_bonus = paying is not None or tournament.cash_value
    return Entry.objects.create(
        tournament=tournament,
        user=user,
        name=user.name,
        number=tournament.entries_made,
        slot=slot.number,
        ticket=paying,
        paid_bonus=0 if no_bonus else money.from_bonus(user, tournament.price, lock=lock),
        paid_buy_in=tournament.buy_in,
        paid_bounty=tournament.bounty,
        paid_fee=tournament.fee,
        head=tournament.bounty,
        chips_bought=tournament.starting_stack,
        shows_cards=shows_cards,
    )


def price(tournament: Tournament, entry: Entry, payer: Account, till: money.Till) -> list[Order]:
    """Orders for an entry's price, from the account or from its ticket with the surplus (K-03)."""
    if entry.ticket is None:
        return money.price(entry, payer, till)
    to_bonus = tournament.surplus_to == Surplus.BONUS
    rest_to = money.bonus(entry.user) if to_bonus else payer
    return money.price_by_ticket(entry, entry.ticket, rest_to, till)


def _seat_late(tx: TournamentTransaction, entry: Entry, after: Entry | None) -> None:
    """Give a late entry a full stack at one of the shortest tables (E-01, E-02)."""
    tournament = tx.tournament
    entry.state = Entry.State.SEATED
    entry.save(update_fields=["state"])
    tournament.left += 1
    stack = CarriedStack(entry, fresh(tournament.starting_stack, tournament.bank_ms))
    late.seat(tx, stack, lost_at=_lost_at(tournament, entry, after))
    offers.offer_add_on(tx, entry)


def _lost_at(tournament: Tournament, entry: Entry, after: Entry | None) -> int | None:
    """Table where the previous entry was lost: the offer's entry, else the last one lost."""
    lost = KnockOut.objects.filter(tournament=tournament, entry__user=entry.user_id)
    lost = lost.filter(entry__state=Entry.State.OUT) if after is None else lost.filter(entry=after)
    return lost.order_by("-order").values_list("table", flat=True).first()


def _tell_registered(tx: TournamentTransaction, entry: Entry) -> None:
    tournament = tx.tournament
    tx.announce(PlayerRegistered(entry.pk, entry.user_id, entry.name, tournament.entrants))
    if tournament.pro_bounty and entry.user.is_pro:
        head = bounties.worth(tournament, entry)
        tx.announce(HeadChanged(entry.pk, head))
    starts_at_ms = tournament.starts_at_ms if tournament.state == State.REGISTERING else None
    tx.notify(
        entry.user_id,
        Registered(tournament.pk, tournament.name, entry.pk, tournament.price, starts_at_ms),
    )


def _tell_unregistered(tx: TournamentTransaction, entry: Entry, refund: int) -> None:
    tournament = tx.tournament
    tx.announce(PlayerUnregistered(entry.pk, entry.user_id, entry.name, tournament.entrants))
    left = tournament.entries.filter(user=entry.user, state__in=Entry.LIVE).count()
    tx.notify(entry.user_id, Unregistered(tournament.pk, tournament.name, refund, left))


def _wake_after(tx: TournamentTransaction) -> None:
    """Wake the tick: at once to start a full Sit & Go, else soon to tell the lobby (T-04)."""
    is_due = tx.tournament.is_full and tx.tournament.start == Start.SIT_AND_GO
    tx.wake(0 if is_due else bells.LOBBY_MS)
