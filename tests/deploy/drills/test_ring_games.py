"""Ring games of the drills: a seat for every bot, and figures of what was played there."""

from __future__ import annotations

import pytest
from redis import Redis

from deploy.drills import ring_games
from tables.models import Table
from tables.ring.money import DIRECTORS
from tables.ring.sessions import sit_down
from tests.tables.ring.room import cast


@pytest.mark.rule("R-01")
@pytest.mark.parametrize("bots", [1, 7, 40])
def test_every_bot_of_a_drill_finds_a_seat(house: Redis, bots: int) -> None:
    games = ring_games.open_games(bots, 6, "fast")
    seats = sum(table.seats_max for table in Table.objects.filter(director__in=DIRECTORS))
    assert seats >= bots + 6 * len(games), "a spare table of each game"
    assert {game.variant for game in games} == {"holdem", "omaha"}


@pytest.mark.rule("R-03")
@pytest.mark.parametrize(("bots", "pool"), [(1500, 500), (60, 20), (7, 7)])
def test_the_other_games_of_a_drill_leave_a_rapid_pool_its_players(
    house: Redis, bots: int, pool: int
) -> None:
    games = ring_games.open_games(bots, 6, "fast", pool)
    seats = {
        game.rapid: sum(
            table.seats_max
            for table in Table.objects.filter(
                director__in=DIRECTORS,
                game__in=[one.pk for one in games if one.rapid is game.rapid],
            )
        )
        for game in games
    }
    assert bots - seats.get(False, 0) >= pool
    assert sum(seats.values()) >= bots


def test_without_bots_no_ring_game_is_opened(house: Redis) -> None:
    assert ring_games.open_games(0, 6, "human") == []
    assert not Table.objects.exists()


def test_figures_count_a_player_of_several_games_once(house: Redis) -> None:
    games = ring_games.open_games(4, 4, "fast")
    player = cast.player()
    for game in games:
        sit_down.sit(player, game.pk, amount=game.buy_in_min)
    found = ring_games.figures(games)
    assert found == {"players": 1, "in_pools": 1, "tables": len(games) * 2, "hands": 0, "rake": 0}
    assert ring_games.figures(games[:0])["players"] == 0
