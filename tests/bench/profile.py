"""Time of a hand by function: python -m tests.bench.profile [GAME]."""

from __future__ import annotations

import cProfile
import pstats
import sys
from typing import NamedTuple

from tests.bench.engine.recorded import GAMES, Game, recorded
from tests.bench.engine.speed import ours

HANDS = 1_000
ROWS = 20


class Row(NamedTuple):
    """Function with its calls per hand and its own share of all time in percent."""

    function: str
    calls: float
    percent: float


def print_profile(game: Game) -> list[Row]:
    """Play the mix of hands of a game under the profiler and print the slowest functions."""
    rows = profiled(game)
    print(f"\n{game.name}: own time of each function, {HANDS} hands of the mix")
    print("  calls a hand   share  function")
    for row in rows:
        print(f"  {row.calls:>12.1f}  {row.percent:>5.1f}%  {row.function}")
    return rows


def profiled(game: Game) -> list[Row]:
    """Return the functions with the largest share of time, largest first."""
    hands = recorded(game, HANDS, to_showdown=False)
    profile = cProfile.Profile()
    profile.enable()
    ours(hands)
    profile.disable()
    taken = pstats.Stats(profile).strip_dirs().get_stats_profile()
    found = [
        Row(
            f"{one.file_name}: {name}" if one.line_number else name,
            int(str(one.ncalls).split("/")[0]) / HANDS,
            100 * one.tottime / taken.total_tt,
        )
        for name, one in taken.func_profiles.items()
    ]
    return sorted(found, key=lambda row: -row.percent)[:ROWS]


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else GAMES[0].name
    for game in GAMES:
        if game.name == wanted:
            print_profile(game)
