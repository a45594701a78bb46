"""Registration for a tournament and its withdrawal (T-01..T-06, A-01)."""

from __future__ import annotations

from accounts.bots import places
from accounts.models import Account, User
from tables.gateway.rights import rights_changed
from tournaments.engine.lifecycle import PLAYED
from tournaments.engine.refusals import RegistrationClosed
from tournaments.entries import audiences, entering, privacy
from tournaments.events import bells
from tournaments.events.client_events import PlayerUnregistered
from tournaments.events.notices import Unregistered
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import AuditRow, Entry, Tournament
from tournaments.models.tournament import Start, State
from tournaments.prizes import money, tickets
from tournaments.refusals import AlreadyStarted, NoSuchTournament, NotRegistered, TakenBack

SEAT, TAKE_OUT = "seat", "take_out"
"""Audit actions for entries that an organiser bought for a player, or took back."""


def register(
    user: User,
    tournament: Tournament | int,
    password: str | None = None,
    *,
    ticket: str | int = "",
    address: str = "",
    shows_cards: bool = False,
    after: int | None = None,
) -> Entry:
    """Buy an entry for a player, completely or not at all.

    Paid with money, or with the ticket `ticket`: a number, or "any" for the one that expires first
    (K-02). The password of a private tournament is needed once; attempts count by user and
    `address`. `shows_cards` is the player's consent to streams with cards, where it is asked.
    `after` is the newest entry of the player that the wish knew: a newer one in this tournament is
    its answer, for the wish was repeated. Raises a refusal.
    """
    offer = _admitted(user, tournament, password, address)
    # Open accounts before the lock: hundreds of registrations may wait for the tournament's lock.
    payer, till = money.player(user), money.till(offer)
    with tournament_transaction(offer.pk) as tx:
        if (made := made_since(user, after, tournament=offer.pk)) is not None:
            return made
        return _buy(tx, user, ticket, payer, till, shows_cards=shows_cards)


def newest(user: User) -> int:
    """Return the key of a player's newest live entry of all tournaments, 0 without one."""
    live = Entry.objects.filter(user=user, state__in=Entry.LIVE)
    return max(live.values_list("pk", flat=True), default=0)


def made_since(user: User, after: int | None, **where: int) -> Entry | None:
    """Return the newest live entry of a player behind `after`, if any; `where` narrows them."""
    if after is None:
        return None
    live = Entry.objects.filter(user=user, state__in=Entry.LIVE, pk__gt=after, **where)
    return max(live.select_related("tournament"), key=lambda entry: entry.pk, default=None)


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
    Raises SeatsMembersAlone besides.
    """
    offer = _admitted(user, tournament, password, address)
    audiences.validate_seating(actor, user, offer)
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


def unregister(user: User, tournament: Tournament | int, entry_id: int | None = None) -> Entry:
    """Take an entry back before the start and refund it in full (T-06, T-16).

    `entry_id` is the one that is meant: taken back before, it is the answer to a repeated wish.
    Raises NotRegistered, AlreadyStarted or RegistrationClosed.
    """
    offer = _offer(tournament)
    if not privacy.may_list(user, offer):
        raise NoSuchTournament
    with tournament_transaction(offer.pk) as tx:
        entries = Entry.objects.filter(tournament=tx.tournament, user=user)
        if entry_id is not None:
            entries = entries.filter(pk=entry_id)
            gone = entries.filter(state=Entry.State.UNREGISTERED).first()
            if gone is not None:
                return gone
        entry = entries.filter(state__in=Entry.LIVE).first()
        if entry is None:
            raise NotRegistered
        return _withdraw(tx, entry)


def take_out(entry_id: int, *, actor: User | None, reason: str) -> Entry:
    """Take back the entry of a player before the start, on the terms of `unregister` (T-06).

    The player is told the reason, and may register again. Raises TakenBack or NoSuchTournament
    besides.
    """
    known = Entry.objects.filter(pk=entry_id).first()
    if known is None:
        raise NoSuchTournament
    with tournament_transaction(known.tournament_id) as tx:
        live = Entry.objects.filter(pk=entry_id, state__in=Entry.LIVE).first()
        if live is None:
            raise TakenBack
        entry = _withdraw(tx, live, reason)
        AuditRow.objects.create(
            tournament=tx.tournament,
            actor=actor,
            action=TAKE_OUT,
            reason=reason,
            details={
                "entry": entry.pk,
                "name": entry.name,
                "price": entry.paid,
                "ticket": entry.ticket_id,
            },
        )
    return entry


def _withdraw(tx: TournamentTransaction, entry: Entry, reason: str = "") -> Entry:
    """Take back a live entry of the locked tournament, and refund it."""
    locked = tx.tournament
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
    _tell_unregistered(tx, entry, reason, in_ticket=bool(in_tickets))
    if locked.password or not locked.is_listed:
        rights_changed(entry.user_id)
    _wake_after(tx)
    return entry


def _offer(tournament: Tournament | int) -> Tournament:
    if isinstance(tournament, Tournament):
        return tournament
    known = Tournament.objects.filter(pk=tournament).first()
    if known is None:
        raise NoSuchTournament
    return known


def _admitted(
    user: User, tournament: Tournament | int, password: str | None, address: str
) -> Tournament:
    """Return the tournament a player wants to enter; refuse others than its audience."""
    offer = _offer(tournament)
    if not privacy.may_list(user, offer):
        raise NoSuchTournament
    audiences.validate_entry(user, offer)
    places.validate_player(user, offer.bots)
    if offer.password:
        privacy.admit(user, offer, password, address)
    return offer


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
    entry = entering.enter(tx, user, paying, shows_cards=shows_cards)
    tx.pay(entering.price(tx.tournament, entry, payer, till))
    _wake_after(tx)
    return entry


def _tell_unregistered(
    tx: TournamentTransaction, entry: Entry, reason: str, *, in_ticket: bool
) -> None:
    tournament = tx.tournament
    tx.announce(PlayerUnregistered(entry.pk, entry.user_id, entry.name, tournament.entrants))
    left = tournament.entries.filter(user=entry.user, state__in=Entry.LIVE).count()
    refund, ticket = (0, entry.paid) if in_ticket else (entry.paid, 0)
    told = Unregistered(tournament.pk, tournament.name, refund, left, ticket, reason)
    tx.notify(entry.user_id, told)


def _wake_after(tx: TournamentTransaction) -> None:
    """Wake the tick: at once to start a full Sit & Go, else soon to tell the lobby (T-04)."""
    is_due = tx.tournament.is_full and tx.tournament.start == Start.SIT_AND_GO
    tx.wake(0 if is_due else bells.LOBBY_MS)
