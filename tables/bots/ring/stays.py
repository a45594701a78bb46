"""Requests of a bot at a ring table: before, between and after hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tables.bots import habits as ways
from tables.bots.errands import Body, Errand, pause_s
from tables.bots.habits import Habits
from tables.bots.playing.pace import Pace
from tables.bots.ring.rows import RingGameRow, RingSeatOfferRow, RingStay


def choose_game(
    games: Sequence[RingGameRow], leave_seats: int, habits: Habits, chance: Random
) -> RingGameRow | None:
    """Return an open game with more free seats than `leave_seats`, which are left to people.

    Seats of tables that the room would open do not count: nobody plays there yet. A rapid pool is
    never full, and one that would deal no hand after the next player has left comes first. Of the
    others, the game with the fewest players does.
    """
    fitting = [
        game for game in _open(games, habits) if game.rapid or game.free - game.spare > leave_seats
    ]
    small = [game for game in fitting if game.rapid and game.players <= game.pool_min]
    return min(small or fitting, key=lambda game: (game.players, chance.random()), default=None)


def choose_wait(games: Sequence[RingGameRow], habits: Habits, chance: Random) -> RingGameRow | None:
    """Return a full game to wait for, None when the bot would rather not wait."""
    full = [game for game in _open(games, habits) if not (game.free or game.rapid)]
    return chance.choice(full) if full and ways.happens(habits.waits, chance) else None


def buy_in(game: RingGameRow, chance: Random) -> int:
    """Return an amount the table allows, in whole steps of a hundredth of its maximum."""
    step = max(1, game.buy_in_max // 100)
    least, most = -(-game.buy_in_min // step), game.buy_in_max // step
    return min(game.buy_in_max, max(game.buy_in_min, step * chance.randint(min(least, most), most)))


def sit_wish(game: RingGameRow, habits: Habits, chance: Random) -> Body:
    """Return the body of a request for any seat of a game."""
    return known(game, habits) | {"amount": buy_in(game, chance)}


def asked_for(said: Mapping[str, Any]) -> int | None:
    """Return the amount that a room asks of a player who left the game with more a short time ago.

    None for any other answer.
    """
    if said.get("code") not in ("return_too_small", "buy_in_exact"):
        return None
    least = said.get("allowed", {}).get("least")
    return least if isinstance(least, int) else None


def known(game: RingGameRow, habits: Habits) -> Body:
    """Return what a request for a place at a private game says: its password."""
    return {"password": habits.password} if game.private else {}


def arrived(
    game: RingGameRow, stay: RingStay, chance: Random, pace: Pace, habits: Habits
) -> list[Errand]:
    """Return the choices of a bot that has just sat down: straddle, posting, automatic top-up."""
    wanted = []
    if game.straddle and ways.happens(habits.straddles, chance):
        wanted.append("straddle")
    if not game.rapid and ways.happens(habits.posts, chance):
        wanted.append("post")
    if game.buy_in_max > game.buy_in_min and ways.happens(habits.fills_up, chance):
        wanted.append("auto")
    return [_choose(stay, name, True, chance, pace) for name in wanted]


def after_ring_hand(
    game: RingGameRow, stay: RingStay, chips: int, chance: Random, pace: Pace, habits: Habits
) -> list[Errand]:
    """Return the errands with `chips` left after a hand: buy again, top up, or leave."""
    if not chips:
        if ways.happens(habits.buys, chance):
            return [_top_up(stay, buy_in(game, chance), chance, pace)]
        return [_leave(stay, chance, pace)]
    if ways.happens(habits.moves_on, chance):
        return [_leave(stay, chance, pace)]
    if chips <= game.buy_in_max // 2 and ways.happens(habits.tops_up, chance):
        return [_top_up(stay, game.buy_in_max - chips, chance, pace)]
    return []


def come_back(stay: RingStay, chance: Random, pace: Pace) -> Errand:
    """Return the choice of a bot that is dealt in again in its rapid pool."""
    return _choose(stay, "sit_out", False, chance, pace)


def take_wish(
    game: RingGameRow, offer: RingSeatOfferRow, habits: Habits, chance: Random
) -> tuple[str, Body] | None:
    """Return path and body to take an offered seat; None when the bot lets the offer expire."""
    if not ways.happens(habits.buys, chance):
        return None
    return f"/ring-offers/{offer.offer}/sessions", sit_wish(game, habits, chance)


def _open(games: Sequence[RingGameRow], habits: Habits) -> list[RingGameRow]:
    return [
        game
        for game in games
        if game.state == "open" and game.club is None and (habits.password or not game.private)
    ]


def _top_up(stay: RingStay, amount: int, chance: Random, pace: Pace) -> Errand:
    return Errand(pause_s(chance, pace), f"{_path(stay)}/top-ups", {"amount": amount})


def _choose(stay: RingStay, choice: str, on: bool, chance: Random, pace: Pace) -> Errand:
    body: Body = {"choice": choice, "on": on}
    return Errand(pause_s(chance, pace), f"{_path(stay)}/choices", body)


def _leave(stay: RingStay, chance: Random, pace: Pace) -> Errand:
    return Errand(pause_s(chance, pace), _path(stay), {}, method="DELETE")


def _path(stay: RingStay) -> str:
    return f"/ring-sessions/{stay.session}"
