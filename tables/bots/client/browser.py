"""Connection of a bot with a browser: it loads pages, and sends and reads what they do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from room_client.messages.commands import Ping
from room_client.messages.streams import ClientMessage
from tables.bots.browsing import BrowsingBot
from tables.bots.client.connection import BotConnection, Identity, Site
from tables.bots.history import History
from tables.bots.window import (
    LOBBY,
    PING_AFTER_S,
    PING_EVERY_S,
    SILENCE_MAX_S,
    URGENT_PING_AFTER_S,
    PageRequest,
)

BEAT_S = 1.0
"""Longest time from one look at the silence of the room to the next; below the shortest wait."""
PAGE_AGAIN_S = 2.0
TAKE_BACK_S = 2.0
VISIT_MAX_S, VISIT_LOOK_S = 20.0, 0.1


class BrowserConnection(BotConnection):
    """Window of a bot's browser at the room: one page after another, each with its own socket."""

    pings_itself = False

    def __init__(
        self,
        site: Site,
        identity: Identity,
        bot: BrowsingBot,
        history: History | None = None,
        address: str | None = None,
    ) -> None:
        super().__init__(site, identity, bot, history, address)
        self._player = identity
        self._bot = bot
        self._is_turning = False
        self._pinged_s = self._heard_s = 0.0
        self._asked_s: float | None = None

    async def run(self) -> None:
        """Open the lobby, and keep the window open until this task is cancelled."""
        window = self._bot.window
        window.loaded(LOBBY, await self.site.page(self._player, LOBBY) or "")
        beating = asyncio.create_task(self._beat())
        try:
            await super().run()
        finally:
            beating.cancel()

    def received(self, raw: str | bytes) -> None:
        """Let the bot take in one message, then do what its page does."""
        self._heard_s = asyncio.get_running_loop().time()
        self._asked_s = None
        super().received(raw)
        self.look_around()

    async def visit(self, page: str) -> None:
        """Go to a page of the room, and wait until it follows its streams.

        Raises TimeoutError when it does not come in time.
        """
        self._bot.window.turn_to(page)
        self.look_around()
        async with asyncio.timeout(VISIT_MAX_S):
            while self._bot.window.page != page or not self.is_open:
                await asyncio.sleep(VISIT_LOOK_S)

    def look_around(self) -> None:
        """Go to the page that is wanted, and read what the page asks for."""
        window = self._bot.window
        if window.wanted and not self._is_turning:
            self._is_turning = True
            self.keep(asyncio.create_task(self._turn()))
        for asked in window.take_requests():
            self.keep(asyncio.create_task(self._read(asked)))
        self.say(self._bot.take_commands())
        loop = asyncio.get_running_loop()
        if (wait_s := window.field_wait_s) is not None:
            again = window.field_again()
            loop.call_later(wait_s, self._say_on, window.pages_shown, again)
        if back := window.take_back():
            loop.call_later(TAKE_BACK_S, self._say_on, window.pages_shown, back)

    async def _turn(self) -> None:
        """Load the wanted page, again until it comes; the one before is shown meanwhile."""
        window, counts = self._bot.window, self._bot.tally.counts
        try:
            while page := window.wanted:
                words = await self.site.page(self._player, page)
                if words is None:
                    counts["pages_failed"] += 1
                    await asyncio.sleep(PAGE_AGAIN_S)
                    continue
                counts["pages"] += 1
                window.loaded(page, words)
                self._bot.page_turned()
                await self.reopen()
        finally:
            self._is_turning = False
        self.look_around()

    async def _read(self, asked: PageRequest) -> None:
        """Read an address for the page, unless another page is shown by then, or on its way."""
        window = self._bot.window
        page = window.pages_shown
        await asyncio.sleep(asked.after_s)
        if window.pages_shown != page or window.is_dropped(asked):
            return
        counts = self._bot.tally.counts
        counts["requests"] += 1
        words = await self.site.page(self._player, window.address_of(asked))
        if words is None:
            counts["requests_failed"] += 1
        else:
            window.answered(asked, words)

    async def _beat(self) -> None:
        """Ping a room that says nothing, as pages do, and give up a socket that stays silent."""
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(self.bot.chance.uniform(0, BEAT_S))
        while True:
            await asyncio.sleep(self._watch(clock()))

    def _watch(self, now_s: float) -> float:
        """Ping or give up when it is time; return the seconds until the next look."""
        if not self.is_open:
            self._asked_s = None
            return BEAT_S
        if self._asked_s is not None:
            if now_s - self._asked_s > SILENCE_MAX_S:
                self.give_up()
            return BEAT_S
        after_s = URGENT_PING_AFTER_S if self._bot.is_asked else PING_AFTER_S
        quiet_s = max(self._pinged_s, self._heard_s) + after_s
        left_s = min(quiet_s, self._pinged_s + PING_EVERY_S) - now_s
        if left_s > 0:
            return min(left_s, BEAT_S)
        self._pinged_s = self._asked_s = now_s
        self.say([Ping(int(time.time() * 1_000))])
        return BEAT_S

    def _say_on(self, page: int, messages: Sequence[ClientMessage]) -> None:
        """Send messages of a page, unless another one is shown by now."""
        if self._bot.window.pages_shown == page:
            self.say(messages)
