"""Words for the game and stakes of a ring game; amounts in money."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.money import text
from tables.ring.models import RingGame
from tables.templatetags.games import game_words


def game_name(game: RingGame) -> str:
    """Return the game with its limit, e.g. No-Limit Hold'em."""
    return game_words(game.variant, game.limit)


def stakes(game: RingGame) -> str:
    """Return the forced bets, and the bets of split and spread limit: "0.05 / 0.10" (B-03, B-04).

    Stud has its bets instead of blinds; an ante is named behind them.
    """
    bets = _bets(game)
    if game.big_blind:
        words = f"{text(game.small_blind)} / {text(game.big_blind)}"
        words += f" · {_('bets')} {bets}" if bets else ""
    else:
        words = bets
    return f"{words} · {_('ante')} {text(game.ante)}" if game.ante else words


def _bets(game: RingGame) -> str:
    least = game.small_bet or game.big_blind
    most = game.big_bet or 2 * least
    if game.limit == "spread_limit":
        return f"{text(least)}–{text(most)}"
    if game.limit == "fixed_limit" or not game.big_blind:
        return f"{text(least)} / {text(most)}"
    return ""


def buy_in(game: RingGame) -> str:
    """Return the limits of the buy-in, or the one sum that is possible (S0)."""
    return amounts(game.buy_in_min, game.buy_in_max)


def amounts(least: int, most: int) -> str:
    """Return limits in minor units, or the one sum between them."""
    return text(least) if least == most else f"{text(least)}–{text(most)}"
