"""Check the histories of many clients against each other; every finding is one sentence.

- Each client saw every stream in one order: no gap, no repetition, no difference between clients.
- Every acknowledged action took effect exactly once, a refused one never, and no unrequested action
  happened at a player's turn, unless its clock had run out.
- A client that saw a hand in play is told when that hand is void.
- No client saw a card of another seat before it was turned up for all.
- Every card turned up for all was dealt to the seat that shows it, was not folded, and is shown
  after the betting.
- There is at least one history with at least one message: an empty folder proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from tables.bots.client.history_rows import Torn, read
from tables.history.clients import cards, fates, shown
from tables.history.clients.client_history import Client
from tables.history.clients.room import ClientEvidence


class Verdict(msgspec.Struct, frozen=True):
    """Result of a check: `fates` counts actions; `violations` holds the first ones in full."""

    clients: int
    messages: int
    events: int
    hands: int
    cards_judged: int
    fates: dict[str, int]
    violations: list[str]
    violations_seen: int


def check_folder(folder: Path) -> Verdict:
    """Check all histories in a folder."""
    return check_histories({path.stem: _lines(path) for path in sorted(folder.glob("*.jsonl"))})


def check_histories(histories: Mapping[str, Iterable[bytes]]) -> Verdict:
    """Check histories by their clients' names."""
    room = ClientEvidence()
    for name, raw in histories.items():
        _read(name, raw, room)
    if not room.messages:
        room.violate("no client wrote down a message: there is nothing to check")
    judged = cards.judge(room) + shown.judge(room)
    counted = fates.judge(room)
    return Verdict(
        clients=len(histories),
        messages=room.messages,
        events=sum(len(events) for events in room.course.values()),
        hands=len(room.owned),
        cards_judged=judged,
        fates=counted,
        violations=room.violations,
        violations_seen=room.violations_seen,
    )


def _read(name: str, raw: Iterable[bytes], room: ClientEvidence) -> None:
    lines = iter(read(raw))
    try:
        first = next(lines, None)
        if first is None or first.user is None:
            room.violate(f"{name}: the history does not begin with its user")
            return
        Client(first.user, name, room).read(lines)
    except (Torn, msgspec.DecodeError) as problem:
        room.violate(f"{name}: {type(problem).__name__}: {problem}")


def _lines(path: Path) -> Iterable[bytes]:
    with path.open("rb") as file:
        yield from file
