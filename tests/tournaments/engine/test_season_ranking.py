"""Tables of seasons: shared places, best results, and rules between equal players."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seasons.engine.formulas import PRESETS, points_by_place, shared_points
from tournaments.seasons.engine.ranking import (
    SeasonPlace,
    SeasonRow,
    SeasonScore,
    SeasonTournament,
    TieRule,
    rank_players,
    season_table,
    tournament_scores,
)

LINEAR = PRESETS["linear"]


def evening(number: int, *users: int, buy_in: int = 0) -> SeasonTournament:
    """A finished tournament of these users, best first."""
    places = tuple(SeasonPlace(user, place) for place, user in enumerate(users, start=1))
    return SeasonTournament(number, len(users), buy_in, places)


def scores(*points: int, first: int = 1) -> list[SeasonScore]:
    """Scores of second places in tournaments of their own."""
    return [SeasonScore(number, 2, Decimal(one)) for number, one in enumerate(points, first)]


def told(rows: list[SeasonRow]) -> list[tuple[int, int, str]]:
    return [(row.rank, row.user, str(row.points)) for row in rows]


def test_points_of_two_evenings_are_added() -> None:
    rows = season_table([evening(1, 7, 8, 9), evening(2, 9, 7)], formula=LINEAR, best_of=0, ties=())
    assert told(rows) == [(1, 7, "4.00"), (2, 9, "3.00"), (3, 8, "2.00")]
    assert [row.played for row in rows] == [2, 2, 1]
    assert [row.wins for row in rows] == [1, 1, 0]


def test_a_field_without_a_place_keeps_no_points() -> None:
    kept = points_by_place.cache_info().currsize
    for field in range(700, 720):  # late entries, each of whom makes another field
        assert tournament_scores(SeasonTournament(1, field, 0, ()), LINEAR) == {}
    assert points_by_place.cache_info().currsize == kept


def test_only_the_best_results_count_and_dropped_ones_are_marked() -> None:
    rows = rank_players({7: scores(3, 9, 5), 8: scores(8, 8)}, best_of=2, ties=())
    assert told(rows) == [(1, 8, "16.00"), (2, 7, "14.00")]
    assert [(str(s.points), s.counted) for s in rows[1].scores] == [
        ("9", True), ("5", True), ("3", False)
    ]  # fmt: skip


def test_entries_of_one_place_share_its_points() -> None:
    places = (SeasonPlace(7, 1), SeasonPlace(8, 2), SeasonPlace(9, 2), SeasonPlace(4, 4))
    found = tournament_scores(SeasonTournament(1, 4, 0, places), LINEAR)
    assert {user: str(score.points) for user, score in found.items()} == {
        7: "4.00", 8: "2.50", 9: "2.50", 4: "1.00"
    }  # fmt: skip


def test_a_disqualified_entry_keeps_its_place_and_gets_nothing() -> None:
    places = (SeasonPlace(7, 1), SeasonPlace(8, 2, reward=False), SeasonPlace(9, 3))
    found = tournament_scores(SeasonTournament(1, 3, 0, places), LINEAR)
    assert [str(found[user].points) for user in (7, 8, 9)] == ["3.00", "0.00", "1.00"]


def test_the_best_of_several_entries_counts_once() -> None:
    found = tournament_scores(evening(1, 7, 8, 7, 7), LINEAR)
    assert {user: (score.place, str(score.points)) for user, score in found.items()} == {
        7: (1, "4.00"), 8: (2, "3.00")
    }  # fmt: skip


def test_entries_in_play_have_the_place_they_cannot_lose_and_share_nothing() -> None:
    places = (
        SeasonPlace(7, 2, certain=False), SeasonPlace(8, 2, certain=False), SeasonPlace(9, 3)
    )  # fmt: skip
    found = tournament_scores(SeasonTournament(1, 3, 0, places), LINEAR)
    assert [str(found[user].points) for user in (7, 8, 9)] == ["2.00", "2.00", "1.00"]
    rows = rank_players({user: [score] for user, score in found.items()}, best_of=0, ties=())
    assert [(row.user, row.is_live) for row in rows] == [(7, True), (8, True), (9, False)]


@pytest.mark.parametrize(
    ("ties", "order"),
    [
        ((), [(1, 7), (1, 8), (1, 9)]),
        (("wins",), [(1, 9), (2, 7), (2, 8)]),
        (("countback",), [(1, 8), (2, 9), (3, 7)]),
        (("fewer",), [(1, 8), (1, 9), (3, 7)]),
        (("more",), [(1, 7), (2, 8), (2, 9)]),
        (("fewer", "wins"), [(1, 9), (2, 8), (3, 7)]),
    ],
)
def test_equal_totals_are_ranked_by_the_named_rules(
    ties: tuple[TieRule, ...], order: list[tuple[int, int]]
) -> None:
    won = [SeasonScore(1, 1, Decimal(6)), SeasonScore(2, 2, Decimal(4))]
    by_user = {7: scores(5, 3, 2), 8: scores(7, 3), 9: won}
    rows = rank_players(by_user, best_of=0, ties=ties)
    assert [(row.rank, row.user) for row in rows] == order


@given(st.integers(1, 60), st.data())
def test_ties_share_and_the_sum_stays(field: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, field))
    sharing = data.draw(st.integers(1, field - place + 1))
    points = points_by_place(PRESETS["square_root"], field, 0)
    each = shared_points(points, place, sharing)
    apart = sum(points[place - 1 : place - 1 + sharing])
    assert abs(each * sharing - apart) < Decimal("1e-20")
    assert points[place - 1] >= each >= points[place + sharing - 2] - Decimal("1e-20")


_POINTS = st.lists(st.integers(0, 500).map(Decimal), min_size=1, max_size=8)


@given(st.dictionaries(st.integers(1, 20), _POINTS, min_size=1), st.integers(0, 5), st.randoms())
def test_tables_depend_on_no_order_and_a_result_more_costs_nothing(
    drawn: dict[int, list[Decimal]], best_of: int, chance: object
) -> None:
    by_user = {
        user: [SeasonScore(number, 2, one) for number, one in enumerate(points)]
        for user, points in drawn.items()
    }
    rows = rank_players(by_user, best_of=best_of, ties=("countback",))
    turned = dict(reversed([(user, list(reversed(own))) for user, own in by_user.items()]))
    assert rank_players(turned, best_of=best_of, ties=("countback",)) == rows
    for row in rows:
        counting = sorted(drawn[row.user], reverse=True)[: best_of or None]
        assert row.points == sum(counting)
        assert row.rank == 1 + sum(other.rank < row.rank for other in rows)
        more = [*by_user[row.user], SeasonScore(99, 9, Decimal(1))]
        after = rank_players(by_user | {row.user: more}, best_of=best_of, ties=())
        assert next(r.points for r in after if r.user == row.user) >= row.points
