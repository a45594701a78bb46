"""Several windows of one player at one table: the last one plays, the others watch."""

from __future__ import annotations

from redis import Redis

from tests.web.socket_site import site
from tests.web.socket_table import Game, game
from tests.web.sockets import Site

__all__ = ["game", "site"]


def test_a_second_tab_takes_over_and_the_first_may_only_watch(game: Game) -> None:
    first = game.client(game.actor)
    second = game.client(game.actor)
    assert first.expect("taken_over")["stream"] == game.stream
    first.say(**game.command("fold"))
    assert first.expect("refused")["code"] == "taken_over"
    assert game.waiting() == 0
    command = game.command("fold")
    second.say(**command)
    game.work()
    second.expect("result", id=command["id"])
    events = first.expect("events")["events"]
    assert "folded" in [event["type"] for event in events], "the first tab still sees everything"


def test_the_first_tab_can_take_the_table_back(game: Game) -> None:
    first = game.client(game.actor)
    second = game.client(game.actor)
    first.expect("taken_over")
    game.follow(first)
    second.expect("taken_over")
    first.say(**game.command("fold"))
    game.work()
    first.expect("result")


def test_two_tabs_on_two_web_processes(game: Game, room: Redis) -> None:
    other_site = Site()
    other_site.start()
    try:
        first = game.client(game.actor)
        second = game.follow(other_site.client(game.user(game.actor)))
        first.expect("taken_over")
        assert second.silent(1.5), "whoever came last keeps the table"
        second.say(**game.command("fold"))
        game.work()
        second.expect("result")
    finally:
        other_site.stop()


def test_a_tab_that_only_watches_takes_nothing_over(game: Game) -> None:
    first = game.client(game.actor)
    second = game.client(game.actor, watch=True)
    assert first.silent()
    second.say(**game.command("fold"))
    assert second.expect("refused")["code"] == "watching"
    assert first.silent()
