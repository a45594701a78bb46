"""Ring games in a real browser: sit, top up, straddle, lose the connection, leave, jackpots."""

from __future__ import annotations

import random
import re
import time
from typing import NamedTuple

import pytest
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from msgspec.structs import replace
from playwright.sync_api import Page, expect
from redis import Redis

from accounts.models import User
from accounts.money import text
from config import clock, limits
from tables.dealer.state import TableState
from tables.engine.betting import legal_actions
from tables.models import Table
from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.models import Jackpot, JackpotWin, RingGame, RingSession
from tables.ring.models.jackpot import builtins_of
from tables.ring.queries import jackpots
from tables.ring.sessions import operating, sit_down
from tables.store import connections, fenced, keys
from tables.workers import advance, settle
from tests.tables import playing, stages
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN, wait_for
from tests.tables.ring.room import cast
from tests.web.visiting import DESK, PHONE, Visit, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

SEED = 2
"""Seed of a deck that gives one of two players the best hand with a pair."""

HANDS_AWAY = 6
"""Hands that the others play while a player is away."""

SHOWN_MS = 200
"""Pause between streets of a run-out; the table goes on only when the test advances it."""


def _answer(page: Page, amount: str, button: str) -> None:
    """Type an amount into the open dialog and press its button."""
    page.locator("#amount").fill(amount)
    page.locator("#dialog-holder .button.main", has_text=button).click()


def _expect_told_once(page: Page, words: str) -> None:
    """Check that what came of a step is said at the table, and not once more on the next page."""
    expect(page.locator("#toasts")).to_contain_text(words)
    assert words not in page.evaluate("fetch('/ring/').then((one) => one.text())")


@pytest.mark.rule("A-01", "A-03", "H-09")
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_player_sits_down_tops_up_straddles_and_takes_the_stack_home(
    visit: Visit, room: Redis, size: tuple[int, int]
) -> None:
    ring = cast.game(straddle=True)
    table = cast.table_of(ring)
    for _ in range(3):
        sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    anna = cast.player("Anna", balance=150_00)
    page = visit(anna, f"/ring/{ring.pk}/", size)
    # 1. The quick seat refuses a buy-in below the minimum beside its field.
    page.get_by_role("link", name="Quick seat").click()
    _answer(page, "30", "Sit down")
    expect(page.locator("#amount-wrong")).to_contain_text("40.00")
    expect(page.locator("#amount")).to_have_attribute("aria-invalid", "true")
    assert cast.balance(anna) == 150_00
    _answer(page, "100", "Sit down")
    page.wait_for_url(f"**/tables/{table.pk}/")
    panel = page.locator("#ring-panel")
    expect(panel).to_contain_text("You sit down before the next hand.")
    _expect_told_once(page, "You have seat")
    session = RingSession.objects.get(user=anna)
    # Her page pledges before she has the seat, and her first hand calls it.
    wait_for(lambda: bytes(RingSession.objects.get(pk=session.pk).pledge))
    called = cast.begin(room, table).called
    assert called is not None and [cut.seat for cut in called.cuts] == [session.seat]
    expect(page.locator(".seat[data-me]")).to_be_visible()
    # 2. A top-up beyond the account is refused beside its field; the rest of it is taken.
    page.locator("#ring-top-up").click()
    _answer(page, "60", "Top up")
    expect(page.locator("#amount-wrong")).to_contain_text("50.00")
    _answer(page, "50", "Top up")
    expect(page.locator("#dialog-holder dialog")).to_have_count(0)
    expect(panel).to_contain_text("50.00 come before the next hand.")
    # 3. The straddle is switched on and posted when the seat is left of the big blind.
    straddle = page.locator("#ring-straddle")
    expect(straddle).to_have_attribute("aria-pressed", "false")
    straddle.click()
    expect(straddle).to_have_attribute("aria-pressed", "true")
    for _ in range(6):
        cast.fold_around(room, table)
        if _straddles(cast.begin(room, table)) == [session.seat]:
            break
    else:
        raise AssertionError("no hand with a straddle")
    expect(page.locator(".log")).to_contain_text(re.compile("straddle", re.IGNORECASE))
    # 4. Leaving takes the other buttons away at once and the stack home after the hand.
    page.locator("#ring-leave").click()
    page.get_by_role("button", name="Leave the table").click()
    expect(panel).to_contain_text("You leave after this hand.")
    expect(page.locator("#ring-top-up")).to_have_count(0)
    cast.fold_around(room, table)
    cast.boundary(room, table)
    session.refresh_from_db()
    assert session.state == RingSession.State.LEFT and session.left_with > 100_00
    assert cast.balance(anna) == session.left_with
    expect(page.locator("#ring-sit")).to_be_visible()
    page.goto(page.url.split("/tables/")[0] + "/wallet/")
    expect(page.locator("main")).to_contain_text(text(session.left_with))
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= size[0]


@pytest.mark.sample
@pytest.mark.rule("X-03")
def test_a_player_who_lost_the_connection_is_waited_for_and_comes_back(
    visit: Visit, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 100)
    lost = _lose_connection(visit, room, disconnect_ms=60_000)
    table, anna, watcher = lost.table, lost.player, lost.watcher
    state = _turn_of(room, table, anna)
    assert state.turn is not None and state.turn.disconnected
    expect(watcher.locator(".seat[data-turn] .tag")).to_have_text("Connection lost")
    back = visit(anna, f"/tables/{table.pk}/")
    back.locator(".verb.fold").click()
    wait_for(lambda: _turn_is_over(room, table, state))
    now = fenced.peek(room, table.pk)
    assert now is not None and not stages.seat_of(now, anna.pk).absent
    expect(watcher.locator(".seat .tag", has_text="Connection lost")).to_have_count(0)


@pytest.mark.rule("X-03", "R-01")
def test_a_player_who_was_away_has_the_seat_and_is_dealt_in_again(
    visit: Visit, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 100)
    lost = _lose_connection(visit, room, disconnect_ms=8_000)
    table, anna, watcher = lost.table, lost.player, lost.watcher
    # 1. The disconnection time bank runs out: the room folds for her, and she sits out.
    state = _turn_of(room, table, anna)
    assert state.turn is not None and state.turn.deadline_ms > clock.redis_now_ms(room) + 4_000
    playing.wait_until(state.turn.deadline_ms)
    advance.advance(room, table.pk)
    expect(watcher.locator(".log")).to_contain_text("Anna is away")
    # 2. The others play on without her; her seat and her chips stay.
    for _ in range(HANDS_AWAY):
        cast.fold_around(room, table)
        state = cast.begin(room, table)
        assert state.hand is not None and not stages.seat_of(state, anna.pk).dealt
    # 3. She is back, says so, and is dealt in at the latest with her big blind.
    back = visit(anna, f"/tables/{table.pk}/")
    back.get_by_role("button", name="I'm back").click()
    wait_for(lambda: room.llen(keys.inbox(keys.table(table.pk), settings.SHARDS)) > 0)
    for _ in range(4):
        cast.fold_around(room, table)
        if stages.seat_of(cast.begin(room, table), anna.pk).dealt:
            break
    else:
        raise AssertionError("never dealt in again")
    expect(back.get_by_role("button", name="I'm back")).to_have_count(0)
    expect(back.locator(".seat[data-me] .card:not(.back)")).to_have_count(2)
    session = RingSession.objects.get(user=anna)
    assert session.state == RingSession.State.SEATED
    cast.law()


@pytest.mark.rule("J-01")
def test_a_jackpot_is_seen_by_players_and_spectators_after_its_cards_not_before(
    visit: Visit, room: Redis
) -> None:
    terms = replace(JACKPOTS["monte_carlo"], pocket_pair=False, both_hole_cards=False)
    Jackpot.objects.update_or_create(
        kind="monte_carlo", defaults={"stored_terms": builtins_of(terms), "enabled": True}
    )
    ring = cast.raked(jackpots=("monte_carlo",), buy_in_max=2_000_00, street_pause_ms=SHOWN_MS)
    table = cast.table_of(ring)
    users = [cast.player(name, balance=2_000_00) for name in ("Anna", "Bert")]
    for user in users:
        sit_down.sit(user, ring.pk, amount=2_000_00)
    pages = [visit(user, "/ring/jackpots/") for user in (*users, None)]
    _all_in(room, table, random.Random(SEED))
    for page in pages:
        page.goto(f"{ORIGIN}/ring/jackpots/")
        expect(page.locator(".jackpot-wins")).to_contain_text("No jackpot has fallen yet.")
    assert JackpotWin.objects.count() == 0 and jackpots.pool("monte_carlo") == 0
    cast.after(room, table)
    [win] = JackpotWin.objects.all()
    assert win.released_at <= timezone.now()
    for page in pages:
        page.goto(f"{ORIGIN}/ring/jackpots/")
        expect(page.locator(".jackpot-wins")).to_contain_text(win.name)
        expect(page.locator(".jackpot-wins")).to_contain_text(text(win.amount))
        expect(page.locator("dl.facts")).to_contain_text(text(win.pool - win.amount))
    RingGame.objects.update(password=make_password("secret"))
    for page, words in zip(pages, (win.name, win.name, "in a private game"), strict=True):
        page.reload()
        expect(page.locator(".jackpot-wins tbody .title")).to_have_text(words)
    expect(pages[-1].locator(".jackpot-wins")).to_contain_text(text(win.amount))
    expect(pages[-1].locator(".jackpot-wins tbody a")).to_have_count(0)
    assert jackpots.pool("monte_carlo") == win.pool - win.amount
    cast.law()


def test_a_spectator_of_a_table_that_closes_is_shown_the_way_to_the_game(
    visit: Visit, room: Redis
) -> None:
    ring = cast.game()
    table = cast.table_of(ring)
    sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    cast.boundary(room, table)
    page = visit(None, f"/tables/{table.pk}/")
    expect(page.locator("poker-table:not([data-loading]) .seat:not([data-free])")).to_have_count(1)
    operating.close_after_hand(None, ring.pk, "the night is over")
    cast.boundary(room, table)
    expect(page.locator(".notice")).to_contain_text("This table is closed.")
    page.get_by_role("button", name="To the ring game").click()
    expect(page).to_have_url(f"{ORIGIN}/ring/{ring.pk}/")


def _straddles(state: TableState) -> list[int]:
    assert state.setup is not None
    return [
        row.seat for row in state.setup.players for post in row.posts if post.kind == "straddle"
    ]


def _connected(room: Redis, table: Table, user: User) -> bool:
    return connections.is_connected(room, table.pk, user.pk, clock.redis_now_ms(room))


class Lost(NamedTuple):
    """A player at a table who lost the connection, and the page of a spectator."""

    table: Table
    player: User
    watcher: Page


def _lose_connection(visit: Visit, room: Redis, *, disconnect_ms: int) -> Lost:
    """Seat three players of a game with this disconnection time; one of them goes away."""
    ring = cast.game(action_ms=3_000, disconnect_ms=disconnect_ms)
    table, anna = cast.table_of(ring), cast.player("Anna")
    for user in (anna, cast.player("Bert"), cast.player("Cleo")):
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    page, watcher = visit(anna, f"/tables/{table.pk}/"), visit(None, f"/tables/{table.pk}/")
    cast.boundary(room, table)
    wait_for(lambda: _connected(room, table, anna))
    page.close()
    wait_for(lambda: not _connected(room, table, anna))
    return Lost(table, anna, watcher)


def _turn_of(room: Redis, table: Table, user: User) -> TableState:
    """Play until the disconnected turn of a player; the others call or check at once."""
    for _ in range(600):
        state = cast.begin(room, table)
        assert state.turn is not None
        if state.at(state.turn.seat).user == user.pk:
            if state.turn.disconnected:
                return state
            time.sleep(0.05)
        else:
            cast.act(room, state, "call")
        advance.advance(room, table.pk)
    raise AssertionError("the turn never comes")


def _turn_is_over(room: Redis, table: Table, before: TableState) -> bool:
    advance.advance(room, table.pk)
    state = fenced.peek(room, table.pk)
    return state is not None and state.turn != before.turn


def _all_in(room: Redis, table: Table, chance: random.Random) -> None:
    """Deal a hand from a seeded deck, play it all-in and settle it; its cards are shown later."""
    state = cast.dealt(room, table, chance)
    while state.turn is not None:
        assert state.hand is not None
        most = legal_actions(state.hand, state.turn.seat).raise_max
        cast.act(room, state, "call" if most is None else "raise", most)
        advance.advance(room, table.pk)
        found = fenced.peek(room, table.pk)
        assert found is not None
        state = found
    settle.settle(room, table.pk)
