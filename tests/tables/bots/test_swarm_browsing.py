"""Bots with browsers in memory: pages instead of subscriptions, and what a page forgets."""

from __future__ import annotations

import random

import msgspec
import pytest

from room_client.messages.commands import ChooseShowdown, Subscribe
from tables.bots.bot import Todo
from tables.bots.browsing import BrowsingBot
from tables.bots.habits import Habits
from tables.bots.tally import Tally
from tables.dealer import boundary
from tests.tables import stages
from tests.tables.whole_state import snapshot

ME, NOW_MS = 201, stages.START_MS
STREAM = "table:7"
TABLE = '<poker-table data-table="7" data-tournament="3" data-chat></poker-table>'


@pytest.fixture
def bot() -> BrowsingBot:
    """Bot that loads its page anew after every hand."""
    habits = Habits(reloads=100)
    return BrowsingBot(ME, chance=random.Random(3), pace="fast", tally=Tally(), habits=habits)


def tell(bot: BrowsingBot, kind: str, **fields: object) -> Todo:
    """Give a bot one message as the server writes it."""
    return bot.received(msgspec.json.encode({"type": kind, **fields}), NOW_MS / 1_000)


def welcome(bot: BrowsingBot) -> Todo:
    """Welcome a bot on a new socket."""
    return tell(bot, "welcome", protocol=1, now_ms=NOW_MS, user=ME)


def seat(bot: BrowsingBot) -> Todo:
    """Tell a bot that it has a seat."""
    line = {"id": "0-1", "type": "seated", "tournament": 3, "table": 7}
    return tell(bot, "events", stream=f"user:{ME}", events=[line])


def test_a_seat_leads_to_a_page_that_follows_the_table_when_it_has_come(bot: BrowsingBot) -> None:
    bot.window.loaded("/", "")
    assert welcome(bot).send == [Subscribe(f"user:{ME}")]
    assert seat(bot).send == [Subscribe(STREAM, watch=True)]
    assert seat(bot).send == [], "the page is on its way"
    assert bot.window.wanted == "/tables/7/"
    bot.window.loaded("/tables/7/", TABLE)
    bot.page_turned()
    assert welcome(bot).send == [
        Subscribe(f"user:{ME}"),
        Subscribe(STREAM, window=bot.window.name, ask=True),
        Subscribe("tournament:3"),
        Subscribe("tablechat:7"),
    ]
    assert bot.window.wanted == ""


def test_a_line_that_was_cut_resumes_and_a_page_that_is_loaded_starts_over(
    bot: BrowsingBot,
) -> None:
    seat(bot)
    bot.window.loaded("/tables/7/", TABLE)
    bot.page_turned()
    welcome(bot)
    tell(bot, "snapshot", stream=STREAM, id="1-4", state=snapshot(stages.empty(3), ME))
    resumed = next(wish for wish in welcome(bot).send if wish.stream == STREAM)  # type: ignore[union-attr]
    assert resumed == Subscribe(STREAM, after="1-4", window=bot.window.name, ask=True)
    bot.page_turned()
    anew = next(wish for wish in welcome(bot).send if wish.stream == STREAM)  # type: ignore[union-attr]
    assert anew == Subscribe(STREAM, window=bot.window.name, ask=True)


def test_a_table_that_another_window_took_is_taken_back(bot: BrowsingBot) -> None:
    seat(bot)
    bot.window.loaded("/tables/7/", TABLE)
    tell(bot, "taken_over", stream=STREAM)
    assert bot.window.take_back() == [Subscribe(STREAM, window=bot.window.name)]
    assert bot.tally.counts["taken_over"] == 1


def test_a_seat_is_told_the_kept_choice_once_for_each_page(bot: BrowsingBot) -> None:
    seat(bot)
    bot.window.loaded("/tables/7/", TABLE)
    bot.page_turned()
    welcome(bot)
    state, _ = boundary.answer(
        stages.empty(3),
        stages.grant(stages.empty(3), stages.roster(900, 900)),
        now_ms=NOW_MS,
    )
    for _ in range(2):
        tell(bot, "snapshot", stream=STREAM, id="1-4", state=snapshot(state, ME))
    [told] = [one for one in bot.take_commands() if isinstance(one, ChooseShowdown)]
    assert (told.table, told.choice) == (7, "auto")
    bot.page_turned()
    tell(bot, "snapshot", stream=STREAM, id="1-4", state=snapshot(state, ME))
    assert len(bot.take_commands()) == 1
