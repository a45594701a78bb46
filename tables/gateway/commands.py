"""Deliver commands from sockets into the inboxes of their tables, and ring the tables' bells."""

from __future__ import annotations

import asyncio
import threading
from queue import SimpleQueue

import msgspec
import structlog
from redis.exceptions import RedisError

from config import clock, limits
from tables.dealer.state import QueueKind
from tables.gateway.gathered_cuts import GatheredCuts
from tables.gateway.shards import Shards
from tables.gateway.streams.followers import StreamFollower
from tables.store import inbox, lua
from tables.store.ready import BELL_LIFETIME_MS
from tables.wire.client_commands import AnsweredCommand, CutDeck
from tables.workers.bells import ring

log = structlog.get_logger(__name__)

_json = msgspec.json.Encoder().encode
_REFUSED = {"no_table": "no_table", "not_seated": "not_seated", "full": "too_many_commands"}


class Commands:
    """Append commands to inboxes, many in one trip to Redis."""

    def __init__(self, shards: Shards) -> None:
        self._appends = shards.trips(lua.source("append"))
        self._cuts = GatheredCuts(shards)
        self._bells = Bells()

    async def send(self, follower: StreamFollower, command: AnsweredCommand) -> str | None:
        """Append a follower's command; return a refusal code, or None: the answer will follow."""
        if command.id in follower.pending:
            return None
        if len(follower.pending) >= limits.COMMANDS_PENDING_MAX:
            return "too_many_commands"
        assert follower.user is not None
        # Pending before the command is appended: its result may arrive before the reply of the
        # script.
        follower.pending[command.id] = asyncio.get_running_loop().time()
        try:
            call = inbox.arguments(command.table, follower.user, _json(command))
            appended = inbox.answer(await self._appends.run(follower.stream, *call))
        except (RedisError, OSError) as error:
            log.warning("command not delivered", table=command.table, error=str(error))
            follower.pending.pop(command.id, None)
            return "unavailable"
        if appended.status != "accepted":
            follower.pending.pop(command.id, None)
            return _REFUSED[appended.status]
        if appended.ring:
            self._bells.ring(follower.stream, "play")
        return None

    async def cut(self, follower: StreamFollower, cut: CutDeck) -> str | None:
        """Append a follower's cut; return a refusal code, or None: `deck_cut` tells what counted.

        Cuts beyond those that may wait are dropped, like a seed that comes too late.
        """
        assert follower.user is not None
        try:
            status, ring = await self._cuts.send(inbox.SentCut(follower.user, cut))
        except (RedisError, OSError) as error:
            log.warning("cut not delivered", table=cut.table, error=str(error))
            return "unavailable"
        if ring:
            self._bells.ring(follower.stream, "play")
        return None if status in ("accepted", "full") else _REFUSED[status]

    def expire(self, follower: StreamFollower) -> None:
        """Answer commands that have waited too long for a result."""
        if not follower.pending:
            return
        oldest = asyncio.get_running_loop().time() - limits.COMMAND_ANSWER_MAX_MS / 1_000
        for command_id in [key for key, at in follower.pending.items() if at < oldest]:
            del follower.pending[command_id]
            follower.outbox.answer(follower.tongue.refused("no_answer", id=command_id))

    def close(self) -> None:
        """Stop ringing bells."""
        self._bells.close()


class Bells:
    """Queue of bells and the thread that rings them, because reaching the broker blocks.

    A bell that waited too long is dropped, since the wake is due by then.
    """

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[str, QueueKind, int] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def ring(self, member: str, kind: QueueKind) -> None:
        """Queue a bell and return at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._ring_all, name="bells", daemon=True)
            self._thread.start()
        self._waiting.put((member, kind, clock.monotonic_ms()))

    def close(self) -> None:
        """Let the thread end."""
        self._waiting.put(None)

    def _ring_all(self) -> None:
        while (bell := self._waiting.get()) is not None:
            member, kind, asked_ms = bell
            if clock.monotonic_ms() - asked_ms > BELL_LIFETIME_MS:
                continue
            try:
                ring(member, kind)
            except Exception:
                log.exception("bell lost", member=member)
