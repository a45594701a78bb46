"""Seats dealt in from hand to hand, blinds owed, straddle and penalties of ring tables."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.engine.begin import begun
from tables.engine.cards import DECK
from tables.engine.events import Posted, Stakes
from tables.engine.positions import clockwise, next_positions
from tables.engine.state import HandSetup, Player, Positions, Post, Rules
from tables.ring.engine.blinds import DealPlan, Owed, RingSeat, plan_deal

STAKES = Stakes(small_blind=50, big_blind=100)
STUD = Stakes(small_blind=0, big_blind=0, ante=10, ante_kind="per_seat", bring_in=20, small_bet=50)
NOBODY: frozenset[int] = frozenset()


def sitting(*numbers: int, **given_: object) -> list[RingSeat]:
    """Seats with 100 big blinds each."""
    return [RingSeat(number, 10_000, **given_) for number in numbers]  # type: ignore[arg-type]


def at(button: int, *seats: int) -> Positions:
    """Positions of a hand of these seats."""
    return next_positions(None, seats, NOBODY, button=button)


def planned(previous: Positions | None, seats: list[RingSeat], **options: bool) -> DealPlan:
    """Plan of a hand that is dealt."""
    plan = plan_deal(previous, seats, STAKES, **options)
    assert plan is not None
    return plan


class Evening:
    """A table whose players come, go, sit out and come back at random."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.s0_order = self.random.random() < 0.3
        self.straddle = self.random.random() < 0.7
        self.stakes = Stakes(50, 100, *self.random.choice(((0, "none"), (10, "per_seat"))))
        self.seats: dict[int, RingSeat] = {}
        self.previous: Positions | None = None
        self.change()

    def hands(self, count: int) -> Iterator[tuple[Positions | None, list[RingSeat], DealPlan]]:
        """Yield the positions before, the seats and the plan of each hand that is dealt."""
        for _ in range(count):
            seats = list(self.seats.values())
            plan = plan_deal(
                self.previous, seats, self.stakes, straddle=self.straddle, s0_order=self.s0_order
            )
            if plan is not None:
                yield self.previous, seats, plan
                self.take(plan)
            self.change()

    def take(self, plan: DealPlan) -> None:
        """Carry on after the hand."""
        self.previous = plan.positions or next_positions(
            None, plan.dealt, NOBODY, button=self.random.choice(plan.dealt), s0_order=self.s0_order
        )
        for number, seat in self.seats.items():
            owed = plan.owes[number]
            self.seats[number] = seat._replace(
                owes_small=owed.small,
                owes_big=owed.big,
                is_new=seat.is_new and number not in plan.dealt,
                absent=seat.absent or number in plan.refused,
                penalty=seat.penalty - plan.penalties.get(number, 0),
            )

    def change(self) -> None:
        """Let players come, leave, sit out, come back and choose."""
        chance = self.random.random
        for number in range(1, 8):
            seat = self.seats.get(number)
            if seat is None:
                if chance() < 0.15:
                    self.seats[number] = RingSeat(number, 10_000, is_new=True)
            elif chance() < 0.05:
                del self.seats[number]
            else:
                self.seats[number] = seat._replace(
                    absent=chance() < (0.7 if seat.absent else 0.1),
                    posts_now=chance() < 0.5,
                    straddles=chance() < 0.5,
                    skips_big_blind=chance() < 0.05,
                    stack=self.random.choice((0, 30, 120, 250, 10_000, 10_000, 10_000)),
                    penalty=self.random.choice((0, 0, 0, 70, 20_000)),
                )


def played(plan: DealPlan, seats: list[RingSeat], stakes: Stakes) -> list[Posted]:
    """Posts of the hand as the hand engine takes them."""
    positions = plan.positions
    if positions is None:
        positions = next_positions(None, plan.dealt, NOBODY, button=plan.dealt[0])
    stacks = {seat.seat: seat.stack for seat in seats}
    players = tuple(
        Player(number, stacks[number], plan.posts.get(number, ())) for number in plan.dealt
    )
    rules = Rules("holdem", "no_limit", stakes)
    progress = begun(HandSetup(1, rules, positions, players, DECK))
    return [event for event in progress.events if isinstance(event, Posted)]


SEEDS = st.integers(0, 10**6)


@pytest.mark.rule("H-07")
@given(SEEDS)
def test_positions_are_those_of_the_seats_dealt_in(seed: int) -> None:
    evening = Evening(seed)
    for previous, _, plan in evening.hands(40):
        assert len(plan.dealt) >= 2
        if previous is not None:
            assert plan.positions == next_positions(
                previous, plan.dealt, NOBODY, s0_order=evening.s0_order
            )


@pytest.mark.rule("H-07")
@given(SEEDS)
def test_active_seats_are_always_dealt_in_and_absent_ones_never(seed: int) -> None:
    for _, seats, plan in Evening(seed).hands(40):
        for seat in seats:
            if seat.absent or not seat.stack or seat.seat in plan.refused:
                assert seat.seat not in plan.dealt
            elif not seat.is_entering:
                assert seat.seat in plan.dealt


@pytest.mark.rule("H-07")
@given(SEEDS)
def test_entering_seats_post_or_are_the_big_blind_and_never_enter_on_the_small_blind(
    seed: int,
) -> None:
    for previous, seats, plan in Evening(seed).hands(40):
        playing = [seat for seat in seats if seat.seat in plan.dealt and not seat.is_entering]
        if previous is None or plan.positions is None or len(playing) < 2:
            continue
        where = plan.positions
        assert where.big_blind is not None and previous.big_blind is not None
        for seat in seats:
            if not seat.is_entering or seat.seat not in plan.dealt or seat.seat == where.big_blind:
                continue
            assert seat.posts_now and plan.posts[seat.seat]
            assert seat.seat != where.small_blind
            if len(plan.dealt) > 2:
                around = clockwise(where.button, {where.button, previous.big_blind, seat.seat})
                assert around.index(seat.seat) > around.index(previous.big_blind)


@pytest.mark.rule("H-07", "H-09", "P-03")
@given(SEEDS)
def test_no_seat_pays_a_blind_twice_and_the_hand_engine_takes_every_post(seed: int) -> None:
    evening = Evening(seed)
    for _, seats, plan in evening.hands(25):
        posts = played(plan, seats, evening.stakes)
        for seat in seats:
            own = [post for post in posts if post.seat == seat.seat]
            live = [post.kind for post in own if post.kind in ("small_blind", "big_blind")]
            dead = sum(post.amount for post in own if post.kind in ("dead", "penalty"))
            assert len(live) <= 1
            assert sum(post.kind == "straddle" for post in own) <= 1
            assert dead <= evening.stakes.small_blind + plan.penalties.get(seat.seat, 0)
            assert plan.penalties.get(seat.seat, 0) <= seat.penalty


@pytest.mark.rule("H-07")
@given(SEEDS, st.integers(3, 7))
def test_a_seat_absent_for_a_full_orbit_owes_one_big_and_one_small_blind(
    seed: int, count: int
) -> None:
    random = Random(seed)
    numbers = random.sample(range(1, 11), count + 1)
    away, others = numbers[0], tuple(numbers[1:])
    previous: Positions | None = at(random.choice(numbers), *numbers)
    owed = Owed()
    hands = random.randint(count + 2, 3 * count)
    for _ in range(hands):
        seats = [*sitting(*others), RingSeat(away, 5_000, True, False, False, *owed)]
        plan = planned(previous, seats)
        previous, owed = plan.positions, plan.owes[away]
    assert owed == Owed(small=True, big=True)
    # Back and ready to pay: both at once, or nothing but the big blind when it comes.
    for posts_now in (True, False):
        paid: list[Posted] = []
        where = previous
        debt = owed
        while not paid:
            back = RingSeat(away, 5_000, False, False, posts_now, *debt)
            plan = planned(where, [*sitting(*others), back])
            where, debt = plan.positions, plan.owes[away]
            if away in plan.dealt:
                paid = played(plan, [*sitting(*others), back], STAKES)
        own = sorted((post.kind, post.amount) for post in paid if post.seat == away)
        assert own in ([("big_blind", 100)], [("big_blind", 100), ("dead", 50)])
        assert posts_now or own == [("big_blind", 100)]
        assert debt == Owed()


@pytest.mark.rule("H-07")
@given(SEEDS, st.integers(3, 9))
def test_a_seat_that_never_sits_out_owes_nothing_and_pays_each_blind_once_an_orbit(
    seed: int, count: int
) -> None:
    numbers = tuple(Random(seed).sample(range(1, 11), count))
    previous: Positions | None = at(numbers[0], *numbers)
    blinds = []
    for _ in range(count):
        plan = planned(previous, sitting(*numbers))
        previous = plan.positions
        assert previous is not None and set(plan.owes.values()) == {Owed()}
        blinds.append((previous.small_blind, previous.big_blind))
    assert sorted(small for small, _ in blinds if small) == sorted(numbers)
    assert sorted(big for _, big in blinds if big) == sorted(numbers)


@pytest.mark.rule("H-07")
def test_a_newcomer_waits_for_the_big_blind_or_posts_it_live() -> None:
    before = at(1, 1, 2, 3, 5)  # the big blind was at 3
    waiting = planned(before, [*sitting(1, 2, 3, 5), *sitting(6, is_new=True)])
    assert waiting.dealt == (1, 2, 3, 5) and waiting.posts == {}
    posting = planned(before, [*sitting(1, 2, 3, 5), *sitting(6, is_new=True, posts_now=True)])
    assert posting.dealt == (1, 2, 3, 5, 6)
    assert posting.posts == {6: (Post("big_blind", 100),)}
    reached = planned(before, [*sitting(1, 2, 3, 5), *sitting(4, is_new=True)])
    assert reached.positions is not None and reached.positions.big_blind == 4
    assert reached.posts == {}


@pytest.mark.rule("H-07")
@pytest.mark.parametrize("seat", [3, 4])
def test_a_newcomer_from_the_button_to_the_small_blind_waits_though_it_posts(seat: int) -> None:
    before = at(1, 1, 2, 4, 6, 8)  # small blind 2, big blind 4, which leaves
    stay = [number for number in (1, 2, 4, 6, 8) if number != seat]
    plan = planned(before, [*sitting(*stay), *sitting(seat, is_new=True, posts_now=True)])
    assert plan.dealt == tuple(stay)
    assert plan.positions is not None and plan.positions.big_blind == 6


@pytest.mark.rule("H-07")
def test_a_missed_small_blind_alone_is_posted_dead() -> None:
    before = at(1, 1, 2, 3, 4)
    away = planned(before, [*sitting(1, 2, 4), *sitting(3, absent=True)])
    assert away.positions is not None and away.positions.small_blind is None
    assert away.owes[3] == Owed(small=True)
    back = sitting(3, owes_small=True, posts_now=True)
    plan = planned(away.positions, [*sitting(1, 2, 4), *back])
    assert plan.posts == {3: (Post("dead", 50),)}
    waits = sitting(3, owes_small=True)
    assert planned(away.positions, [*sitting(1, 2, 4), *waits]).dealt == (1, 2, 4)


@pytest.mark.rule("H-07")
def test_everybody_is_dealt_in_at_the_first_hand_and_when_play_restarts() -> None:
    newcomers = sitting(2, 5, 7, is_new=True)
    first = planned(None, newcomers)
    assert (first.positions, first.dealt, first.posts) == (None, (2, 5, 7), {})
    owing = [*sitting(2), *sitting(5, owes_big=True, owes_small=True), *sitting(7, is_new=True)]
    again = planned(at(2, 2, 5), owing)
    assert again.dealt == (2, 5, 7) and again.posts == {}
    assert set(again.owes.values()) == {Owed()}


@pytest.mark.rule("H-07")
def test_fewer_than_two_present_seats_are_not_dealt() -> None:
    assert plan_deal(None, [], STAKES) is None
    alone = [*sitting(1), *sitting(2, absent=True), RingSeat(3, 0)]
    assert plan_deal(at(1, 1, 2, 3), alone, STAKES) is None


@pytest.mark.rule("H-11")
def test_a_seat_that_refuses_the_big_blind_is_out_of_the_hand() -> None:
    before = at(1, 1, 2, 3, 4, 5)
    seats = [*sitting(1, 2, 3, 5), *sitting(4, skips_big_blind=True)]
    plan = planned(before, seats)
    assert plan.positions is not None and plan.positions.big_blind == 5
    assert plan.refused == (4,) and plan.owes[4] == Owed(big=True)
    assert planned(before, [*sitting(1, 2, 3, 4), *sitting(5, skips_big_blind=True)]).refused == ()


@pytest.mark.rule("H-11")
def test_by_s0_the_button_of_two_posts_the_big_blind() -> None:
    plan = planned(at(1, 1, 2, 3), sitting(1, 2), s0_order=True)
    assert plan.positions is not None
    assert plan.positions.button == plan.positions.big_blind == 1


@pytest.mark.rule("H-09")
def test_the_seat_left_of_the_big_blind_straddles_if_it_asked_and_can_pay_in_full() -> None:
    before = at(1, 1, 2, 3, 4)  # next: big blind 4, straddle 1
    everybody = sitting(1, 2, 3, 4, straddles=True)
    assert planned(before, everybody, straddle=True).posts == {1: (Post("straddle", 200),)}
    assert planned(before, everybody).posts == {}
    assert planned(before, sitting(1, 2, 3, 4), straddle=True).posts == {}
    poor = [*everybody[1:], RingSeat(1, 199, straddles=True)]
    assert planned(before, poor, straddle=True).posts == {}
    assert planned(before, sitting(3, 4, straddles=True), straddle=True).posts == {}


@pytest.mark.rule("H-09")
def test_a_seat_that_posts_a_big_blind_does_not_straddle_too() -> None:
    before = at(1, 1, 2, 3, 4)
    seats = [*sitting(1, 2, 3, 4), *sitting(5, is_new=True, posts_now=True, straddles=True)]
    plan = planned(before, seats, straddle=True)
    assert plan.posts == {5: (Post("big_blind", 100),)}


@pytest.mark.rule("P-03")
def test_a_penalty_goes_into_the_main_pot_after_what_the_seat_must_pay() -> None:
    before = at(1, 1, 2, 3, 4)  # next: small blind 3, big blind 4
    seats = [
        RingSeat(1, 10_000, penalty=700),
        RingSeat(2, 10_000),
        RingSeat(3, 60, penalty=700),
        RingSeat(4, 80, penalty=700),
    ]
    plan = planned(before, seats)
    assert plan.penalties == {1: 700, 3: 10}
    assert plan.posts == {1: (Post("penalty", 700),), 3: (Post("penalty", 10),)}
    assert sum(post.amount for post in played(plan, seats, STAKES) if post.kind == "penalty") == 710


@pytest.mark.rule("H-07")
def test_without_blinds_nobody_waits_or_owes() -> None:
    before = next_positions(None, (1, 2, 3), NOBODY, button=1, blinds=False)
    seats = [*sitting(1, 2), *sitting(3, absent=True), *sitting(5, is_new=True)]
    plan = plan_deal(before, seats, STUD, blinds=False, straddle=True)
    assert plan is not None
    assert plan.dealt == (1, 2, 5) and plan.posts == {} and plan.owes[3] == Owed()
    assert plan.positions == next_positions(before, (1, 2, 5), NOBODY, blinds=False)
