"""Cost of hiding the cards of a table: its state stored and read once, as each step does."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

ROUNDS = 400
AT_ONCE = 50


def main() -> None:
    """Print microseconds of a plain and of a hidden state, measured in turns in one process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DECK_KEY"] = "of a measurement, guards nothing, " * 2
    from tables.dealer import state as states
    from tables.store import deck_keys, hidden_states
    from tests.bench.engine.table_state import table_in_play

    deck_keys.held.load_files()
    state = table_in_play()
    ways: dict[str, Callable[[], object]] = {
        "plain": lambda: states.decode(states.encode(state)),
        "hidden": lambda: hidden_states.decode(hidden_states.encode(state)),
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for name, way in ways.items():
            began_s = time.process_time()
            for _ in range(AT_ONCE):
                way()
            best[name] = min(best[name], (time.process_time() - began_s) / AT_ONCE * 1e6)
    more = best["hidden"] - best["plain"]
    print(f"hiding: plain {best['plain']:.1f} us, hidden {best['hidden']:.1f} us, {more:+.1f} us")
    print(f"        bytes {len(states.encode(state))} and {len(hidden_states.encode(state))}")


if __name__ == "__main__":
    main()
