"""Refusals of amounts of chips by the rules of ring games."""

from __future__ import annotations

from config.refusals import RuleRefusal


class ChipsRefused(RuleRefusal):
    """An amount that a seat may not bring or add; the accepted ones in minor units."""

    money = frozenset({"least", "most"})
