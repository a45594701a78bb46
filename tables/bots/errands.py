"""Errands of a bot by the HTTP API: deals, votes, re-buys, leaving with chips of cash value."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from tables.bots import habits as ways
from tables.bots.habits import Habits
from tables.bots.lobby_rows import LobbyTournament
from tables.bots.playing.pace import Pace

_FAST_S = (0.05, 0.5)
_HUMAN_S = (3.0, 12.0)


Body = dict[str, object]
"""Fields of the body of a request."""


class Errand(msgspec.Struct, frozen=True):
    """A request to the API `after_s` seconds from now, as a person would press a button.

    With `look` that address of the site is read first, and the request is sent only when it offers
    a `rebuy`: the body then names its entry.
    """

    after_s: float
    path: str
    body: Body
    method: str = "POST"
    look: str = ""


def errands(facts: dict[str, Any], chance: Random, pace: Pace, habits: Habits) -> list[Errand]:
    """Return the errands after one notice; most notices need none."""
    match facts:
        case {"type": "deal_vote", "tournament": int(tournament), "deal": int(deal)}:
            yes = ways.happens(habits.agrees, chance)
            path = f"/tournaments/{tournament}/deals/{deal}/votes"
            return [Errand(pause_s(chance, pace), path, {"yes": yes})]
        case {"type": "deals_open", "tournament": int(tournament)}:
            if not ways.happens(habits.proposes, chance):
                return []
            path = f"/tournaments/{tournament}/deals"
            return [Errand(pause_s(chance, pace), path, {"kind": chance.choice(habits.deals)})]
        case _:
            return []


def after_hand(
    offer: LobbyTournament, chips: int, chance: Random, pace: Pace, habits: Habits
) -> list[Errand]:
    """Return the errands with `chips` left after a hand of the tournament in a lobby row."""
    place = f"/tournaments/{offer.tournament}"
    if offer.rebuys and ways.tops_up(chips, offer.starting_stack, habits, chance):
        return [Errand(pause_s(chance, pace), f"{place}/rebuys", {}, look=f"{place}/seat/")]
    if offer.cash_value and ways.cashes_out(chips, offer.starting_stack, habits, chance):
        return [Errand(pause_s(chance, pace), f"{place}/leave", {})]
    return []


def pause_s(chance: Random, pace: Pace) -> float:
    """Return the seconds until a bot presses the button of an errand."""
    return chance.uniform(*(_FAST_S if pace == "fast" else _HUMAN_S))
