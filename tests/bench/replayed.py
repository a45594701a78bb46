"""Exported hands played again by pokerkit, counted by game: python -m tests.bench.replayed DIR."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from pokerkit import HandHistory

from tables.history.exports.differs import Difference
from tests.bench.shared.room_games import RoomHistory

REASONS = frozenset(get_args(Difference))
TOLD = frozenset({"no_code", "rake"})
"""Reasons beyond the standard that pokerkit can be told: the game, and the rake of the hand."""
NAMED_MAX = 0.05
"""Highest share of hands that differ with a reason."""

Verdict = Literal["equal", "told", "named", "different"]
"""Stacks are equal by the document alone; once pokerkit was told what the standard does not know;
different with a reason of the closed list; or without one."""


class Played(NamedTuple):
    """A replayed hand: its game, the reason that it names, and how its stacks compare."""

    game: str
    reason: str
    verdict: Verdict

    @property
    def equal(self) -> bool:
        """True unless the hand differs without naming the reason."""
        return self.verdict != "different"


def replay(path: Path) -> list[Played]:
    """Play every hand of a file."""
    with path.open("rb") as file:
        return [played(history) for history in RoomHistory.load_all(file)]


def played(history: HandHistory) -> Played:
    """Play one hand, and compare its stacks at the end with those that the document names."""
    reason = str(history.user_defined_fields.get("_differs", ""))
    return Played(str(history.variant), reason, _verdict(history, reason))


def _verdict(history: HandHistory, reason: str) -> Verdict:
    if reason and reason not in REASONS:
        return "different"
    gaps = _gaps(history)
    if gaps is not None and _are_the_rake(history, gaps):
        # A reason is a warning: with some of these hands nothing follows from it.
        return "told" if reason in TOLD else "equal"
    # Further reasons of a game without a code are not named; a raked hand has no other one.
    return "named" if reason not in ("", "rake") else "different"


def _gaps(history: HandHistory) -> list[int] | None:
    """Return the chips that each seat has more in pokerkit, None where it does not get to the end.

    A game is played without rake.
    """
    assert history.finishing_stacks is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            last = list(history)[-1]
        except (ValueError, KeyError):  # a decision that it does not allow, a card it misses
            return None
    if last.status:
        return None
    return [
        theirs - ours for theirs, ours in zip(last.stacks, history.finishing_stacks, strict=True)
    ]


def _are_the_rake(history: HandHistory, gaps: list[int]) -> bool:
    """Return whether winners alone have less than in pokerkit, together the rake of the hand."""
    winnings = history.winnings or []
    rake = int(history.user_defined_fields.get("_rake", 0))
    paid = all(gap >= 0 and (won or not gap) for gap, won in zip(gaps, winnings, strict=True))
    return paid and sum(gaps) == rake


def table(hands: list[Played]) -> Iterator[str]:
    """Yield the lines of a table: hands, and how many compare in which way, by game."""
    yield f"{'game':<26}{'hands':>8}{'equal':>8}{'told':>8}{'named':>8}{'different':>11}  reasons"
    for game in sorted({hand.game for hand in hands}):
        yield _row(game, [hand for hand in hands if hand.game == game])
    yield _row("all", hands)


def _row(game: str, hands: list[Played]) -> str:
    counts = Counter(hand.verdict for hand in hands)
    reasons = Counter((hand.verdict, hand.reason) for hand in hands if hand.reason)
    words = ", ".join(f"{verdict} {name} {n}" for (verdict, name), n in reasons.most_common())
    return (
        f"{game:<26}{len(hands):>8}{counts['equal']:>8}{counts['told']:>8}"
        f"{counts['named']:>8}{counts['different']:>11}  {words}"
    )


def share_named(hands: list[Played]) -> float:
    """Return the share of hands that differ with a reason."""
    return sum(hand.verdict == "named" for hand in hands) / len(hands)


def main(directory: Path) -> int:
    """Replay all files below a directory; return 1 for a difference or too many reasons."""
    paths = sorted(directory.rglob("*.phhs"))
    with Pool() as pool:
        hands = [hand for some in pool.imap(replay, paths) for hand in some]
    assert hands, f"no exported hands below {directory}"
    for line in table(hands):
        print(line)
    share = share_named(hands)
    print(f"different with a reason: {share:.1%} of all hands")
    return 1 if share > NAMED_MAX or not all(hand.equal for hand in hands) else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
