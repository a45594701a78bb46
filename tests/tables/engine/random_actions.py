"""Arbitrary actions of a broken or hostile client."""

from __future__ import annotations

from random import Random

import msgspec

from tables.engine.actions import Action

AMOUNTS = (0, 1, -1, 20, 40, 41, 100, 999, 6_000, -(10**9), 2**31, 2**62, 2**63 - 1, 10**23)


def random_wire_action(seed: int) -> tuple[int, Action]:
    """A seat, often a missing one, and an action decoded from JSON."""
    random = Random(seed)
    kind = random.choice(("fold", "check", "call", "bet", "raise", "show"))
    fields: dict[str, object] = {"type": kind}
    if kind in ("bet", "raise"):
        fields["amount"] = random.choice((*AMOUNTS, random.randint(-100, 7_000)))
    if kind == "show":
        fields["cards"] = random.choice(("first", "second", "both"))
    action = msgspec.json.decode(msgspec.json.encode(fields), type=Action)
    return random.choice((*range(1, 11), 0, -1, 2**40)), action
