"""Choice of the featured table: the organiser's, then a final table, then the biggest stack."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from tables.cardsup import following
from tables.history.kept import kept_of
from tables.models import Seat
from tests.tournaments.cardsup.scene import DELAY_MS, FINAL_MS, CardsUpScene
from tournaments import featuring
from tournaments.streams.cards_up import TournamentCardsUp


@pytest.fixture
def scene(house: Redis) -> CardsUpScene:
    """Two tables of three players with deep stacks."""
    return CardsUpScene(house, players=6, seats=3, starting_stack=100_000)


def biggest(scene: CardsUpScene, table: int) -> None:
    """Give a table the biggest stack of now."""
    seats = Seat.objects.filter(table__in=scene.tables)
    seats.update(chips=500)
    one = seats.filter(table=table).values_list("pk", flat=True)[0]
    seats.filter(pk=one).update(chips=3_500)


def starts(scene: CardsUpScene, table: int) -> list[int]:
    """Times at which the hands of a table are told."""
    return [kept_of(hand).began_ms + DELAY_MS for hand in scene.hands(table)]


def begun(scene: CardsUpScene) -> list[dict[str, Any]]:
    """Return the first events of the hands that the featured stream told."""
    return [event for event in scene.told(scene.featured) if event["type"] == "hand_retold"]


def test_the_stream_follows_the_biggest_stack_that_was_told_and_says_so(
    scene: CardsUpScene,
) -> None:
    scene.play(8)
    first, second, *_later = scene.tables
    biggest(scene, second)
    told_ms = starts(scene, first)
    scene.look_until(told_ms[0] - 100, told_ms[0] + 100, 4)
    event, *_after = begun(scene)  # a short hand is over, and the next one begins, as soon
    assert event["start"]["table"] == first, "stacks of hands that are not told yet choose"
    assert (event["reason"], event["switched"]) == ("biggest_stack", False)
    assert following.biggest_told(scene.row(f"cardsup:{first}")) >= 100_000, "that of a hand told"


def test_the_organisers_choice_comes_first_from_the_next_hand_on(scene: CardsUpScene) -> None:
    scene.play(9)
    first, second, *_later = scene.tables
    told_ms = starts(scene, first)
    chosen_ms = told_ms[len(told_ms) // 2]
    scene.look_until(told_ms[0], chosen_ms, 30)
    featuring.feature(scene.tournament.pk, second, actor=None, reason="more fun")
    before = begun(scene)
    scene.look_until(chosen_ms, starts(scene, second)[-1])
    after = begun(scene)[len(before) :]
    switches = before[-1]["start"]["table"] != second
    assert [event["switched"] for event in after] == [switches] + [False] * (len(after) - 1)
    assert {event["start"]["table"] for event in after} == {second}
    assert {event["reason"] for event in after} == {"chosen"}


def test_the_order_of_the_choice(scene: CardsUpScene) -> None:
    scene.play(2)
    first, second, *_later = scene.tables
    stacks = {first: 500, second: 3_500}
    choose = TournamentCardsUp().featured
    pk = scene.tournament.pk
    assert [one.table for one in choose(pk, stacks)] == [second, first]
    scene.tournament.refresh_from_db()
    scene.tournament.final_table = True
    scene.tournament.save()
    best = choose(pk, {first: 3_500, second: 500})[0]
    assert (best.table, best.reason) == (second, "final_table")
    featuring.feature(pk, first, actor=None, reason="more fun")
    assert [one.reason for one in choose(pk, stacks)] == ["chosen", "final_table"]
    [only] = choose(pk, {second: 3_500})
    assert only.table == second, "a table with nothing to tell is featured"
    assert choose(pk, {}) == []


def test_hands_of_the_final_table_wait_longer_and_all_tables_are_told_to_their_end(
    house: Redis,
) -> None:
    scene = CardsUpScene(house, players=6, seats=3)
    scene.play(10_000)
    scene.tournament.refresh_from_db()
    assert scene.tournament.final_table
    final = scene.tables[-1]
    for hand in scene.hands():
        terms = TournamentCardsUp().terms(scene.tournament.pk, kept_of(hand))
        assert terms is not None
        assert terms.delay_ms == (FINAL_MS if hand.table_id == final else DELAY_MS)
    end_ms = max(kept_of(hand).released_ms for hand in scene.hands()) + FINAL_MS
    scene.look_until(scene.first_ms() + DELAY_MS, end_ms + 120_000, 40)
    for table in scene.tables:
        begun = [e["hand"] for e in scene.told(f"cardsup:{table}") if e["type"] == "hand_retold"]
        assert begun == list(scene.hands(table).values_list("number", flat=True))
        assert scene.row(f"cardsup:{table}").phase == "over"
    scene.look(end_ms + 200_000)
    assert scene.row(scene.featured).phase == "over"
    featured = [e for e in scene.told(scene.featured) if e["type"] == "hand_retold"]
    assert featured[-1]["start"]["table"] == final
    assert len({(e["start"]["table"], e["hand"]) for e in featured}) == len(featured)
