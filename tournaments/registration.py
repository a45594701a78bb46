"""Registering for a tournament and unregistering again (T-01..T-06, A-01)."""

from __future__ import annotations

from django.contrib.auth.hashers import check_password
from django.db import transaction

from accounts import ledger
from accounts.models import User
from tournaments import bells, locks, money
from tournaments.announcements import Outbox
from tournaments.announcements import tournament as stream_of
from tournaments.announcements import user as notices_of
from tournaments.client_events import (
    PlayerRegistered,
    PlayerUnregistered,
    Registered,
    Unregistered,
)
from tournaments.engine.lifecycle import PLAYED
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import Start, State
from tournaments.refusals import (
    AlreadyRegistered,
    AlreadyStarted,
    NoSuchTournament,
    NotRegistered,
    RegistrationClosed,
    TournamentFull,
    WrongPassword,
)


def register(user: User, tournament: Tournament | int, password: str | None = None) -> Entry:
    """Buy an entry for a player: all of it happens, or a refusal is raised and nothing has."""
    offer = _offer(tournament)
    if offer.password and not check_password(password or "", offer.password):
        raise WrongPassword
    # Accounts are opened before the lock: the lock is what five hundred others wait for.
    payer, pool, fees = money.player(user), money.pool(offer), money.fees()
    with transaction.atomic():
        locked = locks.tournament(offer.pk)
        _check(locked, user)
        entry = _enter(locked, user)
        if orders := money.price(entry, payer, pool, fees):
            ledger.transfer_all(orders)
        _tell_registered(locked, entry)
        _wake_after(locked)
    return entry


def unregister(user: User, tournament: Tournament | int) -> Entry:
    """Give an entry back before the start; the player gets everything back (T-06, T-16)."""
    offer = _offer(tournament)
    with transaction.atomic():
        locked = locks.tournament(offer.pk)
        entry = Entry.objects.filter(tournament=locked, user=user, state__in=Entry.LIVE).first()
        if entry is None:
            raise NotRegistered
        if locked.state in PLAYED:
            raise AlreadyStarted
        if locked.state != State.REGISTERING:
            raise RegistrationClosed(locked.state)
        assert entry.state == Entry.State.REGISTERED, "nobody is seated before the start"
        entry.state = Entry.State.UNREGISTERED
        entry.save(update_fields=["state"])
        locked.entrants -= 1
        locked.save(update_fields=["entrants"])
        if orders := money.refunds(locked, [entry]):
            ledger.transfer_all(orders)
        _tell_unregistered(locked, entry)
        _wake_after(locked)
    return entry


def _offer(tournament: Tournament | int) -> Tournament:
    if isinstance(tournament, Tournament):
        return tournament
    found = Tournament.objects.filter(pk=tournament).first()
    if found is None:
        raise NoSuchTournament
    return found


def _check(tournament: Tournament, user: User) -> None:
    if Entry.objects.filter(tournament=tournament, user=user, state__in=Entry.LIVE).exists():
        raise AlreadyRegistered
    if tournament.state != State.REGISTERING:
        raise RegistrationClosed(tournament.state)
    if tournament.entrants >= tournament.players_max:
        raise TournamentFull(tournament.players_max)


def _enter(tournament: Tournament, user: User) -> Entry:
    tournament.entrants += 1
    tournament.entries_made += 1
    tournament.save(update_fields=["entrants", "entries_made"])
    return Entry.objects.create(
        tournament=tournament,
        user=user,
        name=user.name,
        number=tournament.entries_made,
        paid_buy_in=tournament.buy_in,
        paid_fee=tournament.fee,
        chips_bought=tournament.starting_stack,
    )


def _tell_registered(tournament: Tournament, entry: Entry) -> None:
    outbox = Outbox()
    outbox.tell(
        stream_of(tournament.pk),
        PlayerRegistered(entry.pk, entry.user_id, entry.name, tournament.entrants),
    )
    outbox.tell(
        notices_of(entry.user_id),
        Registered(tournament.pk, tournament.name, entry.pk, tournament.price),
    )
    outbox.write()


def _tell_unregistered(tournament: Tournament, entry: Entry) -> None:
    refund = entry.paid_buy_in + entry.paid_fee
    outbox = Outbox()
    outbox.tell(
        stream_of(tournament.pk),
        PlayerUnregistered(entry.pk, entry.user_id, entry.name, tournament.entrants),
    )
    outbox.tell(notices_of(entry.user_id), Unregistered(tournament.pk, tournament.name, refund))
    outbox.write()


def _wake_after(tournament: Tournament) -> None:
    """Let the tick start a full Sit & Go at once, or tell the lobby soon (T-04)."""
    full = tournament.entrants >= tournament.players_max
    soon_ms = 0 if full and tournament.start == Start.SIT_AND_GO else bells.LOBBY_MS
    transaction.on_commit(lambda: bells.wake(tournament.pk, soon_ms), robust=True)
