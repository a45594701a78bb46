"""Exported hands played again by pokerkit, counted by game: python -m tests.bench.replayed DIR."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple, get_args

from pokerkit import HandHistory

from tables.history.exports.differs import Difference

REASONS = frozenset(get_args(Difference))
BEYOND_THE_STANDARD = frozenset({"no_code", "rake", "posts"})
"""Reasons that concern whole games, not single hands: games without a code, and ring games."""
DIFFERING_MAX = 0.05
"""Highest share of hands with a reason among those that the standard can describe."""


class Played(NamedTuple):
    """A replayed hand: its game, the reason that it names, and whether stacks are equal."""

    game: str
    reason: str
    equal: bool


def replay(path: Path) -> list[Played]:
    """Play every hand of a file; a hand that names a reason need not be equal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with path.open("rb") as file:
            return [_played(history) for history in HandHistory.load_all(file)]


def _played(history: HandHistory) -> Played:
    reason = str(history.user_defined_fields.get("_differs", ""))
    game = str(history.variant)
    if reason:
        return Played(game, reason, reason in REASONS)
    last = list(history)[-1]
    return Played(game, "", not last.status and last.stacks == history.finishing_stacks)


def table(hands: list[Played]) -> Iterator[str]:
    """Yield the lines of a table: hands, equal ones, named reasons and differences by game."""
    yield f"{'game':<26}{'hands':>8}{'equal':>8}{'named':>8}{'different':>11}  reasons"
    for game in sorted({hand.game for hand in hands}):
        own = [hand for hand in hands if hand.game == game]
        yield _row(game, own)
    yield _row("all", hands)


def _row(game: str, hands: list[Played]) -> str:
    named = Counter(hand.reason for hand in hands if hand.reason)
    different = sum(not hand.equal for hand in hands)
    equal = len(hands) - named.total() - sum(not h.equal for h in hands if not h.reason)
    words = ", ".join(f"{reason} {count}" for reason, count in named.most_common())
    return f"{game:<26}{len(hands):>8}{equal:>8}{named.total():>8}{different:>11}  {words}"


def share_named(hands: list[Played]) -> float:
    """Return the share of hands with a reason among those that the standard can describe."""
    within = [hand for hand in hands if hand.reason not in BEYOND_THE_STANDARD]
    return sum(bool(hand.reason) for hand in within) / max(1, len(within))


def main(directory: Path) -> int:
    """Replay all files below a directory; return 1 for a difference or too many reasons."""
    paths = sorted(directory.rglob("*.phhs"))
    with Pool() as pool:
        hands = [hand for some in pool.imap(replay, paths) for hand in some]
    assert hands, f"no exported hands below {directory}"
    for line in table(hands):
        print(line)
    share = share_named(hands)
    print(f"named among hands that the standard describes: {share:.1%}")
    return 1 if share > DIFFERING_MAX or not all(hand.equal for hand in hands) else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
