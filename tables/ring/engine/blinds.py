"""Next hand of a ring table: seats dealt in, blinds owed, straddle and penalties (H-07, H-09)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tables.engine.events import Stakes
from tables.engine.positions import clockwise, next_positions
from tables.engine.state import Positions, Post


class RingSeat(NamedTuple):
    """An occupied seat between two hands; chips include those added at this boundary.

    A newcomer (`is_new`), and a player who owes blinds, waits for the big blind unless he
    `posts_now`. `skips_big_blind` sits out as soon as the big blind would reach the seat.
    """

    seat: int
    stack: int
    absent: bool = False
    is_new: bool = False
    posts_now: bool = False
    owes_small: bool = False
    owes_big: bool = False
    straddles: bool = False
    penalty: int = 0
    skips_big_blind: bool = False

    @property
    def is_entering(self) -> bool:
        """Return whether the seat has to post or wait before it is dealt in."""
        return self.is_new or self.owes_small or self.owes_big


class Owed(NamedTuple):
    """Blinds that a seat missed while others posted theirs."""

    small: bool = False
    big: bool = False


class DealPlan(NamedTuple):
    """The next hand: `dealt` seats in ascending order and what they post beyond the blinds.

    `positions` is None for the first hand of a table, where the button is drawn. `owes` has every
    occupied seat, to hold once the hand is dealt; a seat that is dealt in is no newcomer any more.
    `penalties` are the chips of `posts` that pay a penalty. Seats of `refused` sit out from now on.
    """

    positions: Positions | None
    posts: dict[int, tuple[Post, ...]]
    owes: dict[int, Owed]
    dealt: tuple[int, ...]
    penalties: dict[int, int]
    refused: tuple[int, ...] = ()


def plan_deal(
    previous: Positions | None,
    seats: Sequence[RingSeat],
    stakes: Stakes,
    *,
    blinds: bool = True,
    straddle: bool = False,
    s0_order: bool = False,
) -> DealPlan | None:
    """Return the plan of the next hand, None without two seats to deal in (H-07, H-09, P-03).

    Missed blinds are posted before the deal, the big one live, the small one dead. A seat from the
    button to the small blind cannot post and waits. At the first hand, and with fewer than two
    seats that owe nothing, everybody present is dealt in and owes nothing. Without `blinds` (stud)
    nobody waits.
    """
    refused = refusing(previous, seats, blinds=blinds)
    present = {one: seat for one, seat in _present(seats).items() if one not in refused}
    if len(present) < 2:
        return None
    active = [seat for seat in present.values() if not seat.is_entering]
    if previous is None or not blinds or len(active) < 2:
        paying: dict[int, RingSeat] = {}
        positions = previous and next_positions(
            previous, tuple(present), frozenset(), s0_order=s0_order, blinds=blinds
        )
    else:
        positions, paying = _admit(previous, present, s0_order)
    dealt = tuple(sorted(positions.dealt if positions else present))
    posts = {seat: _owed_posts(paying[seat], stakes) for seat in dealt if seat in paying}
    if straddle and positions is not None and (left := _straddler(positions, dealt)) is not None:
        asked = present[left].straddles and not _posts_big_blind(posts.get(left, ()))
        post = Post("straddle", 2 * stakes.big_blind)
        forced = _forced(left, positions, stakes, posts.get(left, ()))
        if asked and present[left].stack >= forced + post.amount:
            posts[left] = (*posts.get(left, ()), post)
    penalties = _penalties(present, dealt, positions, stakes, posts)
    for seat, amount in penalties.items():
        posts[seat] = (*posts.get(seat, ()), Post("penalty", amount))
    return DealPlan(
        positions=positions,
        posts=posts,
        owes={seat.seat: _owes(seat, previous, positions, dealt) for seat in seats},
        dealt=dealt,
        penalties=penalties,
        refused=refused,
    )


def refusing(
    previous: Positions | None, seats: Sequence[RingSeat], *, blinds: bool = True
) -> tuple[int, ...]:
    """Return the seats that the next big blind reaches and that skip it, also if no hand is left.

    It reaches nobody who is alone: there is no hand.
    """
    present = _present(seats)
    refused: list[int] = []
    while previous is not None and blinds and len(present) > 1:
        assert previous.big_blind is not None, "a hand without a big blind in a game with blinds"
        reached = clockwise(previous.big_blind, present)[0]
        if not present[reached].skips_big_blind:
            break
        refused.append(reached)
        del present[reached]
    return tuple(refused)


def _present(seats: Sequence[RingSeat]) -> dict[int, RingSeat]:
    return {seat.seat: seat for seat in seats if not seat.absent and seat.stack > 0}


def _admit(
    previous: Positions, present: Mapping[int, RingSeat], s0_order: bool
) -> tuple[Positions, dict[int, RingSeat]]:
    """Return the positions, and the entering seats that are dealt in for a post."""
    assert previous.big_blind is not None
    big_blind = clockwise(previous.big_blind, present)[0]
    posting = {
        number: seat
        for number, seat in present.items()
        if seat.is_entering
        and seat.posts_now
        and number not in (big_blind, previous.big_blind)  # the second one is the small blind now
    }
    entitled = [number for number, seat in present.items() if not seat.is_entering]
    occupied = tuple({*entitled, big_blind, *posting})
    positions = next_positions(previous, occupied, frozenset(posting), s0_order=s0_order)
    return positions, posting


def _owed_posts(seat: RingSeat, stakes: Stakes) -> tuple[Post, ...]:
    """Return the posts of an entering seat, live chips first so that a short stack plays them."""
    posts = []
    if seat.is_new or seat.owes_big:
        posts.append(Post("big_blind", stakes.big_blind))
    if seat.owes_small:
        posts.append(Post("dead", stakes.small_blind))
    return tuple(posts)


def _straddler(positions: Positions, dealt: tuple[int, ...]) -> int | None:
    """Return the seat left of the big blind, None with two seats (H-09)."""
    if len(dealt) < 3 or positions.big_blind is None:
        return None
    return clockwise(positions.big_blind, dealt)[0]


def _posts_big_blind(posts: Iterable[Post]) -> bool:
    return any(post.kind == "big_blind" for post in posts)


def _forced(seat: int, positions: Positions | None, stakes: Stakes, posts: Iterable[Post]) -> int:
    """Return the chips that a seat must put in before the deal; most possible before a draw."""
    forced = sum(post.amount for post in posts)
    big, small = (positions.big_blind, positions.small_blind) if positions else (seat, None)
    is_big = seat == big
    if stakes.ante_kind == "per_seat" or (stakes.ante_kind == "big_blind" and is_big):
        forced += stakes.ante
    if is_big:
        return forced + stakes.big_blind
    return forced + (stakes.small_blind if seat == small else 0)


def _penalties(
    present: Mapping[int, RingSeat],
    dealt: tuple[int, ...],
    positions: Positions | None,
    stakes: Stakes,
    posts: Mapping[int, tuple[Post, ...]],
) -> dict[int, int]:
    """Return what each seat can pay of its penalty after its forced bets (P-03)."""
    paid = {
        seat: min(
            present[seat].penalty,
            present[seat].stack - _forced(seat, positions, stakes, posts.get(seat, ())),
        )
        for seat in dealt
        if present[seat].penalty
    }
    return {seat: amount for seat, amount in paid.items() if amount > 0}


def _owes(
    seat: RingSeat,
    previous: Positions | None,
    positions: Positions | None,
    dealt: tuple[int, ...],
) -> Owed:
    """Return what a seat owes after this deal: nothing when dealt in, else what passed it too."""
    if seat.seat in dealt:
        return Owed()
    owed = Owed(seat.owes_small, seat.owes_big)
    if seat.is_new or previous is None or positions is None or positions.big_blind is None:
        return owed
    assert previous.big_blind is not None
    last_small = previous.small_blind
    if last_small is None:
        last_small = previous.dead_small_blind
    assert last_small is not None
    return Owed(
        small=owed.small or _passed(last_small, previous.big_blind, seat.seat),
        big=owed.big or _passed(previous.big_blind, positions.big_blind, seat.seat),
    )


def _passed(start: int, end: int, seat: int) -> bool:
    """Return whether a blind that moved from `start` to `end` passed or reached the seat."""
    around = clockwise(start, {start, end, seat})
    return around.index(seat) <= around.index(end)
