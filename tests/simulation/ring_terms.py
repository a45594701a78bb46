"""Random ring games and rapid pools of a world, and the players who come to them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from tables.engine.variants import VARIANTS

SHARE = 0.25
"""Part of the seeds with a ring game beside the tournament."""
RAPID_SHARE = 0.15
"""Part of the other seeds with a rapid pool beside the tournament."""
PLAYERS_MAX = 8


@dataclass
class RingOffered:
    """One ring game to open: fields of `RingGame`, its players and the shares of its jackpot.

    `rake` is basis points, minimum and maximum of its rake table, None without rake; `jackpot` are
    the columns of a jackpot that pays often, None without one.
    """

    fields: dict[str, Any]
    players: int
    rake: tuple[int, int, int] | None = None
    jackpot: dict[str, Any] | None = None
    password: str = ""
    operations: list[tuple[int, str]] = field(default_factory=list)


def of_ring_seed(seed: int) -> RingOffered | None:
    """Return the ring game or rapid pool of a seed, None for seeds without one."""
    chance = random.Random(f"{seed} ring game")
    if chance.random() < SHARE:
        return _draw(chance)
    rapid = random.Random(f"{seed} rapid pool")
    return _rapid(rapid) if rapid.random() < RAPID_SHARE else None


def _rapid(chance: random.Random) -> RingOffered:
    """Draw a pool of few seats a hand, so that folded players find others."""
    drawn = _draw(chance)
    drawn.players = chance.choice((4, 6, PLAYERS_MAX))
    drawn.fields |= {
        "rapid": True,
        "straddle": False,
        "seats_max": chance.choice((2, 3, 4)),
        "tables_max": chance.choice((2, 3)),
        "pool_min": chance.choice((2, 2, 3)),
        "wait_ms": chance.choice((0, 300, 2_000)),
    }
    return drawn


def _draw(chance: random.Random) -> RingOffered:
    game = _game(chance)
    big = chance.choice((2, 10, 100, 500))
    least = big * chance.choice((5, 20))
    most = least if chance.random() < 0.2 else least * chance.choice((2, 5))
    rake = None if chance.random() < 0.25 else _rake(chance, big)
    jackpot = _jackpot(chance) if rake is not None and chance.random() < 0.6 else None
    if VARIANTS[game["variant"]].brings_in:
        jackpot = None
    return RingOffered(
        fields={
            **game,
            **_stakes(chance, game["variant"], big),
            **_pace(chance),
            "seats_max": chance.choice((2, 3, 4, 6)),
            "buy_in_min": least,
            "buy_in_max": most,
            "straddle": chance.random() < 0.5,
            "s0_order": chance.random() < 0.25,
            "tables_max": chance.choice((1, 1, 2)),
            "rake_per_street": rake is not None and chance.random() < 0.3,
            "no_flop_no_drop": rake is not None and chance.random() < 0.3,
        },
        players=chance.choice((2, 3, 4, 5, 6, PLAYERS_MAX)),
        rake=rake,
        jackpot=jackpot,
        password="secret" if chance.random() < 0.05 else "",
        operations=_operations(chance),
    )


def _game(chance: random.Random) -> dict[str, str]:
    if chance.random() < 0.75:
        return {"variant": "holdem", "limit": "no_limit"}
    variant = chance.choice(sorted(VARIANTS))
    return {"variant": variant, "limit": chance.choice(VARIANTS[variant].limits)}


def _stakes(chance: random.Random, variant: str, big: int) -> dict[str, Any]:
    if VARIANTS[variant].brings_in:
        return {
            "small_blind": 0,
            "big_blind": 0,
            "ante": max(1, big // 4),
            "ante_kind": "per_seat",
            "bring_in": big // 2,
            "small_bet": big,
            "big_bet": 2 * big,
        }
    ante = chance.random() < 0.2
    return {
        "small_blind": big // 2,
        "big_blind": big,
        "ante": max(1, big // 10) if ante else 0,
        "ante_kind": "per_seat" if ante else "none",
    }


def _pace(chance: random.Random) -> dict[str, Any]:
    return {
        "action_ms": chance.choice((1_000, 4_000, 8_000)),
        "bank_ms": chance.choice((0, 0, 2_000)),
        "disconnect_ms": chance.choice((0, 0, 3_000)),
        "sit_out_ms": chance.choice((3_000, 15_000, 60_000)),
        "rebuy_ms": chance.choice((1_000, 5_000)),
        "return_ms": chance.choice((0, 10_000)),
        "hand_pause_ms": chance.choice((0, 0, 400)),
        "showdown_pause_ms": chance.choice((0, 0, 300)),
        "street_pause_ms": chance.choice((0, 100)),
    }


def _rake(chance: random.Random, big: int) -> tuple[int, int, int]:
    """Draw share, minimum and maximum; many pots stay below the minimum."""
    share = chance.choice((250, 500, 1_000))
    return share, chance.choice((0, 1, max(1, big // 4), big)), chance.choice((big, 5 * big))


def _jackpot(chance: random.Random) -> dict[str, Any]:
    """Draw a jackpot that any pair over a pair triggers, and its shares in basis points."""
    shares = chance.choice(((3_500, 1_500, 1_500, 3_000, 500), (3_333, 3_333, 1_111, 1_111, 1_112)))
    names = ("loser", "winner", "table", "next", "room")
    return {"feed": chance.choice((500, 1_000, 3_333))} | dict(zip(names, shares, strict=True))


def _operations(chance: random.Random) -> list[tuple[int, str]]:
    """Draw operator steps, each with its time in ms after the game opened."""
    steps: list[tuple[int, str]] = []
    if chance.random() < 0.25:
        at_ms = chance.randint(1_000, 12_000)
        steps += [(at_ms, "freeze"), (at_ms + chance.randint(200, 5_000), "unfreeze")]
    if chance.random() < 0.1:
        steps.append((chance.randint(5_000, 25_000), "close"))
    more = random.Random(chance.getrandbits(32))
    for what in ("kick", "penalty", "penalty"):
        if more.random() < 0.4:
            steps.append((more.randint(2_000, 25_000), what))
    return steps
