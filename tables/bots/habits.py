"""What kind of players the bots of a swarm are: how they enter, buy again and deal."""

from __future__ import annotations

from random import Random
from typing import Annotated, Literal

import msgspec

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
DealKind = Literal["equal", "chips", "icm"]
Said = Literal["buy", "decline", ""]
DEAL_KINDS: tuple[DealKind, ...] = ("equal", "chips", "icm")


class Habits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of a hundred bots, or of a hundred times: each number says of what."""

    late: Percent = 0
    """Bots that register only while late registration lasts (E-01)."""
    entries: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """The most entries a bot takes where one may have several at once (E-03)."""
    tickets: bool = True
    """Where tickets pay, bots try one first, then money where that pays too (K-02)."""
    password: str = ""
    """Known to all bots; without one they stay out of private tournaments (T-02)."""
    buys: Percent = 70
    """Offers that are bought (E-02, E-04, E-05)."""
    declines: Percent = 20
    """Offers that are declined; the rest is not answered."""
    tops_up: Percent = 30
    """Times that a bot with at most half a starting stack asks for a re-buy (E-04)."""
    leaves: Percent = 10
    """Times that a bot which doubled its chips of cash value leaves with them (A-04)."""
    proposes: Percent = 25
    """Times that a bot proposes a deal when it may (Y-01)."""
    agrees: Percent = 90
    """Votes for a deal."""
    deals: Annotated[tuple[DealKind, ...], msgspec.Meta(min_length=1)] = DEAL_KINDS
    """The kinds they propose."""


decode = msgspec.json.Decoder(Habits).decode
"""Habits written as JSON; raises msgspec.DecodeError for what is none."""


def happens(percent: int, chance: Random) -> bool:
    """Whether something happens that happens so many of a hundred times."""
    return chance.random() * 100 < percent


def comes_late(number: int, bots: int, habits: Habits) -> bool:
    """Whether bot `number` of so many, counted from 0, comes late: the last ones do."""
    return (bots - number) * 100 <= habits.late * bots


def entries_wanted(entries_max: int, several: bool, habits: Habits, chance: Random) -> int:
    """How many entries at once a bot takes where each may have `entries_max`."""
    most = min(habits.entries, entries_max) if several else 1
    return chance.randint(1, most)


def answer(habits: Habits, chance: Random) -> Said:
    """What a bot says to an offer; nothing means that it is too slow."""
    said = chance.random() * 100
    if said < habits.buys:
        return "buy"
    return "decline" if said < habits.buys + habits.declines else ""


def tops_up(chips: int, starting_stack: int, habits: Habits, chance: Random) -> bool:
    """Whether a bot with so many chips left after a hand asks for a re-buy (E-04)."""
    return 0 < chips <= starting_stack // 2 and happens(habits.tops_up, chance)


def cashes_out(chips: int, starting_stack: int, habits: Habits, chance: Random) -> bool:
    """Whether a bot with so many chips of cash value leaves with them after a hand (A-04)."""
    return chips >= 2 * starting_stack and happens(habits.leaves, chance)


def payments(methods: str, habits: Habits) -> list[dict[str, str]]:
    """The forms of a registration, the next one for when no ticket fits (K-02, T-02)."""
    known = {"password": habits.password} if habits.password else {}
    forms = [known] if methods != "ticket" or not habits.tickets else []
    if methods != "money" and habits.tickets:
        forms.insert(0, known | {"ticket": "any"})
    return forms
