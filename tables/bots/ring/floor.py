"""Bots of a swarm that play ring games: they find seats, wait for them, and come back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import cycle
from random import Random
from typing import Any

from room_client.messages.streams import ClientMessage
from tables.bots.bot import Bot
from tables.bots.client.connection import Identity, Site
from tables.bots.errands import Body
from tables.bots.habits import Habits
from tables.bots.ring import rows, stays
from tables.bots.ring.rows import RingRows, RingStay
from tables.bots.tally import Tally

LOOK_EVERY_S = 2.0
LOOK_PARTS = 20
"""Parts of the bots that are looked at one after the other: people do not come in step either."""
SITTING_AT_ONCE = 8
AWAY_S = (5.0, 30.0)
"""Time between two sessions of a bot, and between two looks of a bot that waits for a seat."""

Say = Callable[[Identity, list[ClientMessage]], None]
"""Send messages over the socket of a bot."""


class RingFloor:
    """Bots that sit at ring tables; each is at one table at a time."""

    def __init__(
        self,
        site: Site,
        bots: Sequence[tuple[Identity, Bot]],
        say: Say,
        *,
        habits: Habits,
        leave_seats: int,
        seed: int,
        tally: Tally,
    ) -> None:
        self._site = site
        self._bots = bots
        self._say = say
        self._habits = habits
        self._leave_seats = leave_seats
        self._chance = Random(f"{seed} ring")  # nosec B311
        self._tally = tally
        self._gate = asyncio.Semaphore(SITTING_AT_ONCE)
        self._away: set[str] = set()

    async def run(self, is_over: Callable[[], bool]) -> None:
        """Seat bots that sit nowhere, each in its own time, until the run is over."""
        async with asyncio.TaskGroup() as visits:
            for part in cycle(range(LOOK_PARTS)):
                if is_over():
                    break
                for identity, bot in self._bots[part::LOOK_PARTS]:
                    if bot.sits_nowhere and identity.name not in self._away:
                        self._away.add(identity.name)
                        visits.create_task(self._come(identity, bot))
                await asyncio.sleep(LOOK_EVERY_S / LOOK_PARTS)

    async def _come(self, identity: Identity, bot: Bot) -> None:
        """Visit the ring games once, then stay away for a while."""
        await self._visit(identity, bot)
        wait_s = self._chance.uniform(*AWAY_S)
        asyncio.get_running_loop().call_later(wait_s, self._away.discard, identity.name)

    async def _visit(self, identity: Identity, bot: Bot) -> None:
        """Sit down at a table, take an offered seat, or join a waiting list."""
        async with self._gate:
            seen = rows.read(await self._site.get(identity, rows.PATH))
            if seen is None:
                return
            if _staying(seen) is None:
                if not await self._sit(identity, seen):
                    return
                seen = rows.read(await self._site.get(identity, rows.PATH))
        if seen is not None and (stay := _staying(seen)) is not None:
            game = next((game for game in seen.games if game.game == stay.game), None)
            if game is None:  # a game for members of a club, which the rows do not name
                return
            is_new = bot.ring_seat is None
            self._tally.counts["ring_sessions"] += is_new
            self._say(identity, bot.sit_at_ring(game, stay))
            posts = stays.arrived(game, stay, self._chance, "fast", self._habits) if is_new else []
            if stay.absent:
                posts.append(stays.come_back(stay, self._chance, "fast"))
            for post in posts:
                await self._told("choice", self._site.post(identity, post.path, post.body))

    async def _sit(self, identity: Identity, seen: RingRows) -> bool:
        """Return whether the bot has got a seat by a request of its own."""
        chance, habits = self._chance, self._habits
        games = {game.game: game for game in seen.games}
        for offer in seen.offers:
            if offer.game not in games:  # a game for members of a club, which the rows do not name
                continue
            found = stays.take_wish(games[offer.game], offer, habits, chance)
            return found is not None and await self._buy("take", identity, *found)
        left = list(seen.games)
        while (game := stays.choose_game(left, self._leave_seats, habits, chance)) is not None:
            path, wish = f"/ring-games/{game.game}/sessions", stays.sit_wish(game, habits, chance)
            if await self._buy("sit", identity, path, wish):
                return True
            # Others may have taken its last seats since the rows were read.
            left.remove(game)
        if len(left) < len(seen.games):
            return False
        full = None if seen.waiting else stays.choose_wait(seen.games, habits, chance)
        if full is not None:
            await self._told(
                "wait",
                self._site.post(
                    identity, f"/ring-games/{full.game}/waiting", stays.known(full, habits)
                ),
            )
        return False

    async def _buy(self, what: str, identity: Identity, path: str, wish: Body) -> bool:
        """Return whether a seat was bought, if need be for the sum that the room asks for."""
        said = await self._site.post(identity, path, wish)
        if (amount := stays.asked_for(said)) is not None:
            said = await self._site.post(identity, path, wish | {"amount": amount})
        return self._counted(what, said)

    async def _told(self, what: str, asked: Awaitable[dict[str, Any]]) -> bool:
        """Return whether a request was accepted; count the answer."""
        return self._counted(what, await asked)

    def _counted(self, what: str, said: dict[str, Any]) -> bool:
        if said.get("ok"):
            self._tally.counts[f"ring_{what}"] += 1
            return True
        self._tally.refused[f"ring_{what}_{said.get('code', 'no_answer')}"] += 1
        return False


def _staying(seen: RingRows) -> RingStay | None:
    return next((stay for stay in seen.sessions if not stay.leaving), None)
