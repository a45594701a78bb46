"""The way of a command from a socket into its table's inbox, many in one trip to Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import msgspec
import structlog
from redis.exceptions import NoScriptError, RedisError

from config import limits
from tables import inbox, lua
from tables.client_commands import TableCommand
from tables.gateway_bells import Bells
from tables.gateway_followers import Follower
from tables.inbox import Appended
from tables.play.state import Desk

log = structlog.get_logger(__name__)

TOGETHER_MAX = 100

_json = msgspec.json.Encoder().encode
_REFUSED = {"no_table": "no_table", "not_seated": "not_seated", "full": "too_many_commands"}

Call = tuple[list[str], list[str | int | bytes]]


class Commands:
    """Puts commands into inboxes; whatever comes while one trip is under way makes the next."""

    def __init__(self, redis: Any) -> None:
        self._redis = redis
        self._script = redis.register_script(lua.source("append"))
        self._waiting: list[tuple[Call, asyncio.Future[Appended]]] = []
        self._trip: asyncio.Task[None] | None = None
        self._bells = Bells()

    async def send(self, follower: Follower, command: TableCommand) -> str | None:
        """Put a follower's command in; a refusal code, or None when the answer will follow."""
        if command.id in follower.pending:
            return None
        if len(follower.pending) >= limits.COMMANDS_PENDING_MAX:
            return "too_many_commands"
        assert follower.user is not None
        # Noted before it goes in: its result may be there before the script's reply is.
        follower.pending[command.id] = asyncio.get_running_loop().time()
        try:
            appended = await self._append(
                inbox.arguments(command.table, follower.user, _json(command))
            )
        except (RedisError, OSError) as error:
            log.warning("command not delivered", table=command.table, error=str(error))
            follower.pending.pop(command.id, None)
            return "unavailable"
        if appended.status != "accepted":
            follower.pending.pop(command.id, None)
            return _REFUSED[appended.status]
        if appended.ring:
            self._bells.ring(follower.stream, cast(Desk, appended.desk), appended.rings)
        return None

    def expire(self, follower: Follower) -> None:
        """Tell the sender of a command that no answer came for too long."""
        if not follower.pending:
            return
        oldest = asyncio.get_running_loop().time() - limits.COMMAND_ANSWER_MAX_MS / 1_000
        for command_id in [key for key, at in follower.pending.items() if at < oldest]:
            del follower.pending[command_id]
            follower.outbox.answer(follower.tongue.refused("no_answer", id=command_id))

    def close(self) -> None:
        """Ring no more."""
        self._bells.close()

    async def _append(self, call: Call) -> Appended:
        answer: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self._waiting.append((call, answer))
        if self._trip is None:
            self._trip = asyncio.create_task(self._travel())
        return await answer

    async def _travel(self) -> None:
        try:
            while self._waiting:
                together = self._waiting[:TOGETHER_MAX]
                del self._waiting[:TOGETHER_MAX]
                await self._carry(together)
        finally:
            self._trip = None

    async def _carry(self, together: Sequence[tuple[Call, asyncio.Future[Appended]]]) -> None:
        failure: Exception | None = None
        try:
            replies = await self._run([call for call, _ in together])
        except (RedisError, OSError) as error:
            failure = error
        for number, (_, answer) in enumerate(together):
            if answer.done():
                continue  # its socket is gone
            reply = failure or replies[number]
            if isinstance(reply, Exception):
                answer.set_exception(reply)
            else:
                answer.set_result(inbox.answer(reply))

    async def _run(self, calls: Sequence[Call]) -> list[Any]:
        replies = await self._pipeline(calls)
        if any(isinstance(reply, NoScriptError) for reply in replies):
            # Redis was started anew; none of these was carried out, for none knew the script.
            await self._redis.script_load(self._script.script)
            again = [n for n, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
            for n, reply in zip(
                again, await self._pipeline([calls[n] for n in again]), strict=True
            ):
                replies[n] = reply
        return replies

    async def _pipeline(self, calls: Sequence[Call]) -> list[Any]:
        pipe = self._redis.pipeline(transaction=False)
        for names, values in calls:
            pipe.evalsha(self._script.sha, len(names), *names, *values)
        replies: list[Any] = await pipe.execute(raise_on_error=False)
        return replies
