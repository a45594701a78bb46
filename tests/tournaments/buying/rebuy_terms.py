"""Fields of tournaments with re-buys and an add-on."""

from __future__ import annotations

from typing import Any

REBUYS: dict[str, Any] = {
    "late_ends": "never_open",
    "late_value": 0,
    "rebuys_max": 2,
    "rebuy_until_level": 1,
    "rebuy_price": 900,
    "rebuy_fee": 50,
    "rebuy_threshold": "full",
}
ADD_ON: dict[str, Any] = {"add_on": True, "add_on_price": 700, "add_on_chips": 2_000}
