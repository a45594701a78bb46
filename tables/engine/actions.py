"""Actions of a seat in a hand, one struct each."""

from __future__ import annotations

from typing import Literal

import msgspec


class Fold(msgspec.Struct, frozen=True, tag_field="type", tag="fold"):
    """Give up the hand and all chips put in (H-04)."""


class Check(msgspec.Struct, frozen=True, tag_field="type", tag="check"):
    """Pass the action on while nothing is owed (H-04)."""


class Call(msgspec.Struct, frozen=True, tag_field="type", tag="call"):
    """Match the current bet, all-in for less when the stack is short (H-04)."""


class Bet(msgspec.Struct, frozen=True, tag_field="type", tag="bet"):
    """Open the betting of a street with `amount` chips (B-01..B-04)."""

    amount: int


class Raise(msgspec.Struct, frozen=True, tag_field="type", tag="raise"):
    """Raise the current bet TO `amount` chips in total on this street (B-01..B-04)."""

    amount: int


class Show(msgspec.Struct, frozen=True, tag_field="type", tag="show"):
    """Show one or both own hole cards after the hand is over (S-02)."""

    cards: Literal["first", "second", "both"]


Action = Fold | Check | Call | Bet | Raise | Show


class Option(msgspec.Struct, frozen=True):
    """Actions open to the seat to act: chips to call, and the range of a bet or of a raise TO.

    A seat may fold, except the seat that must bring in; its call pays the bring-in (D-02).
    """

    check: bool
    call: int | None = None
    bet_min: int | None = None
    bet_max: int | None = None
    raise_min: int | None = None
    raise_max: int | None = None
    fold: bool = True
