"""Actions open to the seat to act. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec


class Option(msgspec.Struct, frozen=True):
    """Actions open to the seat to act: chips to call, and the range of a bet or of a raise TO. A
    seat may fold, except the seat that must bring in; its call pays the bring-in (D-02).
    """

    check: bool
    call: int | None = None
    bet_min: int | None = None
    bet_max: int | None = None
    raise_min: int | None = None
    raise_max: int | None = None
    fold: bool = True
