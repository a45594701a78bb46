"""Tight-aggressive player with a seat's knowledge only."""

from __future__ import annotations

from random import Random
from typing import Literal

import msgspec

from room_client.messages.options import Option
from tables.bots.playing import starting_hands
from tables.bots.playing.equity import equity as equity_of
from tables.bots.playing.strength import equity

ActionName = Literal["fold", "check", "call", "bet", "raise"]

SHORT_BIG_BLINDS = 10
"""Big blinds at risk below which the choice before the flop is all-in or fold."""

_ALL_IN_SHARE = 0.4  # share of the rest: a larger bet is as good as all-in
_SAVED_CALL_SHARE = 0.12  # share of the stack: the most that a weak hand pays to see a flop
_BEHIND_A_BET = 0.10  # a bettor holds more than a random hand; a call must allow for it


class PlayerView(msgspec.Struct, frozen=True):
    """A player's knowledge at the own turn; amounts in chips."""

    cards: tuple[str, ...]
    board: tuple[str, ...]
    pot: int
    """All chips in the middle, the bets in front of the seats included."""
    option: Option
    stack: int
    """Chips behind."""
    bet: int
    """Own chips in front on this street."""
    at_risk: int
    """Most chips to lose in this hand: the stack, or the largest opponent's if smaller."""
    big_blind: int
    opponents: int
    """Other seats that still hold cards."""
    behind: int
    """Opponents that act after this turn."""
    raises: int
    """Bets and raises on this street so far; the blinds do not count."""
    variant: str = "holdem"


class Choice(msgspec.Struct, frozen=True):
    """An action; `amount` is a bet's chips or a raise's total."""

    action: ActionName
    amount: int | None = None


def choose(sight: PlayerView, chance: Random) -> Choice:
    """Return one of the actions that `sight.option` allows."""
    if sight.variant != "holdem":
        return _in_another_game(sight, chance)
    if not sight.board:
        return _before_the_flop(sight, chance)
    return _after_the_flop(sight, chance)


def _before_the_flop(sight: PlayerView, chance: Random) -> Choice:
    share = starting_hands.top(sight.cards)
    if sight.at_risk + sight.bet <= SHORT_BIG_BLINDS * sight.big_blind:
        return _push_or_fold(sight, share)
    if sight.raises == 0:
        return _open(sight, share, chance)
    if share <= (0.045 if sight.raises == 1 else 0.025) or _bluffs(sight, share, chance):
        return _raise_to(sight, 3 * (sight.bet + _to_call(sight)))
    cheap = _to_call(sight) <= _SAVED_CALL_SHARE * sight.stack
    if share <= (0.20 if sight.raises == 1 else 0.06) and (cheap or share <= 0.05):
        return _check_or_call(sight)
    if _odds(sight) <= 0.18 and cheap and share <= 0.6:
        return _check_or_call(sight)
    return _check_or_fold(sight)


def _push_or_fold(sight: PlayerView, share: float) -> Choice:
    blinds = max(1.0, (sight.at_risk + sight.bet) / sight.big_blind)
    if sight.raises == 0 and _can_raise(sight):
        widest = 0.65 / max(1, sight.behind) ** 0.65 * max(1.0, 8 / blinds) ** 0.5
        return _raise_to(sight, sight.bet + sight.stack) if share <= widest else _rest(sight)
    # Against an all-in or a raise the price decides: 45 % of the pot needs the best tenth of hands.
    widest = max(0.06, 0.08 + 1.6 * (0.45 - _odds(sight)))
    if share > widest:
        return _check_or_fold(sight)
    if _can_raise(sight) and _to_call(sight) > 0 and share <= widest / 2:
        return _raise_to(sight, sight.bet + sight.stack)
    return _check_or_call(sight)


def _open(sight: PlayerView, share: float, chance: Random) -> Choice:
    widest = 0.10 + 0.45 / sight.behind if sight.behind else 0.15
    if share <= widest and _can_raise(sight):
        limped = max(0, sight.pot - 2 * sight.big_blind)
        size = chance.choice((2.0, 2.2, 2.5, 3.0)) * sight.big_blind + limped
        return _raise_to(sight, int(size))
    return _rest(sight)


def _rest(sight: PlayerView) -> Choice:
    # Half a blind at good odds is worth a call.
    cheap = _odds(sight) <= 0.2 and _to_call(sight) <= _SAVED_CALL_SHARE * sight.stack
    return _check_or_call(sight) if cheap else _check_or_fold(sight)


def _bluffs(sight: PlayerView, share: float, chance: Random) -> bool:
    deep = sight.stack > 6 * _to_call(sight)
    return sight.raises == 1 and deep and share <= 0.4 and chance.random() < 0.04


def _after_the_flop(sight: PlayerView, chance: Random) -> Choice:
    now, later = equity(sight.cards, sight.board, sight.opponents, chance)
    if sight.option.check:
        value = now >= 0.62 and chance.random() < 0.85
        semi_bluff = later - now >= 0.12 and chance.random() < 0.4
        stab = sight.opponents == 1 and chance.random() < 0.15
        if value or semi_bluff or stab:
            return _bet(sight, chance.choice((0.5, 0.6, 0.75)))
        return Choice("check")
    if now >= 0.88 and chance.random() < 0.7:
        return _raise_to(sight, sight.bet + _to_call(sight) + int(0.8 * _pot_after_call(sight)))
    if later >= _odds(sight) + _BEHIND_A_BET * min(2, sight.raises):
        return _check_or_call(sight)
    return _check_or_fold(sight)


def _in_another_game(sight: PlayerView, chance: Random) -> Choice:
    """Play by the chance to win alone: bet and raise as a favourite, call at the right price."""
    share = equity_of(sight.variant, sight.cards, sight.board, sight.opponents, chance)
    fair = 1 / (sight.opponents + 1)
    if share >= fair + 0.2 * (1 + sight.raises) and chance.random() < 0.7:
        if sight.option.bet_min is not None:
            return _bet(sight, chance.choice((0.5, 0.75, 1.0)))
        return _raise_to(sight, sight.bet + _to_call(sight) + int(0.8 * _pot_after_call(sight)))
    if share >= _odds(sight) + 0.02 * sight.raises:
        return _check_or_call(sight)
    return _check_or_fold(sight)


def _bet(sight: PlayerView, share_of_pot: float) -> Choice:
    if sight.option.bet_min is None or sight.option.bet_max is None:
        return _raise_to(sight, sight.bet + int(share_of_pot * sight.pot))
    amount = int(share_of_pot * sight.pot)
    if amount >= _ALL_IN_SHARE * sight.stack:
        amount = sight.option.bet_max
    return Choice("bet", min(max(amount, sight.option.bet_min), sight.option.bet_max))


def _raise_to(sight: PlayerView, total: int) -> Choice:
    lowest, highest = sight.option.raise_min, sight.option.raise_max
    if lowest is None or highest is None:
        return _check_or_call(sight)
    if total - sight.bet >= _ALL_IN_SHARE * sight.stack:
        total = highest
    return Choice("raise", min(max(total, lowest), highest))


def _check_or_call(sight: PlayerView) -> Choice:
    return Choice("check") if sight.option.check else Choice("call")


def _check_or_fold(sight: PlayerView) -> Choice:
    if not sight.option.fold:
        return _check_or_call(sight)  # the bring-in of stud must be paid
    return Choice("check") if sight.option.check else Choice("fold")


def _can_raise(sight: PlayerView) -> bool:
    return sight.option.raise_max is not None


def _to_call(sight: PlayerView) -> int:
    return min(sight.option.call or 0, sight.stack)


def _pot_after_call(sight: PlayerView) -> int:
    return sight.pot + _to_call(sight)


def _odds(sight: PlayerView) -> float:
    """Share of the final pot that a call would pay; the chance to win must be higher."""
    to_call = _to_call(sight)
    return to_call / (sight.pot + to_call) if to_call else 0.0
