"""Bots of the client package play a ladder of duplicate deals in a research room, over sockets."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from tests.bench.laddered import (
    STYLES,
    ResearchRoom,
    play_sets,
    read_games,
    research_room,
    wrong_places,
    wrong_sets,
)

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def room() -> Iterator[ResearchRoom]:
    with research_room() as made:
        yield made


def test_bots_play_the_same_cards_from_every_seat_and_are_rated_once(room: ResearchRoom) -> None:
    report = play_sets(room, 1, level_hands=2)
    assert report["wrong"] == []
    rows = report["ladder"]
    assert {row["name"] for row in rows} == {f"bot-{style}" for style in STYLES}
    # Sets that went on beside the first may be rated as well.
    assert all(row["games"] == report["sets"] > 0 and row["sigma"] > 0 for row in rows)
    assert report["hands"] > 0
    # The judge finds what is not so: another seat, another seed, other cards, another place.
    games = read_games(room, 1)[: len(STYLES)]
    first, second, *rest = games
    assert wrong_sets([first, msgspec.structs.replace(second, seats=first.seats), *rest], 3)
    assert wrong_sets([first, msgspec.structs.replace(second, seed=first.seed + 1), *rest], 3)
    assert wrong_sets([first, msgspec.structs.replace(second, decks=first.decks[::-1]), *rest], 3)
    assert wrong_sets([first, second], 3)
    user = min(first.places)
    mean = sum(game.places[user] for game in games) / 3
    row = {"id": user, "name": "", "mean_place": mean}
    assert not wrong_places(games, [row])
    assert wrong_places(games, [row | {"mean_place": mean + 0.5}])
    assert room.manage("audit") == "no violation\n"
