"""Errands of a bot over HTTP: deals, votes, re-buys, leaving with chips of cash value."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tables.bots import habits as ways
from tables.bots.habits import Habits
from tables.bots.playing.pace import Pace

if TYPE_CHECKING:
    from tables.bots.lobby import LobbyTournament

_FAST_S = (0.05, 0.5)
_HUMAN_S = (3.0, 12.0)


class FormPost(msgspec.Struct, frozen=True):
    """A form to post `after_s` seconds from now, as a person would press a button.

    With `look` that page is read first, and the form is posted only when the page offers a `rebuy`:
    the form then names its entry.
    """

    after_s: float
    path: str
    form: dict[str, str]
    look: str = ""


def errands(facts: dict[str, Any], chance: Random, pace: Pace, habits: Habits) -> list[FormPost]:
    """Return the forms to post after one notice; most notices need none."""
    match facts:
        case {"type": "deal_vote", "tournament": int(tournament), "deal": int(deal)}:
            yes = "1" if ways.happens(habits.agrees, chance) else "0"
            path = f"/tournaments/{tournament}/deal/{deal}/vote/"
            return [FormPost(pause_s(chance, pace), path, {"yes": yes})]
        case {"type": "deals_open", "tournament": int(tournament)}:
            if not ways.happens(habits.proposes, chance):
                return []
            path = f"/tournaments/{tournament}/deal/propose/"
            return [FormPost(pause_s(chance, pace), path, {"kind": chance.choice(habits.deals)})]
        case _:
            return []


def after_hand(
    offer: LobbyTournament, chips: int, chance: Random, pace: Pace, habits: Habits
) -> list[FormPost]:
    """Return the forms to post with `chips` left after a hand of the tournament in a lobby row."""
    place = f"/tournaments/{offer.tournament}"
    if offer.rebuys and ways.tops_up(chips, offer.starting_stack, habits, chance):
        return [FormPost(pause_s(chance, pace), f"{place}/rebuy/", {}, look=f"{place}/seat/")]
    if offer.cash_value and ways.cashes_out(chips, offer.starting_stack, habits, chance):
        return [FormPost(pause_s(chance, pace), f"{place}/leave/", {})]
    return []


def pause_s(chance: Random, pace: Pace) -> float:
    """Return the seconds until a bot presses the button of an errand."""
    return chance.uniform(*(_FAST_S if pace == "fast" else _HUMAN_S))
