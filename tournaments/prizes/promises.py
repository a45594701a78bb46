"""Promises of the room to a prize pool, set aside when registration opens."""

from __future__ import annotations

from accounts.ledger import promotions, transfers
from accounts.ledger.transfers import InsufficientFunds, Order, PostingRequest
from accounts.models import Account, AccountKind
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Tournament
from tournaments.prizes import money, spins
from tournaments.refusals import ClubCannotPay, RoomCannotPay


def most(tournament: Tournament) -> int:
    """Return the room's largest possible addition to the pool, in cents (Z-01).

    The addition is largest with the fewest entries; for a spin it is the worth of the highest
    multiplier above the buy-ins (F-05).
    """
    least = tournament.players_min * tournament.buy_in
    if tournament.format_rules.draws_pool:
        return max(0, max(spins.odds_of(tournament)) * tournament.buy_in - least)
    return max(tournament.added, tournament.guarantee - least)


def set_aside(tx: TournamentTransaction) -> None:
    """Set the promised amount aside, once; raise RoomCannotPay or ClubCannotPay, unchanged."""
    tournament = tx.tournament
    amount = most(tournament)
    if not amount:
        return
    source, reserve = payer(tournament), _reserve(tournament)
    postings = [PostingRequest(source, -amount), PostingRequest(reserve, amount)]
    tx.pay(money.order(f"set_aside:{tournament.pk}", "set_aside", postings))
    try:
        tx.book()
    except InsufficientFunds as refusal:
        raise cannot_pay(tournament, amount, refusal.balance) from refusal


def payer(tournament: Tournament) -> Account:
    """Return the account that pays promises: the club's promotions, else those of the room."""
    club = tournament.club
    return promotions.account("" if club is None else club.member)


def cannot_pay(tournament: Tournament, needed: int, free: int) -> RoomCannotPay | ClubCannotPay:
    """Return the refusal of a promise that the payer's account does not cover, in cents."""
    if tournament.club_id is None:
        return RoomCannotPay(needed, free)
    return ClubCannotPay(needed, free)


def held(tournament: Tournament) -> int:
    """Return the cents set aside for a tournament."""
    rows = Account.objects.filter(kind=AccountKind.RESERVE, ref=tournament.member)
    return rows.values_list("balance", flat=True).first() or 0


def overlay(tournament: Tournament, amount: int) -> list[Order]:
    """Pay the overlay into the pool from the amount set aside; release the rest (Z-01).

    A negative amount goes to the room: of a spin, or of a satellite without cash prizes.
    """
    kind = "overlay" if tournament.spin is None else "spin"
    kept = held(tournament)
    # A promise made before amounts were set aside is paid all the same.
    paid = min(kept, max(0, amount))
    return money.order(
        f"overlay:{tournament.pk}",
        kind,
        [
            PostingRequest(money.pool(tournament), amount),
            PostingRequest(money.room(), paid - amount),
            *_released(tournament, kept, free=kept - paid),
        ],
    )


def overlay_back(tournament: Tournament, amount: int) -> list[Order]:
    """Return the overlay and the amount set aside to the room on cancelling (T-12)."""
    kept = held(tournament) if tournament.pool is None else 0
    return money.order(
        f"overlay_back:{tournament.pk}",
        "overlay_back",
        [
            PostingRequest(money.pool(tournament), -amount),
            PostingRequest(money.room(), min(0, amount)),
            *_released(tournament, kept, free=kept + max(0, amount)),
        ],
    )


def bounties_made_up(tournament: Tournament, amount: int) -> list[Order]:
    """Replace collected bounties from the room's account for a full refund (T-12)."""
    return money.order(
        f"bounty_made_up:{tournament.pk}",
        "bounty_made_up",
        [
            PostingRequest(payer(tournament), -amount),
            PostingRequest(money.bounties(tournament), amount),
        ],
    )


def _released(tournament: Tournament, kept: int, *, free: int) -> list[PostingRequest]:
    reserve = [PostingRequest(_reserve(tournament), -kept)] if kept else []
    return [*reserve, PostingRequest(payer(tournament), free)] if free else reserve


def _reserve(tournament: Tournament) -> Account:
    return transfers.account(AccountKind.RESERVE, ref=tournament.member)
