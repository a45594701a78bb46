"""What the room promises to a prize pool: set aside at the opening, so that it is always there."""

from __future__ import annotations

from accounts.ledger import promotions, transfers
from accounts.ledger.transfers import InsufficientFunds, Order, Posting
from accounts.models import Account, AccountKind
from tournaments.models import Tournament
from tournaments.models.formats import Format
from tournaments.prizes import money, spins
from tournaments.refusals import RoomCannotPay


def most(tournament: Tournament) -> int:
    """The most the room may have to add to the pool, in cents: with the fewest entries (Z-01).

    Of a spin it is what the highest multiplier is worth more than the buy-ins (F-05).
    """
    least = tournament.players_min * tournament.buy_in
    if tournament.format == Format.SPIN:
        return max(0, max(spins.odds_of(tournament)) * tournament.buy_in - least)
    return max(tournament.added, tournament.guarantee - least)


def set_aside(tournament: Tournament) -> None:
    """Keep what is promised apart from now on, once; raises RoomCannotPay, then nothing changed.

    The tournament is locked.
    """
    amount = most(tournament)
    if not amount:
        return
    source, reserve = promotions.account(), _reserve(tournament)
    key = f"set_aside:{tournament.pk}"
    postings = [Posting(source, -amount), Posting(reserve, amount)]
    try:
        transfers.transfer(key=key, kind="set_aside", postings=postings)
    except InsufficientFunds as refusal:
        raise RoomCannotPay(amount, refusal.balance) from refusal


def held(tournament: Tournament) -> int:
    """What is set aside for a tournament, in cents."""
    rows = Account.objects.filter(kind=AccountKind.RESERVE, ref=tournament.member)
    return rows.values_list("balance", flat=True).first() or 0


def overlay(tournament: Tournament, amount: int) -> list[Order]:
    """What the room adds to the pool, from what was set aside; the rest is free again (Z-01).

    Below nothing it is what the room keeps: of a spin, or of a satellite without cash prizes.
    """
    kind = "overlay" if tournament.spin is None else "spin"
    kept = held(tournament)
    # What was promised before anything was set aside for it is owed all the same.
    paid = min(kept, max(0, amount))
    return money.order(
        f"overlay:{tournament.pk}",
        kind,
        [
            Posting(money.pool(tournament), amount),
            Posting(money.room(), paid - amount),
            *_released(tournament, kept, free=kept - paid),
        ],
    )


def overlay_back(tournament: Tournament, amount: int) -> list[Order]:
    """An overlay returns when a tournament is cancelled, and what is still set aside (T-12)."""
    kept = held(tournament) if tournament.pool is None else 0
    return money.order(
        f"overlay_back:{tournament.pk}",
        "overlay_back",
        [
            Posting(money.pool(tournament), -amount),
            Posting(money.room(), min(0, amount)),
            *_released(tournament, kept, free=kept + max(0, amount)),
        ],
    )


def bounties_made_up(tournament: Tournament, amount: int) -> list[Order]:
    """What was won from heads that are given back in full all the same (T-12)."""
    return money.order(
        f"bounty_made_up:{tournament.pk}",
        "bounty_made_up",
        [Posting(promotions.account(), -amount), Posting(money.bounties(tournament), amount)],
    )


def _released(tournament: Tournament, kept: int, *, free: int) -> list[Posting]:
    reserve = [Posting(_reserve(tournament), -kept)] if kept else []
    return [*reserve, Posting(promotions.account(), free)] if free else reserve


def _reserve(tournament: Tournament) -> Account:
    return transfers.account(AccountKind.RESERVE, ref=tournament.member)
