"""Records of hands of named seats, for tests of figures."""

from __future__ import annotations

from tables.dealer.record import HandRecord, SeatAfter
from tables.dealer.state import DecisionNote, Played
from tables.engine.actions import Action
from tables.engine.result import result
from tests.tables.engine.scene import scene


def hand_of(
    stacks: dict[int, int],
    *acts: tuple[int, Action],
    times: tuple[int, ...] = (),
    hole: dict[int, str] | None = None,
    board: str = "",
) -> HandRecord:
    """Return a finished hand; the user of a seat is ten times its number."""
    known = {seat: cards.split() for seat, cards in (hole or {}).items()}
    made = scene(stacks, hole=known, board=board.split()).does(*acts)
    assert made.now.finished
    after = {seat.seat: seat.stack for seat in made.now.seats}
    return HandRecord(
        table=1, game=1, epoch=1, hand=1, level=1, round=0, began_ms=0, ended_ms=0,
        setup=made.setup,
        actions=tuple(Played(*one) for one in acts),
        result=result(made.now),
        seats=tuple(
            SeatAfter(seat, seat, 10 * seat, "", stack, after[seat], 0, False, True)
            for seat, stack in stacks.items()
        ),
        notes=tuple(DecisionNote(at_ms) for at_ms in times),
    )  # fmt: skip
