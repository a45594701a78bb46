"""Hands in the manner of PokerStars: golden texts, and no limit hold'em read back by pokerkit."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from pokerkit import HandHistory

from tables.dealer.state import DecisionNote, MadeBy, Played
from tables.engine.actions import Call, Fold, Raise
from tables.engine.events import Stakes
from tables.engine.state import Post
from tables.engine.variants import VARIANTS
from tables.history.exports import hand, phh, pokerstars
from tables.history.exports.games import GameFacts, TournamentFacts
from tables.history.exports.pokerstars_words import GAMES, made_hand, roman
from tests.tables.engine.random_hands import random_setup
from tests.tables.engine.scene import Scene, scene
from tests.tables.history.exports.played import (
    GAME,
    USER,
    called,
    played_at_random,
    random_record,
    recorded,
)

GOLDEN = Path(__file__).with_name("golden")
HANDS = 40
WRITTEN = [
    ("holdem", "no_limit", 4),
    ("holdem", "no_limit", 9),
    ("holdem", "pot_limit", 1),
    ("holdem", "fixed_limit", 0),
    ("holdem", "spread_limit", 1),
    ("omaha", "no_limit", 1),
    ("omaha", "pot_limit", 1),
    ("omaha", "fixed_limit", 0),
    ("omaha5", "no_limit", 1),
    ("omaha5", "pot_limit", 1),
    ("omaha5", "fixed_limit", 0),
    ("omaha5_house", "no_limit", 1),
    ("omaha5_house", "pot_limit", 1),
    ("omaha5_house", "fixed_limit", 0),
    ("omaha_hilo", "no_limit", 1),
    ("omaha_hilo", "pot_limit", 1),
    ("omaha_hilo", "fixed_limit", 2),
    ("omaha5_hilo", "no_limit", 1),
    ("omaha5_hilo", "pot_limit", 1),
    ("omaha5_hilo", "fixed_limit", 6),
    ("stud", "no_limit", 0),
    ("stud", "pot_limit", 4),
    ("stud", "fixed_limit", 1),
    ("stud", "spread_limit", 4),
    ("stud_hilo", "no_limit", 1),
    ("stud_hilo", "pot_limit", 11),
    ("stud_hilo", "fixed_limit", 7),
    ("stud_hilo", "spread_limit", 4),
]


def golden(variant: str, limit: str, seed: int) -> str:
    """Text of a random hand as its first player saw it."""
    kept = random_record(Random(seed), variant, limit)
    user = USER + kept.setup.players[0].seat
    return pokerstars.written(hand.seen_by(user, kept, game=GAME, table=4, seats_max=9))


@pytest.mark.parametrize(("variant", "limit", "seed"), WRITTEN)
def test_a_hand_is_written_as_its_golden_file(variant: str, limit: str, seed: int) -> None:
    path = GOLDEN / f"{variant}_{limit}_{seed}.txt"
    assert golden(variant, limit, seed) == path.read_text()


def test_every_game_has_a_golden_file() -> None:
    written = {(variant, limit) for variant, limit, _ in WRITTEN}
    assert written == {(name, limit) for name, game in VARIANTS.items() for limit in game.limits}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pokerkit_reads_hands_back_with_equal_stacks() -> None:
    equal = 0
    for seed in range(HANDS):
        random = Random(seed)
        setup = random_setup(random, variant="holdem", limit="no_limit", seats=random.randint(2, 6))
        kept = played_at_random(random, setup)
        made_by: list[MadeBy] = ["player", "time_out", "disconnected", "absent"]
        notes = tuple(DecisionNote(0, random.choice(made_by)) for _ in kept.actions)
        kept = replace(kept, notes=notes)
        exported = hand.with_all_cards(kept, game=GAME, table=4, seats_max=9)
        if phh.fields(exported)["_differs"]:
            continue
        equal += 1
        [read] = HandHistory.from_pokerstars(pokerstars.written(exported), error_status=True)
        after = {stack.seat: stack.chips for stack in kept.result.stacks_after}
        assert read.seats is not None
        assert list(read)[-1].stacks == [after[seat] for seat in read.seats], seed
        assert (read.year, read.month, read.day) == (2026, 11, 23)
        assert read.seat_count == 9
    assert equal > HANDS // 2


def test_hidden_cards_are_left_out() -> None:
    for seed in range(HANDS):
        for variant in GAMES:
            kept = random_record(Random(seed), variant, "fixed_limit")
            exported = hand.seen_by(None, kept, game=GAME, table=4, seats_max=9)
            assert "?" not in pokerstars.written(exported)


def test_a_hand_of_a_ring_game_names_its_stakes_and_no_tournament() -> None:
    kept = random_record(Random(4), "holdem", "no_limit")
    ring = GameFacts(name="Ann's game", for_money=True)
    head, table, *rest = pokerstars.written(
        hand.seen_by(None, kept, game=ring, table=2, seats_max=6)
    ).splitlines()
    stakes = kept.setup.rules.stakes
    bets = f"({stakes.small_blind}/{stakes.big_blind})"
    assert f": Hold'em No Limit {bets} - " in head and "Tournament" not in head
    assert table.startswith("Table 'Anns game 2' 6-max (Play Money) Seat #")
    public = hand.seen_by(None, kept, game=GAME, table=2, seats_max=6)
    assert rest == pokerstars.written(public).splitlines()[2:]


@pytest.mark.parametrize(
    ("buy_in", "bounty", "fee", "price"),
    [
        (1_000, 0, 100, "1000+100"),
        (1_000, 500, 100, "1000+500+100"),
        (0, 500, 50, "0+500+50"),
        (0, 0, 0, "Freeroll"),
    ],
)
def test_the_price_of_an_entry_is_whole(buy_in: int, bounty: int, fee: int, price: str) -> None:
    facts = TournamentFacts(None, buy_in, bounty, fee, 1_500, True, 60_000)
    kept = random_record(Random(4), "holdem", "no_limit")
    cup = GameFacts("Cup", tournament=facts)
    text = pokerstars.written(hand.seen_by(None, kept, game=cup, table=2, seats_max=6))
    assert f": Tournament #{kept.game}, {price} Hold'em No Limit - Level " in text


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ((2026, 1, 10, 3, 4, 5), "2026/01/10 03:04:05 UTC [2026/01/09 22:04:05 ET]"),
        ((2026, 7, 10, 13, 4, 5), "2026/07/10 13:04:05 UTC [2026/07/10 9:04:05 ET]"),
    ],
)
def test_a_time_is_told_in_the_zone_of_pokerstars_last(at: tuple[int, ...], told: str) -> None:
    """fpdb reads each time of the line, and takes the last one for one of New York."""
    year, month, day, hour, minute, second = at
    began = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    kept = replace(
        random_record(Random(4), "holdem", "no_limit"), began_ms=int(began.timestamp()) * 1_000
    )
    text = pokerstars.written(hand.seen_by(None, kept, game=GAME, table=4, seats_max=9))
    assert text.splitlines()[0].endswith(f") - {told}")


@pytest.mark.parametrize(
    ("posts", "lines"),
    [
        ([Post("big_blind", 100), Post("dead", 50)], ["posts small & big blinds 150"]),
        ([Post("dead", 50), Post("big_blind", 100)], ["posts small & big blinds 150"]),
        ([Post("dead", 50)], ["posts small blind 50"]),
        ([Post("big_blind", 100)], ["posts big blind 100"]),
        ([Post("big_blind", 1_000), Post("dead", 50)], ["posts big blind 900 and is all-in"]),
    ],
)
def test_debts_are_posted_in_words_that_programs_know(posts: list[Post], lines: list[str]) -> None:
    kept = called(scene(dict.fromkeys((1, 2, 3, 4), 900), posts={4: tuple(posts)}))
    text = pokerstars.written(hand.seen_by(None, kept, game=GAME, table=4, seats_max=9))
    owed = [line for line in text.splitlines() if line.startswith("Player4: posts")]
    assert owed == [f"Player4: {line}" for line in lines]


@pytest.mark.parametrize(
    ("stacks", "stakes", "line"),
    [
        ({1: 900, 2: 900, 3: 10, 4: 900}, Stakes(50, 100, 10, "per_seat"), "raises 200 to 300"),
        ({1: 900, 2: 10, 3: 10, 4: 900}, Stakes(50, 100, 10, "per_seat"), "raises 200 to 300"),
        ({1: 900, 2: 900, 3: 40, 4: 900}, Stakes(50, 100), "raises 200 to 300"),
    ],
)
def test_a_raise_is_over_the_whole_big_blind_also_where_its_seat_paid_less(
    stacks: dict[int, int], stakes: Stakes, line: str
) -> None:
    table = scene(stacks, stakes=stakes)
    assert table.now.actor is not None
    seat = table.now.actor
    table.does((seat, Raise(300)))
    kept = recorded(table.setup, (Played(seat, Raise(300)), *_finished(table)))
    text = pokerstars.written(hand.seen_by(None, kept, game=GAME, table=4, seats_max=9))
    assert f"Player{seat}: {line}\n" in text


def _finished(table: Scene) -> tuple[Played, ...]:
    """Fold until the hand is over; the actions."""
    actions: list[Played] = []
    while not table.now.finished:
        assert table.now.actor is not None
        actions.append(Played(table.now.actor, Fold()))
        table.does((table.now.actor, Fold()))
    return tuple(actions)


def test_a_completion_is_over_the_whole_bring_in_also_where_it_was_paid_short() -> None:
    setup = random_setup(Random(1), variant="stud", limit="fixed_limit", seats=3)
    first = Scene(setup).now.actor
    stacks = {player.seat: 900 for player in setup.players}
    stacks |= {first: setup.rules.stakes.ante + 2} if first is not None else {}
    players = tuple(replace(player, stack=stacks[player.seat]) for player in setup.players)
    table = Scene(replace(setup, players=players))
    actions: list[Played] = []
    for action in (Call(), Raise(20)):
        assert table.now.actor is not None
        actions.append(Played(table.now.actor, action))
        table.does((table.now.actor, action))
    kept = recorded(table.setup, (*actions, *_finished(table)))
    text = pokerstars.written(hand.seen_by(None, kept, game=GAME, table=4, seats_max=8))
    assert "brings in for 2 and is all-in" in text
    assert "raises 15 to 20" in text


def test_levels_are_roman_numerals() -> None:
    numbers = (1, 4, 9, 14, 39, 40, 99, 148)
    romans = ["I", "IV", "IX", "XIV", "XXXIX", "XL", "XCIX", "CXLVIII"]
    assert [roman(number) for number in numbers] == romans


def test_made_hands_are_named() -> None:
    names = {
        "high:A": "high card Ace",
        "pair:6": "a pair of Sixes",
        "straight:5": "a straight, Ace to Five",
        "straight_flush:9": "a straight flush, Five to Nine",
        "straight:A": "a straight, Ten to Ace",
        "full_house:KT": "a full house, Kings full of Tens",
        "low:8543A": "8,5,4,3,A",
        "": "",
    }
    assert {made: made_hand(made) for made in names} == names


def test_forced_bets_and_pots_are_in_the_text() -> None:
    random = Random(12)
    setup = random_setup(random, variant="holdem", limit="no_limit", seats=4, ante_kind="big_blind")
    assert isinstance(setup.rules.stakes, Stakes)
    exported = hand.seen_by(None, played_at_random(random, setup), game=GAME, table=4, seats_max=9)
    text = pokerstars.written(exported)
    assert text.count("posts the ante") == 1
    assert "posts small blind" in text and "posts big blind" in text
