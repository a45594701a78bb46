"""Many bots in one process: connect, register, and stop when all is played."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from room_client.messages.streams import ClientMessage
from tables.bots import habits as ways
from tables.bots import swarm_log, tally_file
from tables.bots.bot import Bot
from tables.bots.browsing import BrowsingBot
from tables.bots.client.browser import BrowserConnection
from tables.bots.client.connection import BotConnection, Identity, Site, chance_of
from tables.bots.habits import Habits
from tables.bots.history import History
from tables.bots.lobby import Scout
from tables.bots.lobby_rows import LobbyTournament
from tables.bots.playing.pace import Pace
from tables.bots.ring.floor import RingFloor
from tables.bots.tally import Tally

CONNECTS_PER_S = 150
REGISTRATIONS_AT_ONCE = 8
LOOK_EVERY_S = 0.5
TOURNAMENTS_AT_ONCE = 3
"""Most tournaments of a bot at once, where the swarm picks them itself."""
_TRY_AGAIN = ("http_", "no_answer", "busy")
_SETTLED = frozenset({"already_registered", "registered"})
_NO_TICKET = "no_fitting_ticket"


class SwarmPlan(msgspec.Struct, frozen=True):
    """Plan of a swarm; without a tournament it plays every open one.

    The last `ring` of its bots play ring games instead.
    """

    pace: Pace
    tournament: int | None = None
    duration_s: float | None = None
    leave_seats: int = 1
    """Seats of a Sit & Go left free for people, when the swarm picks its tournaments itself."""
    seed: int = 1
    history: str | None = None
    """Folder in which every bot logs the messages it sent and got."""
    connects_per_s: float = CONNECTS_PER_S
    course: str | None = None
    """File with one JSON line of counts per second."""
    tally: str | None = None
    """File that keeps the counts, for a process that continues after this one was killed."""
    orders: str | None = None
    """File with the factor by which bots think faster than people."""
    habits: Habits = Habits()
    ring: int = 0
    browsers: bool = False
    """Every bot does what a person's browser does: pages, their streams and requests, pings."""
    address: str | None = None
    """Local address of the bots' sockets: one address has ports for some 28,000 of them."""


class Crowd:
    """Bots, the scout, and the registrations of each bot."""

    def __init__(self, site: Site, identities: Sequence[Identity], plan: SwarmPlan) -> None:
        self.site = site
        self.plan = plan
        self.tally = Tally() if plan.tally is None else tally_file.load(Path(plan.tally))
        self.scout = Scout(chance=Random(plan.seed), tally=self.tally)  # nosec B311
        # A table answers a command id once, so a process that starts again with an equal seed needs
        # other ids.
        run = secrets.token_hex(6)
        self.bots = [
            (
                identity,
                (BrowsingBot if plan.browsers else Bot)(
                    identity.user,
                    chance=chance_of(plan.seed, identity),
                    pace=plan.pace,
                    tally=self.tally,
                    ids=run,
                    habits=plan.habits,
                    lobby=self.scout.offers,
                ),
            )
            for identity in identities
        ]
        self._busy: set[str] = set()
        self._entered: Counter[tuple[int, str]] = Counter()
        self._refused: set[tuple[int, str]] = set()
        self._gate = asyncio.Semaphore(REGISTRATIONS_AT_ONCE)
        self._connected: dict[str, BotConnection] = {}
        in_tournaments = len(self.bots) - plan.ring
        self._players, ring_bots = self.bots[:in_tournaments], self.bots[in_tournaments:]
        self._floor = RingFloor(
            site,
            ring_bots,
            self._say,
            habits=plan.habits,
            leave_seats=plan.leave_seats,
            seed=plan.seed,
            tally=self.tally,
        )
        self._stop = asyncio.Event()

    def stop(self) -> None:
        """End the run early, as if its time were up."""
        self._stop.set()

    async def run(self) -> dict[str, Any]:
        """Play until the tournament is over or the time is up; return the report."""
        lines: list[asyncio.Task[None]] = []
        try:
            async with asyncio.timeout(self.plan.duration_s):
                lines.append(asyncio.create_task(BotConnection(self.site, None, self.scout).run()))
                playing = [
                    asyncio.create_task(self._join()),
                    asyncio.create_task(self._floor.run(self._is_over)),
                ]
                lines += playing
                if self.plan.course is not None:
                    noting = swarm_log.keep(self.tally, self.plan.course, self.plan.orders)
                    lines.append(asyncio.create_task(noting))
                if self.plan.tally is not None:
                    saving = tally_file.keep(self.tally, Path(self.plan.tally))
                    lines.append(asyncio.create_task(saving))
                await self._connect(lines)
                await asyncio.gather(*playing)
        except TimeoutError:
            pass
        finally:
            for task in lines:
                task.cancel()
            await asyncio.gather(*lines, return_exceptions=True)
        wanted = self.plan.tournament
        return {
            "players": len(self.bots),
            "think": self.plan.pace,
            "over": wanted is not None and self.scout.is_over(wanted),
            **self.tally.report(),
        }

    def _history(self, identity: Identity) -> History | None:
        if self.plan.history is None:
            return None
        return History(Path(self.plan.history), identity.user, identity.name)

    async def _connect(self, lines: list[asyncio.Task[None]]) -> None:
        """Connect one bot after the other, at a steady rate however long each connection takes."""
        clock = asyncio.get_running_loop().time
        began_s = clock()
        for number, (identity, bot) in enumerate(self.bots):
            line = _connection(self.site, identity, bot, self._history(identity), self.plan)
            lines.append(asyncio.create_task(line.run()))
            self._connected[identity.name] = line
            due_s = began_s + (number + 1) / self.plan.connects_per_s
            await asyncio.sleep(max(0.0, due_s - clock()))

    async def _join(self) -> None:
        """Register bots for open tournaments, again and again."""
        while not self._is_over():
            await asyncio.sleep(LOOK_EVERY_S)
            wanted = self.plan.tournament
            async with asyncio.TaskGroup() as group:
                private = bool(self.plan.habits.password)
                for offer in self.scout.open_offers(private=private):
                    if wanted is None or offer.tournament == wanted:
                        self._fill(offer, group)

    def _is_over(self) -> bool:
        """Return whether the run was stopped, or its tournament is over."""
        wanted = self.plan.tournament
        return self._stop.is_set() or (wanted is not None and self.scout.is_over(wanted))

    def _say(self, identity: Identity, messages: list[ClientMessage]) -> None:
        """Send messages of a bot that is connected; others send them when they are."""
        if identity.name in self._connected:
            self._connected[identity.name].say(messages)

    def _fill(self, offer: LobbyTournament, group: asyncio.TaskGroup) -> None:
        free = offer.players_max - offer.entrants
        if self.plan.tournament is None and offer.start == "sit_and_go":
            # The lobby tells an entry up to a second after the answer to its registration.
            own = sum(self._entered[offer.tournament, one.name] for one, _ in self._players)
            free = min(free, offer.players_max - own) - self.plan.leave_seats
        by_leisure = sorted(enumerate(self._players), key=lambda item: len(item[1][1].tournaments))
        for number, (identity, bot) in by_leisure:
            if free <= 0:
                return
            late = ways.comes_late(number, len(self._players), self.plan.habits)
            if late and offer.start == "scheduled" and not offer.late:
                continue
            if self._may_enter(offer, identity, bot):
                free -= 1
                self._busy.add(identity.name)
                group.create_task(self._register(offer, identity, bot))

    def _may_enter(self, offer: LobbyTournament, identity: Identity, bot: Bot) -> bool:
        if identity.name in self._busy or identity.name not in self._connected:
            return False
        key = (offer.tournament, identity.name)
        if key in self._refused or self._entered[key] >= self._wanted(offer, identity):
            return False
        if self._entered[key]:
            return True  # one of several simultaneous entries
        return self.plan.tournament is not None or self._has_time(bot, offer)

    def _has_time(self, bot: Bot, offer: LobbyTournament) -> bool:
        """Return whether a bot plays few tournaments, and no scheduled one besides this.

        Who waits in a Sit & Go for people plays elsewhere meanwhile.
        """
        if len(bot.tournaments) >= TOURNAMENTS_AT_ONCE:
            return False
        return offer.start == "sit_and_go" or all(map(self.scout.is_sit_and_go, bot.tournaments))

    def _wanted(self, offer: LobbyTournament, identity: Identity) -> int:
        """Return how many entries a bot takes; the answer does not change between calls."""
        chance = Random(f"{self.plan.seed}:{identity.user}:{offer.tournament}")  # nosec B311
        return ways.entries_wanted(offer.entries_max, offer.several, self.plan.habits, chance)

    async def _register(self, offer: LobbyTournament, identity: Identity, bot: Bot) -> None:
        said: dict[str, Any] = {}
        line = self._connected[identity.name]
        if isinstance(line, BrowserConnection):
            with suppress(TimeoutError):  # The room is away: registering says so, too.
                await line.visit(f"/tournaments/{offer.tournament}/")
        async with self._gate:
            for wish in ways.payments(offer.methods, self.plan.habits):
                path = f"/tournaments/{offer.tournament}/entries"
                said = await self.site.post(identity, path, wish)
                if said.get("code") != _NO_TICKET:
                    break
        self._busy.discard(identity.name)
        code = str(said.get("code", ""))
        key = (offer.tournament, identity.name)
        if said.get("ok") or code in _SETTLED:
            bot.tournaments.add(offer.tournament)
            self.tally.counts["registered"] += 1
            self._entered[key] += 1
        # other codes mean that the server is away: the next look tries again
        elif not code.startswith(_TRY_AGAIN):
            self.tally.refused[f"register_{code}"] += 1
            self._refused.add(key)


def _connection(
    site: Site, identity: Identity, bot: Bot, history: History | None, plan: SwarmPlan
) -> BotConnection:
    """Return the connection of a bot, with the window of a browser if it has one."""
    if isinstance(bot, BrowsingBot):
        return BrowserConnection(site, identity, bot, history, plan.address)
    return BotConnection(site, identity, bot, history, plan.address)
