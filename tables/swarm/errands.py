"""What a bot does by HTTP when a notice asks for it: it proposes deals and votes on them."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from tables.swarm.pace import Pace

KINDS = ("equal", "chips", "icm")
PROPOSES = 0.25
SAYS_YES = 0.9
_FAST_S = (0.05, 0.5)
_HUMAN_S = (3.0, 12.0)


class Post(msgspec.Struct, frozen=True):
    """A form to post `after_s` from now, as a person would press a button."""

    after_s: float
    path: str
    form: dict[str, str]


def errands(facts: dict[str, Any], chance: Random, pace: Pace) -> list[Post]:
    """What to do about one notice; most ask for nothing."""
    match facts:
        case {"type": "deal_vote", "tournament": int(tournament), "deal": int(deal)}:
            yes = "1" if chance.random() < SAYS_YES else "0"
            path = f"/tournaments/{tournament}/deal/{deal}/vote/"
            return [Post(_after_s(chance, pace), path, {"yes": yes})]
        case {"type": "deals_open", "tournament": int(tournament)}:
            if chance.random() >= PROPOSES:
                return []
            path = f"/tournaments/{tournament}/deal/propose/"
            return [Post(_after_s(chance, pace), path, {"kind": chance.choice(KINDS)})]
        case _:
            return []


def _after_s(chance: Random, pace: Pace) -> float:
    return chance.uniform(*(_FAST_S if pace == "fast" else _HUMAN_S))
