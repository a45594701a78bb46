"""The ladder of bundled bots: places and chips are right, seeds decide, crashes are counted."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from tables.bots.playing.brain import Choice, PlayerView
from tables.bots.playing.kinds import KINDS
from tournaments.bot_ladder.agreement import Agreement, compare
from tournaments.bot_ladder.contestants import Contestant, contestants
from tournaments.bot_ladder.game import LadderGame, options
from tournaments.bot_ladder.ladder import Ladder
from tournaments.bot_ladder.rating import Rating, Ratings

GAMES = 12


def _played(seed: int, *, duplicate: bool = False) -> Ladder:
    ladder = Ladder(contestants(["pusher", "caller"], 6), seats=3, seed=seed, duplicate=duplicate)
    ladder.run(GAMES)
    return ladder


def test_equal_seeds_give_equal_reports_and_others_do_not() -> None:
    one, same, other = (_played(seed).report() for seed in (4, 4, 5))
    assert one == same != other
    assert one["games"] == GAMES and sum(row["wins"] for row in one["ladder"]) == GAMES
    assert sum(row["games"] for row in one["ladder"]) == 3 * GAMES


def test_pushers_are_rated_above_callers_with_both_seeds() -> None:
    for seed in (1, 2):
        ranking = [row["bot"].split("-")[0] for row in _played(seed).report()["ladder"]]
        assert ranking == ["pusher"] * 3 + ["caller"] * 3


def test_a_duplicate_deals_equal_cards_to_equal_seats() -> None:
    first, second = (
        LadderGame(contestants(kinds, 3), 7, options(3))
        for kinds in (["caller", "pusher"], ["pusher", "caller"])
    )
    for game in (first, second):
        game.start()
    seats = [sorted(table.seats.items()) for table in first.field.tables.values()]
    assert seats == [sorted(table.seats.items()) for table in second.field.tables.values()]
    (table,), (other,) = first.field.tables.values(), second.field.tables.values()
    for hand in range(1, 4):
        table.hand = other.hand = hand
        assert first.deck(table) == second.deck(other)
    decks = set()
    for hand in range(1, 4):
        table.hand = hand
        decks.add(first.deck(table))
    assert len(decks) == 3
    rated = _played(1, duplicate=True)
    assert rated.games == GAMES and len(rated.ratings.history["pusher-1"]) <= GAMES // 3


def test_a_bot_that_crashes_or_cheats_is_counted_and_checks_or_folds() -> None:
    def broken(sight: PlayerView, chance: Random) -> Choice:
        if chance.random() < 0.5:
            raise RuntimeError("no idea")
        return Choice("raise", 10**9)

    bots = [Contestant("broken", broken), *contestants(["caller"], 2)]
    ladder = Ladder(bots, seats=3, seed=1)
    ladder.run(2)
    row = next(row for row in ladder.report()["ladder"] if row["bot"] == "broken")
    assert row["crashes"] == row["decisions"] > 0 and row["wins"] == 0


def test_ratings_rise_with_wins_and_their_doubt_shrinks() -> None:
    ratings = Ratings()
    for _ in range(20):
        ratings.rate({"good": 1, "even": 2.5, "other": 2.5, "bad": 4})
    assert ratings.ranking() == ["good", "even", "other", "bad"]
    good, new = ratings.of("good"), ratings.of("nobody")
    assert good.mu > new.mu > ratings.of("bad").mu and good.sigma < new.sigma
    assert good.ordinal > new.ordinal and new == Rating(new.mu, new.sigma)
    assert ratings.of("even").mu == pytest.approx(ratings.of("other").mu)
    assert len(ratings.history["good"]) == good.games == 20


def test_the_command_writes_the_report(tmp_path: Path) -> None:
    out, said = tmp_path / "ladder.json", StringIO()
    words = ("--games", "2", "--bots", "3", "--seats", "3", "--kinds", ",".join(KINDS))
    call_command("ladder", *words, "--report", str(out), stdout=said)
    report = json.loads(out.read_text())
    assert [row["bot"] in said.getvalue() for row in report["ladder"]] == [True] * 3
    assert all(row["crashes"] == 0 for row in report["ladder"]) and report["hands"] > 2


def test_bots_that_differ_have_one_order_or_the_ladders_disagree() -> None:
    strong, weak, near = Rating(30, 2), Rating(20, 2), Rating(26, 2)
    kinds = {"a": "good", "b": "bad", "c": "good"}
    same = compare(
        [{"a": strong, "b": weak, "c": near}, {"a": near, "b": weak, "c": strong}], kinds
    )
    assert (
        same == Agreement([["good", "bad"]] * 2, [0, 0], pairs=2, reversed_pairs=0)
        and same.is_stable
    )
    other = compare([{"a": strong, "b": weak}, {"a": weak, "b": strong}], kinds)
    assert other == Agreement([["good", "bad"], ["bad", "good"]], [0, 0], pairs=1, reversed_pairs=1)
    assert not other.is_stable
    mixed = compare([{"a": strong, "b": near}, {"a": near, "b": strong}], kinds)
    assert (mixed.pairs, mixed.reversed_pairs, mixed.is_stable) == (0, 0, False)
    apart = compare([{"a": Rating(40, 2), "c": weak, "b": near}], kinds)
    assert apart.kinds == [["good", "bad"]] and apart.against_kinds == [1]


def test_the_command_compares_two_seeds_and_fails_where_they_disagree(tmp_path: Path) -> None:
    out, said = tmp_path / "ladder.json", StringIO()
    words = ("--games", str(GAMES), "--bots", "6", "--seats", "3", "--report", str(out))
    call_command("ladder", *words, "--kinds", "pusher,caller", "--compare", "2", stdout=said)
    report = json.loads(out.read_text())
    assert report["agreement"]["kinds"] == [["pusher", "caller"]] * 2
    assert report["agreement"]["stable"] and report["other"]["seed"] == 2
    assert (
        "kinds: pusher > caller / pusher > caller, [0, 0] pairs of bots against it"
        in said.getvalue()
    )
    with pytest.raises(CommandError, match="the orders of the two seeds differ"):
        # One game tells little: the winners of these two seeds are of different kinds.
        call_command("ladder", "--games", "1", *words[2:], "--compare", "2", stdout=said)
    report = json.loads(out.read_text())
    assert not report["agreement"]["stable"], "written before the command fails"
    with pytest.raises(CommandError, match="another seed"):
        call_command("ladder", *words, "--compare", "1", stdout=said)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--kinds", "solid,wizard"), "wizard"),
        (("--seats", "1"), "from 2 to 9"),
        (("--bots", "3"), "not below"),
        (("--games", "0"), "from 1 to"),
    ],
)
def test_a_ladder_that_cannot_be_played_is_refused(
    tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("ladder", *words, "--report", str(tmp_path / "out.json"))
    assert not list(tmp_path.iterdir())
