"""Rules of a hand that a golden hand alone does not show."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tables.engine.actions import Action, Bet, Call, Check, Fold, Raise, Show
from tables.engine.begin import begin
from tables.engine.events import (
    CardsShown,
    HandEnded,
    HandsRevealed,
    Mucked,
    Options,
    Posted,
    PostKind,
    PotAwarded,
    Rake,
    Stakes,
    StreetDealt,
)
from tables.engine.refusals import (
    ActionRefusal,
    AmountNotAllowed,
    AmountTooLarge,
    AmountTooSmall,
    CannotBet,
    CannotCheck,
    CannotFold,
    CannotRaise,
    CannotShow,
    HandNotOver,
    HandOver,
    NothingToCall,
    NothingToShow,
    NotInHand,
    NotYourTurn,
)
from tables.engine.state import Positions, Post
from tests.tables.engine.plays import random_play
from tests.tables.engine.scene import NL_50_100, Scene, scene

STUD = Stakes(0, 0, 5, "per_seat", bring_in=10, small_bet=40, big_bet=80)
EVEN = {1: 5000, 2: 5000, 3: 5000, 4: 5000}


@pytest.mark.rule("B-02")
def test_a_dead_small_blind_counts_in_the_first_pot_bet() -> None:
    hand = scene(
        {1: 9000, 3: 9000, 4: 9000},
        variant="omaha",
        limit="pot_limit",
        stakes=Stakes(100, 200),
        positions=Positions(1, None, 3, (3, 4, 1), dead_small_blind=2),
    )
    assert hand.now.actor == 4
    assert hand.option().raise_max == 700


@pytest.mark.rule("H-07")
def test_a_dead_small_blind_is_not_posted() -> None:
    hand = scene(
        {1: 1000, 3: 1000, 4: 1000},
        positions=Positions(1, None, 3, (3, 4, 1), dead_small_blind=2),
    )
    assert [(post.seat, post.kind) for post in hand.all(Posted)] == [(3, "big_blind")]
    hand.does((4, Call()), (1, Call()))
    assert hand.option().check and hand.now.actor == 3


@pytest.mark.rule("H-07")
def test_with_a_dead_button_dealing_and_later_streets_begin_left_of_it() -> None:
    hand = scene(
        {1: 1000, 3: 1000, 4: 1000, 5: 1000},
        positions=Positions(2, 3, 4, (3, 4, 5, 1)),
    )
    assert hand.now.actor == 5
    hand.does((5, Call()), (1, Call()), (3, Call()), (4, Check()))
    assert hand.now.actor == 3


@pytest.mark.rule("H-01")
def test_ten_seats_are_dealt_in_and_eleven_are_not() -> None:
    assert len(scene(dict.fromkeys(range(1, 11), 1000)).now.seats) == 10
    with pytest.raises(AssertionError, match="number of seats"):
        scene(dict.fromkeys(range(1, 12), 1000))


@pytest.mark.rule("O-02")
@pytest.mark.parametrize(("variant", "most"), [("omaha5", 8), ("omaha5_house", 8), ("omaha", 10)])
def test_no_more_seats_than_the_deck_allows(variant: str, most: int) -> None:
    assert len(scene(dict.fromkeys(range(1, most + 1), 900), variant=variant).now.seats) == most
    with pytest.raises(AssertionError, match="number of seats"):
        scene(dict.fromkeys(range(1, most + 2), 900), variant=variant)


@pytest.mark.rule("H-09")
def test_a_straddler_acts_last_and_its_first_turn_may_raise() -> None:
    hand = scene(EVEN, posts={4: (Post("straddle", 200),)})
    assert hand.now.actor == 1
    hand.does((1, Call()), (2, Call()), (3, Call()))
    assert hand.now.actor == 4
    assert hand.option().check and hand.option().raise_min == 300


@pytest.mark.rule("H-09")
@pytest.mark.parametrize(
    "posts",
    [
        {1: (Post("straddle", 200),)},
        {4: (Post("straddle", 300),)},
        {4: (Post("straddle", 200),), 1: (Post("straddle", 200),)},
    ],
)
def test_a_straddle_of_another_seat_or_amount_is_refused(
    posts: dict[int, tuple[Post, ...]],
) -> None:
    with pytest.raises(AssertionError, match="straddle"):
        scene(EVEN, posts=posts)


@pytest.mark.rule("P-03")
@pytest.mark.parametrize("kind", ["dead", "penalty"])
def test_dead_posts_go_to_the_main_pot_and_live_ones_count_as_bets(kind: PostKind) -> None:
    hand = scene(EVEN, posts={1: (Post(kind, 50), Post("big_blind", 100))})
    assert hand.now.dead == 50
    hand.does((4, Fold()))
    assert hand.now.actor == 1 and hand.option().check
    hand.does((1, Check()), (2, Fold()), (3, Check()))
    assert hand.now.pots[0].amount == 300


@pytest.mark.rule("S-01")
def test_a_seat_may_choose_to_show_a_beaten_hand() -> None:
    hole = {1: ("9c", "9d"), 2: ("8c", "8d"), 3: ("7c", "7d")}
    board = ("2c", "3h", "4h", "Ts", "Jc")
    acts: list[tuple[int, Action]] = [(1, Call()), (2, Call()), (3, Check())]
    down: list[tuple[int, Action]] = [(seat, Check()) for _ in range(3) for seat in (2, 3, 1)]
    for openly, mucks in (((), [3]), ((3,), [])):
        hand = scene({1: 900, 2: 900, 3: 900}, hole=hole, board=board, open_losers=openly).does(
            *acts, *down
        )
        assert [event.seat for event in hand.all(Mucked)] == mucks
        assert hand.stacks()[1] == 1100


@pytest.mark.rule("S-01")
def test_winners_of_a_showdown_are_always_shown() -> None:
    seen = 0
    for seed in range(400):
        told = random_play(seed)
        final = told.states[-1]
        if final.live.bit_count() < 2:
            assert not any(isinstance(event, CardsShown | Mucked) for event in told.events)
            continue
        shown = {event.seat for event in told.events if isinstance(event, CardsShown)}
        for event in told.events:
            if isinstance(event, PotAwarded):
                eligible = final.pots[event.pot].seats
                if len(eligible) > 1:
                    seen += 1
                    assert {share.seat for share in event.winners} <= shown
    assert seen > 100


@pytest.mark.rule("S-04")
def test_hands_are_revealed_before_any_card_of_the_run_out() -> None:
    hand = scene({1: 1000, 2: 1000}).does((1, Raise(1000)), (2, Call()))
    kinds = [type(event) for event in hand.events]
    assert kinds.index(HandsRevealed) < kinds.index(StreetDealt)
    assert kinds.count(StreetDealt) == 3


@pytest.mark.rule("S-04")
def test_ring_tables_may_keep_all_in_hands_face_down() -> None:
    hand = scene({1: 1000, 2: 1000}, options=Options(face_up=False))
    hand.does((1, Raise(1000)), (2, Call()))
    assert not hand.all(HandsRevealed)
    assert hand.now.finished


@pytest.mark.rule("R-02")
@pytest.mark.parametrize(
    ("rake", "taken"),
    [
        (Rake(250, 0, 100), 5),
        (Rake(250, 6, 100), 0),
        (Rake(250, 5, 100), 5),
        (Rake(2500, 0, 30), 30),
        (Rake(250, 0, 100, no_flop_no_drop=True), 0),
    ],
)
def test_rake_is_a_share_of_the_pot_within_its_limits(rake: Rake, taken: int) -> None:
    hand = scene({1: 1000, 2: 1000}, options=Options(rake=rake))
    hand.does((1, Call()), (2, Raise(500)), (1, Fold()))
    assert hand.result().rake == taken
    assert hand.stacks()[2] == 1100 - taken


@pytest.mark.rule("R-02")
def test_with_a_flop_the_rake_is_taken_and_the_high_half_pays_it() -> None:
    rake = Rake(1000, 0, 100, no_flop_no_drop=True)
    hand = scene(
        {1: 1000, 2: 1000},
        variant="omaha_hilo",
        options=Options(rake=rake),
        hole={1: ("Ac", "2d", "Kd", "Qs"), 2: ("9c", "9d", "Js", "Tc")},
        board=("9h", "3h", "4s", "8d", "Kc"),
    ).does((1, Call()), (2, Check()), *[(seat, Check()) for _ in range(3) for seat in (2, 1)])
    awards = [(award.half, award.amount, award.rake) for award in hand.all(PotAwarded)]
    assert awards == [("high", 110, 20), ("low", 90, 0)]
    assert hand.result().rake == 20


@pytest.mark.rule("D-02")
def test_an_open_pair_allows_the_big_bet_on_fourth_street_by_setting() -> None:
    hole = {1: ("2c", "3d", "9h", "9c"), 2: ("Kc", "Kd", "8h", "5c")}
    for setting, most in ((False, 40), (True, 80)):
        hand = scene(
            {1: 1000, 2: 1000},
            variant="stud",
            limit="fixed_limit",
            stakes=STUD,
            options=Options(open_pair=setting),
            hole=hole,
        ).does((2, Call()), (1, Call()))
        assert (hand.now.actor, hand.option().bet_min, hand.option().bet_max) == (1, 40, most)
        if setting:
            with pytest.raises(AmountNotAllowed):
                hand.does((1, Bet(60)))
            hand.does((1, Bet(80)))
            assert hand.option().raise_min == hand.option().raise_max == 160


@pytest.mark.rule("D-02")
def test_a_bring_in_seat_all_in_from_the_ante_passes_the_bring_in_on() -> None:
    hand = scene(
        {1: 1000, 2: 5, 3: 1000},
        variant="stud",
        limit="fixed_limit",
        stakes=STUD,
        hole={1: ("Ac", "Ad", "9h"), 2: ("Kc", "Kd", "2c"), 3: ("Qc", "Qd", "3h")},
    )
    assert hand.now.actor == 3
    with pytest.raises(CannotFold):
        hand.does((3, Fold()))


def refused(
    hand: Scene, seat: int, action: Fold | Check | Call | Bet | Raise | Show
) -> ActionRefusal:
    """Refusal of an action; asserts that the state did not change."""
    before, events = hand.now, len(hand.events)
    with pytest.raises(ActionRefusal) as caught:
        hand.does((seat, action))
    assert hand.now is before
    assert len(hand.events) == events
    return caught.value


def test_every_refusal_code_has_a_case() -> None:
    hand = scene(EVEN)
    assert isinstance(refused(hand, 1, Fold()), NotYourTurn)
    assert isinstance(refused(hand, 9, Fold()), NotInHand)
    assert isinstance(refused(hand, 4, Check()), CannotCheck)
    assert isinstance(refused(hand, 4, Bet(200)), CannotBet)
    assert refused(hand, 4, Raise(199)).allowed == {"min": 200, "max": 5000}
    assert isinstance(refused(hand, 4, Raise(-(10**30))), AmountTooSmall)
    assert isinstance(refused(hand, 4, Raise(5001)), AmountTooLarge)
    assert isinstance(refused(hand, 4, Show("both")), HandNotOver)
    hand.does((4, Fold()), (1, Call()), (2, Call()))
    assert isinstance(refused(hand, 3, Call()), NothingToCall)
    hand.does((3, Check()))
    assert isinstance(refused(hand, 2, Raise(500)), CannotRaise)
    assert isinstance(refused(hand, 4, Fold()), NotInHand)
    hand.does((2, Bet(100)), (3, Fold()), (1, Fold()))
    assert isinstance(refused(hand, 2, Fold()), HandOver)
    assert isinstance(refused(hand, 3, Show("both")), CannotShow)
    hand.does((2, Show("both")))
    assert isinstance(refused(hand, 2, Show("first")), NothingToShow)


def test_refusal_codes_are_unique_and_each_has_a_sentence() -> None:
    kinds = ActionRefusal.__subclasses__()
    engine = [kind for kind in kinds if kind.__module__ == "tables.engine.refusals"]
    assert len({kind.code for kind in engine}) == len(engine) >= 13
    assert all(kind.sentence.endswith(".") for kind in engine)


def test_turns_are_counted_up_by_one_with_every_decision_asked() -> None:
    for seed in range(50):
        turns = [state.turn for state in random_play(seed).states]
        assert turns[0] == 0
        assert all(after - before in (0, 1) for before, after in pairwise(turns))


@pytest.mark.rule("H-06")
def test_all_blinds_all_in_end_the_hand_from_the_beginning() -> None:
    hand = scene({1: 40, 2: 30})
    assert hand.now.finished
    assert isinstance(begin(hand.setup)[-1], HandEnded)


@pytest.mark.rule("N-01")
def test_each_busted_seat_names_the_winners_of_its_last_chips() -> None:
    busts = 0
    for seed in range(300):
        hand = Scene(random_play(seed).setup)
        random = Random(seed)
        while hand.now.actor is not None:
            option = hand.option()
            most = option.raise_max or option.bet_max
            act: Call | Check | Bet | Raise = Check() if option.check else Call()
            if most and random.random() < 0.5:
                act = Raise(most) if option.raise_max else Bet(most)
            hand.does((hand.now.actor, act))
        for out in hand.result().busted:
            busts += 1
            pot = hand.result().pots[out.pot]
            assert out.seat in pot.seats
            assert all(out.seat not in higher.seats for higher in hand.result().pots[out.pot + 1 :])
            rake = sum(award.rake for award in hand.result().awards if award.pot == out.pot)
            assert sum(share.amount for share in out.winners) == pot.amount - rake
            assert out.seat not in {share.seat for share in out.winners}
    assert busts > 100


def test_the_result_names_the_winning_hand() -> None:
    hand = scene(
        {1: 500, 2: 1000, 3: 1000},
        stakes=NL_50_100,
        hole={1: ("Qc", "Qd"), 2: ("Ac", "Ad"), 3: ("Kc", "Kd")},
        board=("2c", "3h", "8h", "9s", "Jc"),
    ).does((1, Raise(500)), (2, Raise(1000)), (3, Fold()))
    result = hand.result()
    assert [(stack.seat, stack.chips) for stack in result.stacks_before] == [
        (2, 1000),
        (3, 1000),
        (1, 500),
    ]
    assert {stack.seat: stack.chips for stack in result.stacks_after} == {1: 0, 2: 1600, 3: 900}
    assert (result.uncalled.seat, result.uncalled.chips) == (2, 500) if result.uncalled else False
    assert [(pot.amount, pot.seats) for pot in result.pots] == [(1100, (2, 1))]
    assert [(out.seat, out.winners[0].seat) for out in result.busted] == [(1, 2)]
    assert result.board == ("2c", "3h", "8h", "9s", "Jc")
    assert dict(result.shown) == {1: ("Qc", "Qd"), 2: ("Ac", "Ad")}
    assert result.rake == 0
