"""Cost of boxing finished hands: hands settled with and without it in turns, in one process."""

from __future__ import annotations

from functools import partial

from tests.bench.shared import rooms
from tests.bench.shared.report import note
from tests.bench.shared.settlements import Taken, in_turns, shown, timed

HANDS = 1_000


def main() -> None:
    """Settle hands at ten tables of nine; print the medians of both kinds and of encoding."""
    with rooms.opened():
        taken = measured(rooms.seated(10, 9), HANDS)
    note(shown(taken, "boxing"))


def measured(tables: list[int], hands: int) -> Taken:
    """Return what settlements took, `boxed` and `plain`, and both ways of encoding."""
    from config.redis import room
    from tables.dealer import record
    from tables.records import stored
    from tables.store import fenced

    redis, boxed = room(), stored.encode

    def encode(table: int, taken: Taken) -> None:
        whole = fenced.peek(redis, table)
        assert whole is not None
        kept = record.of(whole)
        for name, way in (("encode boxed", boxed), ("encode plain", record.encode)):
            with timed(taken, name):
                way(kept)

    use = partial(setattr, stored, "encode")
    ways = {"boxed": partial(use, boxed), "plain": partial(use, record.encode)}
    return in_turns(tables, hands, ways, before=encode)


if __name__ == "__main__":
    main()
