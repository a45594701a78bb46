"""Habits of the bots of a swarm: entering, buying again, dealing, and staying at ring tables."""

from __future__ import annotations

from random import Random
from typing import Annotated, Literal

import msgspec

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
DealKind = Literal["equal", "chips", "icm"]
Said = Literal["buy", "decline", ""]
DEAL_KINDS: tuple[DealKind, ...] = ("equal", "chips", "icm")


class Habits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Shares of bots or of occasions, in percent."""

    late: Percent = 0
    """Bots that register only during late registration (E-01)."""
    entries: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """Most entries of a bot where several at once are allowed (E-03)."""
    tickets: bool = True
    """Pay with a ticket first where tickets are taken, then with money where allowed (K-02)."""
    password: str = ""
    """Password known to all bots; without one they stay out of private tournaments (T-02)."""
    buys: Percent = 70
    """Offers that are bought (E-02, E-04, E-05)."""
    declines: Percent = 20
    """Offers that are declined; the rest is not answered."""
    tops_up: Percent = 30
    """Occasions on which a bot with at most half a starting stack asks for a re-buy (E-04)."""
    leaves: Percent = 10
    """Occasions on which a bot that doubled its chips of cash value leaves with them (A-04)."""
    proposes: Percent = 25
    """Occasions on which a bot that may propose a deal proposes one (Y-01)."""
    agrees: Percent = 90
    """Votes for a deal."""
    moves_on: Percent = 1
    """Hands of a ring game after which a bot leaves the table (R-01)."""
    straddles: Percent = 20
    """Sessions of a ring game in which a bot straddles where it may (H-09)."""
    posts: Percent = 50
    """Sessions of a ring game in which a bot posts at once instead of waiting for the big blind."""
    fills_up: Percent = 25
    """Sessions of a ring game in which a bot tops up automatically to the maximum (R-01)."""
    waits: Percent = 70
    """Looks at full ring games after which a bot joins a waiting list."""
    chats: Percent = 0
    """Hands after which a bot writes to its table; with any, bots follow their tables' chats."""
    reloads: Percent = 1
    """Hands after which a bot with a browser loads its page anew."""
    deals: Annotated[tuple[DealKind, ...], msgspec.Meta(min_length=1)] = DEAL_KINDS
    """Kinds of deals that bots propose."""


decode = msgspec.json.Decoder(Habits).decode
"""Decode habits from JSON; raises msgspec.DecodeError."""


def happens(percent: int, chance: Random) -> bool:
    """Return True with a chance of `percent` in a hundred."""
    return chance.random() * 100 < percent


def comes_late(number: int, bots: int, habits: Habits) -> bool:
    """Return whether bot `number` (from 0) of `bots` registers late: the last ones do."""
    return (bots - number) * 100 <= habits.late * bots


def entries_wanted(entries_max: int, several: bool, habits: Habits, chance: Random) -> int:
    """Return how many simultaneous entries a bot takes where `entries_max` are allowed."""
    most = min(habits.entries, entries_max) if several else 1
    return chance.randint(1, most)


def answer(habits: Habits, chance: Random) -> Said:
    """Return the bot's reply to an offer; "" lets the offer expire."""
    said = chance.random() * 100
    if said < habits.buys:
        return "buy"
    return "decline" if said < habits.buys + habits.declines else ""


def tops_up(chips: int, starting_stack: int, habits: Habits, chance: Random) -> bool:
    """Return whether a bot with `chips` left after a hand asks for a re-buy (E-04)."""
    return 0 < chips <= starting_stack // 2 and happens(habits.tops_up, chance)


def cashes_out(chips: int, starting_stack: int, habits: Habits, chance: Random) -> bool:
    """Return whether a bot with `chips` of cash value leaves with them after a hand (A-04)."""
    return chips >= 2 * starting_stack and happens(habits.leaves, chance)


def payments(methods: str, habits: Habits) -> list[dict[str, object]]:
    """Return the wishes of a registration in order; the second if no ticket fits (K-02, T-02)."""
    known: dict[str, object] = {"password": habits.password} if habits.password else {}
    forms = [known] if methods != "ticket" or not habits.tickets else []
    if methods != "money" and habits.tickets:
        forms.insert(0, known | {"ticket": "any"})
    return forms
