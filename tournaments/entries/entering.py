"""Entries made in a locked tournament, before the start or late with a seat (E-01, E-02)."""

from __future__ import annotations

from datetime import datetime

from accounts.ledger.transfers import Order
from accounts.mail import required_address
from accounts.models import Account, User
from accounts.users import own_limits
from tables.dealer.carried import fresh
from tournaments import progress
from tournaments.buying import offers, slots
from tournaments.buying.slots import EntryTerms, Slot
from tournaments.engine.lifecycle import PLAYED
from tournaments.entries import consent, late
from tournaments.events.client_events import PlayerRegistered
from tournaments.events.notices import Registered
from tournaments.events.prizes import HeadChanged
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, KnockOut, Ticket, Tournament
from tournaments.models.options.prizes import Surplus
from tournaments.models.tournament import State
from tournaments.prizes import bounties, money
from tournaments.seating.draws import CarriedStack


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
    if not offered:
        required_address.check_address(user)
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


def price(tournament: Tournament, entry: Entry, payer: Account, till: money.Till) -> list[Order]:
    """Orders for an entry's price, from the account or from its ticket with the surplus (K-03)."""
    if entry.ticket is None:
        return money.price(entry, payer, till)
    to_bonus = tournament.surplus_to == Surplus.BONUS
    rest_to = money.bonus(entry.user) if to_bonus else payer
    return money.price_by_ticket(entry, entry.ticket, rest_to, till)


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
    return slots.following(slots.bought(user.pk, [tournament.pk])[tournament.pk], terms)


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
    notice = Registered(
        tournament.pk,
        tournament.name,
        entry.pk,
        tournament.price,
        starts_at_ms=tournament.starts_at_ms if tournament.state == State.REGISTERING else None,
        ticket=0 if entry.ticket_id is None else tournament.price,
    )
    tx.notify(entry.user_id, notice)
