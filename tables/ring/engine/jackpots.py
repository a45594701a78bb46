"""Jackpots of ring tables: terms, feeding from the rake, hands that win, payments (J-01..J-03)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tables.engine.state import HandState
from tables.ring.engine.jackpot_hands import (
    ShowdownHand,
    least_strength,
    names_hand,
    showdown_hands,
)

UNIT = 10_000
"""Basis points of the whole."""

DAY = 24 * 60
"""Minutes of a day."""

_BAD_SHARE = _("A share lies between 0 and 100 percent.")
_NO_HAND = _("There is no hand of that name.")

JackpotKind = Literal["monte_carlo", "bad_beat", "smart"]
JackpotRole = Literal["winner", "loser", "table"]


class JackpotTier(msgspec.Struct, frozen=True, array_like=True):
    """Share of the pool in basis points for one hand, named as in `tables.engine.notation`."""

    hand: str
    share: int


class JackpotTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terms of a jackpot; shares are basis points of the pool, `feed` of the rake.

    Monte Carlo pays a tier to the strongest hand, less the part `back` of it. The others pay when a
    hand of at least `least_loser` loses to one of at least `least_winner`. Conditions hold for the
    hand that triggers the jackpot, with `winner_too` also for the one that beats it. `hours` are
    pairs of minutes of the day, a pair may run over midnight; empty is the whole day.
    """

    kind: JackpotKind
    feed: int
    tiers: tuple[JackpotTier, ...] = ()
    back: int = 0
    loser: int = 0
    winner: int = 0
    table: int = 0
    next: int = 0
    room: int = 0
    least_loser: str = "pair"
    least_winner: str = "pair"
    both_hole_cards: bool = True
    pocket_pair: bool = True
    cards_shown: bool = True
    winner_too: bool = True
    hours: tuple[tuple[int, int], ...] = ()


JACKPOTS: dict[str, JackpotTerms] = {
    terms.kind: terms
    for terms in (
        JackpotTerms(
            kind="monte_carlo",
            feed=1_000,
            tiers=(
                JackpotTier("royal_flush", 10_000),
                JackpotTier("straight_flush", 5_000),
                JackpotTier("pair", 2_000),
            ),
            back=300,
        ),
        JackpotTerms(
            kind="bad_beat",
            feed=1_000,
            loser=3_500,
            winner=1_500,
            table=1_500,
            next=3_000,
            room=500,
        ),
        JackpotTerms(
            kind="smart",
            feed=500,
            loser=4_000,
            winner=2_500,
            table=1_500,
            next=1_500,
            room=500,
            hours=((18 * 60, 22 * 60),),
        ),
    )
}
"""Terms of the rules; the hours of the smart jackpot are an example."""


class JackpotPayment(NamedTuple):
    """Money of one seat in minor units; a Monte Carlo winner's is without the part paid back."""

    seat: int
    role: JackpotRole
    amount: int


class JackpotFall(NamedTuple):
    """A jackpot that fell: `pool` is the sum of all payments, the room's part and the next pool.

    `remainder` is what stays in the next pool beyond its share and beyond what winners pay back:
    odd units, and a share that nobody at the table could take.
    """

    pool: int
    payments: tuple[JackpotPayment, ...]
    room: int
    next_pool: int
    remainder: int


def feed(rake: int, basis_points: int) -> int:
    """Return the part of a hand's rake that goes into the pool, in whole minor units (J-01)."""
    return rake * basis_points // UNIT


def is_open(terms: JackpotTerms, minute: int) -> bool:
    """Return whether the jackpot can fall at this minute of the day (J-03)."""
    return not terms.hours or any(
        (minute - start) % DAY < ((end - start) % DAY or DAY) for start, end in terms.hours
    )


def winners(
    state: HandState, terms: JackpotTerms, pool: int, *, minute: int = 0
) -> JackpotFall | None:
    """Return the fall of a jackpot by this finished hand, None without a winner (J-01..J-03).

    `pool` already has the feeding of the hand; `minute` of the day is that of its beginning. Games
    without community cards have no jackpots.
    """
    assert state.finished, "a jackpot is decided at the end of a hand"
    if pool <= 0 or not is_open(terms, minute):
        return None
    hands = showdown_hands(state)
    if len(hands) < 2:
        return None
    best = max(hand.strength for hand in hands)
    top = [hand for hand in hands if hand.strength == best]
    if terms.kind == "monte_carlo":
        return _monte_carlo(top, terms, pool)
    beaten = [hand for hand in hands if hand.strength < best]
    return _bad_beat(state.order, top, beaten, terms, pool)


def check_terms(terms: JackpotTerms) -> None:
    """Refuse terms whose shares do not add up to the pool, or that name no hand or hour."""
    shares = (terms.loser, terms.winner, terms.table, terms.next, terms.room)
    if not all(0 <= part <= UNIT for part in (terms.feed, terms.back, *shares)):
        raise RuleRefusal("bad_share", _BAD_SHARE)
    if terms.kind == "monte_carlo":
        _check_tiers(terms.tiers)
    elif sum(shares) != UNIT:
        raise RuleRefusal(
            "shares_sum", _("The shares of a jackpot add up to 100 percent."), sum=sum(shares)
        )
    if not all(names_hand(name) for name in (terms.least_loser, terms.least_winner)):
        raise RuleRefusal("no_hand", _NO_HAND)
    if not all(0 <= start < DAY and 0 <= end <= DAY for start, end in terms.hours):
        raise RuleRefusal("bad_hours", _("Hours lie between 0:00 and 24:00."))


def check_feeds(feeds: Sequence[int]) -> None:
    """Refuse jackpots of one table that together take more than its rake."""
    if sum(feeds) > UNIT:
        raise RuleRefusal(
            "feeds_sum", _("The jackpots of a table take at most the whole rake."), sum=sum(feeds)
        )


def _check_tiers(tiers: tuple[JackpotTier, ...]) -> None:
    if not tiers or not all(names_hand(tier.hand) for tier in tiers):
        raise RuleRefusal("no_hand", _NO_HAND)
    if not all(0 < tier.share <= UNIT for tier in tiers):
        raise RuleRefusal("bad_share", _BAD_SHARE)
    if len({tier.hand for tier in tiers}) < len(tiers):
        raise RuleRefusal("hand_twice", _("A hand has one share."))


def _monte_carlo(top: Sequence[ShowdownHand], terms: JackpotTerms, pool: int) -> JackpotFall | None:
    share = next((tier.share for tier in terms.tiers if top[0].is_a(tier.hand)), 0)
    taking = _fulfilling(top, terms) if share else []
    if not taking:
        return None
    each = pool * share // UNIT // len(taking)
    net = each - each * terms.back // UNIT
    paid = tuple(JackpotPayment(hand.seat, "winner", net) for hand in taking if net)
    left = pool * share // UNIT - each * len(taking)
    return _fall(pool, paid, 0, left)


def _bad_beat(
    dealt: Sequence[int],
    top: Sequence[ShowdownHand],
    beaten: Sequence[ShowdownHand],
    terms: JackpotTerms,
    pool: int,
) -> JackpotFall | None:
    least = least_strength(terms.least_loser)
    losing = _fulfilling([hand for hand in beaten if hand.strength >= least], terms)
    if not losing or top[0].strength < least_strength(terms.least_winner):
        return None
    winning = _fulfilling(top, terms) if terms.winner_too else list(top)
    if not winning:
        return None
    most = max(hand.strength for hand in losing)
    losers = [hand.seat for hand in losing if hand.strength == most]
    winning_seats = [hand.seat for hand in winning]
    others = [seat for seat in dealt if seat not in {*losers, *winning_seats}]
    payments: list[JackpotPayment] = []
    left = pool - pool * terms.room // UNIT - pool * terms.next // UNIT
    roles: tuple[tuple[JackpotRole, int, list[int]], ...] = (
        ("loser", terms.loser, losers),
        ("winner", terms.winner, winning_seats),
        ("table", terms.table, others),
    )
    for role, share, seats in roles:
        each = pool * share // UNIT // len(seats) if seats else 0
        payments += [JackpotPayment(seat, role, each) for seat in seats if each]
        left -= each * len(seats)
    return _fall(pool, tuple(payments), pool * terms.room // UNIT, left)


def _fall(
    pool: int, payments: tuple[JackpotPayment, ...], room: int, remainder: int
) -> JackpotFall | None:
    """Return the fall of a pool; None when it is too small to pay one unit to anybody."""
    if not payments:
        return None
    paid = sum(payment.amount for payment in payments)
    return JackpotFall(pool, payments, room, pool - paid - room, remainder)


def _fulfilling(hands: Sequence[ShowdownHand], terms: JackpotTerms) -> list[ShowdownHand]:
    """Return the hands that meet the conditions of the jackpot."""
    conditions: tuple[tuple[bool, Callable[[ShowdownHand], bool]], ...] = (
        (terms.cards_shown, lambda hand: hand.is_shown),
        (terms.pocket_pair, ShowdownHand.has_pair_it_needs),
        (terms.both_hole_cards, ShowdownHand.plays_hole_cards),
    )
    return [hand for hand in hands if all(meets(hand) for asked, meets in conditions if asked)]
