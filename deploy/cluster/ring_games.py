"""Ring games as a room or a drill opens them: stakes by the big blind, usual buy-ins, rake."""

from __future__ import annotations

from typing import Any

from tables.ring.models import RakeTable, RingGame
from tables.ring.sessions import operating

JACKPOTS = ("bad_beat", "monte_carlo", "smart")


def open_usual(name: str, big_blind: int, /, **terms: Any) -> RingGame:
    """Open a game with straddle and a buy-in of 40 to 100 big blinds; the blind in minor units.

    `terms` come before what is usual.
    """
    least, most = operating.usual_buy_in(big_blind, None, None)
    usual = {
        "small_blind": big_blind // 2,
        "big_blind": big_blind,
        "buy_in_min": least,
        "buy_in_max": most,
        "straddle": True,
        "rake_table": RakeTable.objects.order_by("pk").first(),
    }
    return operating.open_game(name=name, **{**usual, **terms})
