"""Several windows of one player at one table: one plays, the others watch until they take over."""

from __future__ import annotations

import pytest
from redis import Redis

from config import limits
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import Client, Site, wait_for

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


def test_a_tab_takes_over_across_web_processes(game: Game, room: Redis) -> None:
    other_site = Site()
    other_site.start()
    try:
        first = game.client(game.actor)
        second = game.follow(other_site.client(game.user(game.actor)))
        first.expect("taken_over")
        assert second.silent(1.5), "the latest window keeps the table"
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


def _asks(game: Game, window: str) -> Client:
    return game.client(game.actor, window=window, ask=True)


def _plays(game: Game, client: Client) -> bool:
    """Return whether a command of this client reaches the inbox; the table stays unchanged."""
    command = game.command("fold", id="probe")
    client.say(**command)
    if client.silent(0.5):
        return game.waiting() == 1
    return client.heard[-1].get("code") != "taken_over"


def test_a_window_that_requests_play_watches_while_another_one_plays(game: Game) -> None:
    first, second = _asks(game, "a"), _asks(game, "b")
    second.expect("taken_over")
    assert first.silent(0.5), "the first window still plays"
    second.say(**game.command("fold"))
    assert second.expect("refused")["code"] == "taken_over"
    assert game.waiting() == 0
    game.follow(second, window="b")
    first.expect("taken_over")
    assert _plays(game, second)


def test_a_reconnected_window_plays_while_its_old_connection_is_still_open(game: Game) -> None:
    first = _asks(game, "a")
    again = _asks(game, "a")
    first.expect("taken_over")
    assert _plays(game, again)


def test_a_window_that_requests_play_plays_at_once_after_the_other_page_is_left(game: Game) -> None:
    first = _asks(game, "a")
    first.close()
    # A busy machine may check only after the grace time, when the socket plays no more.
    wait_for(lambda: game.site.ask(lambda site: site.lines._left or not site.lines._playing))
    assert _plays(game, _asks(game, "b"))


def test_a_watching_window_learns_that_no_window_plays(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 100)
    entry = game.state.at(game.actor).entry
    first, second = _asks(game, "a"), _asks(game, "b")
    second.expect("taken_over")
    first.cut()
    wait_for(lambda: second.silent(0.1) and entry in (second.disconnected or [[]])[-1])
    assert not _plays(game, second), "no window takes the table without a request"


def test_requests_to_play_work_across_web_processes(game: Game) -> None:
    other_site = Site()
    other_site.start()
    try:
        first = _asks(game, "a")
        second = other_site.client(game.user(game.actor))
        game.follow(second, window="b", ask=True)
        second.expect("taken_over")
        assert first.silent(1.0)
        assert _plays(game, first)
    finally:
        other_site.stop()


@pytest.mark.parametrize("window", ["a b", "x" * 25, 7])
def test_a_window_has_a_short_plain_name(game: Game, window: object) -> None:
    client = game.site.client(game.user(game.actor))
    client.say(type="subscribe", stream=game.stream, window=window, ask=True)
    assert client.expect("refused")["code"] == "bad_message"
    assert not game.site.ask(lambda gateway: gateway.lines._playing)
