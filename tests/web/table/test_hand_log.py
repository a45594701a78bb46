"""Log of the hand in play on a page that opens late."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import users
from tests.web.visiting import PHONE, Visit, visit

__all__ = ["game", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def _lines(page: Page) -> list[str]:
    return page.locator(".log .lines li").all_text_contents()


def test_a_page_opened_or_reloaded_mid_hand_shows_the_log_and_the_last_actions(
    visit: Visit, game: Game
) -> None:
    first = game.user(game.actor).name
    game.play_calmly(2)
    [guest] = users("guest")
    page = visit(guest, f"/tables/{game.row.pk}/")
    expect(page.locator(".log .lines li")).not_to_have_count(0)
    told = _lines(page)
    assert told[0] == "Hand 1"
    assert sum(f"{first} calls" in line for line in told) == 1
    expect(page.locator(".seat .tag[data-kind=called]")).to_have_count(2)
    player = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    expect(player.locator(".log .lines li")).to_have_count(len(told))
    player.reload()
    expect(player.locator(".log .lines li")).to_have_count(len(told))
    assert _lines(player) == told


def test_a_second_snapshot_of_a_hand_does_not_double_its_lines(visit: Visit, game: Game) -> None:
    game.play_calmly(1)
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    lines = page.locator(".log .lines li")
    expect(lines).not_to_have_count(0)
    told = _lines(page)
    page.evaluate(
        "() => { const { model } = document.querySelector('poker-table');"
        " model.snapshot(model.state) }"
    )
    assert _lines(page) == told


def test_a_snapshot_tells_once_that_a_fault_ended_the_hand(visit: Visit, game: Game) -> None:
    told, now = _lines_after_void(visit, game, "hand: 0, log: [], voided: 1")
    assert now == [*told, "A fault ended the hand: all chips are as before it"]


def test_a_closed_table_blames_no_fault_for_its_void_hand(visit: Visit, game: Game) -> None:
    told, now = _lines_after_void(visit, game, "closed: true, hand: 0, log: [], voided: 1")
    assert now == [*told, "The table was closed before the end of this hand"]


def test_a_void_hand_is_told_before_the_one_that_was_dealt_in_its_place(
    visit: Visit, game: Game
) -> None:
    told, now = _lines_after_void(visit, game, "voided: model.state.hand")
    assert now == ["A fault ended the hand: all chips are as before it", *told]


def _open_log_on_a_phone(page: Page) -> Locator:
    page.locator(".log-last").click()
    log = page.locator(".log")
    expect(log).to_be_visible()
    log.locator(".lines").focus()
    return log


def test_the_open_log_of_a_phone_makes_way_for_the_own_turn(visit: Visit, game: Game) -> None:
    page = visit(game.user(game.others[0]), f"/tables/{game.row.pk}/", PHONE)
    log = _open_log_on_a_phone(page)
    game.play_calmly(1)
    expect(page.locator(".verb.fold")).to_be_visible()
    expect(log).to_be_hidden()
    expect(page.locator(".log-last")).to_be_focused()
    page.locator(".log-last").click()
    expect(log).to_be_visible()


def test_the_open_log_of_a_phone_makes_way_for_what_the_room_asks(visit: Visit, game: Game) -> None:
    user = game.user(game.others[1])
    page = visit(user, f"/tables/{game.row.pk}/", PHONE)
    expect(page.locator(".seat[data-me]")).to_have_count(1)
    log = _open_log_on_a_phone(page)
    another = page.context.new_page()
    another.goto(page.url)
    another.get_by_role("button", name="Play here").click()
    expect(page.locator(".notice button")).to_be_visible()
    expect(log).to_be_hidden()


def _lines_after_void(visit: Visit, game: Game, void: str) -> tuple[list[str], list[str]]:
    """Lines of a played hand, and those after two equal snapshots of a later epoch with `void`."""
    game.play_calmly(1)
    page = visit(game.user(game.actor), f"/tables/{game.row.pk}/")
    expect(page.locator(".log .lines li")).not_to_have_count(0)
    told = _lines(page)
    page.evaluate(
        "() => { const { model } = document.querySelector('poker-table');"
        f" const state = {{ ...model.state, epoch: 2, {void} }};"
        " model.snapshot(state); model.snapshot(state) }"
    )
    return told, _lines(page)
