"""A rapid pool in a real browser: join, fold from table to table, sit out, leave (R-03)."""

from __future__ import annotations

import random
from functools import partial
from time import monotonic

import pytest
from playwright.sync_api import Page, Route, expect
from redis import Redis

from accounts.models import User
from accounts.money import text
from config import limits
from tables.fairness.cutting import CutState
from tables.models import Table
from tables.ring.models import RapidStay, RingGame, RingSession
from tables.ring.sessions import sit_down
from tables.store import fenced
from tables.workers import advance, settle
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import wait_for
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast
from tests.web.browsing import PATIENCE_MS, wait_until
from tests.web.visiting import DESK, PHONE, Visit, visit

__all__ = ["site", "visit"]

pytestmark = [
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
    pytest.mark.rule("R-03"),
]

HANDS = 6
CHANCE = random.Random(7)
"""Decks of the hands."""


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_player_folds_hands_at_changing_tables_and_leaves(
    visit: Visit, room: Redis, size: tuple[int, int]
) -> None:
    game = pools.pool(pool_min=4, tables_max=3, action_ms=PATIENCE_MS)
    pools.joined(game, 5)
    anna = cast.player("Anna", balance=150_00)
    page = visit(anna, "/ring/", size)
    # 1. She joins from the lobby, and waits on the page of the pool for her first hand.
    page.locator(f"#ring-{game.pk}").get_by_role("link", name="Join").click()
    page.locator("#amount").fill("30")
    page.locator("#dialog-holder .button.main").click()
    expect(page.locator("#amount-wrong")).to_contain_text("40.00")
    page.locator("#amount").fill("100")
    page.locator("#dialog-holder .button.main").click()
    page.wait_for_url(f"**/ring/pools/{game.pk}/")
    expect(page.locator("#ring-panel")).to_contain_text("before the next hand")
    # 2. Each fold leads to her next hand, at whichever table it is dealt.
    tables: set[int] = set()
    session = RingSession.objects.get(user=anna)
    stays = RapidStay.objects.filter(session=session)
    while stays.count() < HANDS or len(tables) < 2:
        table = _her_turn(room, game, anna)
        page.wait_for_url(f"**/tables/{table.pk}/")
        expect(page.locator(".seat[data-me][data-turn]")).to_be_visible()
        call = page.locator(".action-bar .verb.call")
        expect(call).to_be_visible()  # while the line is silent no key acts
        page.keyboard.press("c" if "Check" in call.inner_text() else "f")
        wait_for(partial(_acted, room, table, anna))
        tables.add(table.pk)
    # 3. Leaving takes the stack home as soon as she is in no hand.
    page.locator("#ring-leave").click()
    page.get_by_role("button", name="Leave the pool").click()
    expect(page.locator("#ring-panel")).to_contain_text("You leave after this hand.")
    gives_up_s = monotonic() + PATIENCE_MS / 1_000
    while session.state != RingSession.State.LEFT and monotonic() < gives_up_s:
        _advance(room, game, anna, fold=True)
        session.refresh_from_db()
    assert session.state == RingSession.State.LEFT
    assert cast.balance(anna) == 50_00 + session.left_with
    page.goto(page.url.split("/tables/")[0] + "/wallet/")
    expect(page.locator("main")).to_contain_text(text(session.left_with))
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    cast.law()


def test_a_player_who_sits_out_is_dealt_in_again_from_the_page_of_the_pool(
    visit: Visit, room: Redis
) -> None:
    game = pools.pool(pool_min=2, action_ms=PATIENCE_MS)
    anna = cast.player("Anna")
    sit_down.sit(anna, game.pk, amount=cast.BUY_IN)
    page = visit(anna, f"/ring/pools/{game.pk}/")
    page.locator("#ring-sit-out").click()
    expect(page.locator("#ring-panel")).to_contain_text("You sit out")
    pools.joined(game, 2)
    [table] = pools.tables(game)
    state = cast.begin(room, table)
    assert anna.pk not in {seat.user for seat in state.seats}
    _come_back(page, table, room)


def test_a_player_who_folded_is_elsewhere_and_not_disconnected(visit: Visit, room: Redis) -> None:
    game = pools.pool(action_ms=PATIENCE_MS)
    anna = cast.player("Anna")
    sit_down.sit(anna, game.pk, amount=cast.BUY_IN)
    pools.joined(game, 3)
    [table] = pools.tables(game)
    state = cast.begin(room, table)
    page = visit(anna, f"/tables/{table.pk}/")
    broken = page.locator(".seat .broken:visible")
    expect(broken).to_have_count(len(state.seats) - 1)  # nobody else has a window
    assert state.turn is not None
    if state.at(state.turn.seat).user == anna.pk:
        pools.act(room, table, "call")
    assert pools.fold(room, table) != anna.pk
    expect(page.locator(".seat[data-folded]")).to_have_count(1)
    expect(broken).to_have_count(len(state.seats) - 2)


# Notices of a hand in a rapid pool, which every page of its player hears. They come by themselves:
# a script of the test would wait for the end of the way.
_NOTICES = """() => setInterval(() => document.body.dispatchEvent(
  new CustomEvent("room:mine", { detail: { type: "rapid_dealt_in" } })), 200)"""


def test_a_slow_way_to_the_hand_is_not_begun_anew(visit: Visit, room: Redis) -> None:
    game = pools.pool(action_ms=PATIENCE_MS)
    anna = cast.player("Anna")
    sit_down.sit(anna, game.pk, amount=cast.BUY_IN)
    pools.joined(game, 3)
    [table] = pools.tables(game)
    page = visit(anna, f"/ring/pools/{game.pk}/")
    held: list[Route] = []
    page.route(f"**/tables/{table.pk}/", lambda route: held.append(route))  # noqa: PLW0108
    cast.begin(room, table)
    page.evaluate(_NOTICES)
    wait_until(page, lambda: held)
    page.wait_for_timeout(1_000)
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_url(f"**/tables/{table.pk}/")


@pytest.mark.sample
def test_the_page_cuts_the_deck_of_the_next_hand(
    visit: Visit, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CUT_WAIT_MS", 30_000)  # a busy machine is no silent player
    game = pools.pool(action_ms=PATIENCE_MS)
    anna = cast.player("Anna")
    sit_down.sit(anna, game.pk, amount=cast.BUY_IN)
    pools.joined(game, 3)
    [first] = pools.tables(game)
    state = cast.begin(room, first)
    page = visit(anna, f"/tables/{first.pk}/")
    expect(page.locator(".seat[data-me]")).to_be_visible()
    while state.turn is not None and state.at(state.turn.seat).user != anna.pk:
        # A raise each, because a page folds only to a bet.
        cast.act(room, state, "raise", state.turn.turn * 300)
        advance.advance(room, first.pk)
        state = cast.begin(room, first)
    expect(page.locator(".seat[data-me][data-turn]")).to_be_visible()
    page.keyboard.press("f")
    wait_for(partial(_acted, room, first, anna))
    assert len(bytes(pools.session(anna).pledge)) == 32, "pledged in the hand before"
    [_, other] = pools.tables(game)
    while (state := cast.boundary(room, other)).phase != "granted":
        pass
    assert state.called is not None and [cut.state for cut in state.called.cuts] == [
        CutState.SILENT
    ]
    wait_until(page, partial(_is_dealt, room, other))
    dealt = fenced.peek(room, other.pk)
    assert dealt is not None and dealt.called is not None
    assert [cut.state for cut in dealt.called.cuts] == [CutState.OPENED]
    page.wait_for_url(f"**/tables/{other.pk}/")
    expect(page.locator(".seat[data-me]")).to_be_visible()


def _is_dealt(room: Redis, table: Table) -> bool:
    advance.advance(room, table.pk)
    state = fenced.peek(room, table.pk)
    return state is not None and state.phase == "hand"


def _come_back(page: Page, table: Table, room: Redis) -> None:
    """Come back, and be led to the next hand of the table."""
    page.locator("#ring-sit-out").click()
    expect(page.locator("#ring-sit-out")).to_have_text("Sit out")
    pools.fold_to_end(room, table)
    cast.begin(room, table)
    page.wait_for_url("**/tables/*/")
    expect(page.locator(".seat[data-me]")).to_be_visible()


def _her_turn(room: Redis, game: RingGame, user: User) -> Table:
    """Play the pool until it is a player's turn; the others act at random."""
    # A granted hand waits for cuts in real time.
    gives_up_s = monotonic() + PATIENCE_MS / 1_000
    while monotonic() < gives_up_s:
        if (table := _advance(room, game, user)) is not None:
            return table
    raise AssertionError("the turn never comes")


def _advance(room: Redis, game: RingGame, user: User, *, fold: bool = False) -> Table | None:
    """Advance every table one step but for the player's turn; return its table."""
    for table in pools.tables(game):
        state = fenced.peek(room, table.pk)
        is_hers = (
            state is not None
            and state.turn is not None
            and state.at(state.turn.seat).user == user.pk
        )
        if is_hers and not fold:
            return table
        pools.step(room, table, CHANCE, calls=True)
    return None


def _acted(room: Redis, table: Table, user: User) -> bool:
    """Return whether a player's turn is over, after the workers were at the table."""
    advance.advance(room, table.pk)
    state = fenced.peek(room, table.pk)
    assert state is not None
    if state.turn is not None and state.at(state.turn.seat).user == user.pk:
        return False
    settle.settle(room, table.pk)
    return True
