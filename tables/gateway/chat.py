"""Chat over sockets: who may write and read, in tasks of their own beside the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import get_args

import msgspec
import structlog
from django.conf import settings
from django.db import DatabaseError
from redis.exceptions import RedisError

from config import limits
from tables.chat import clubs, history, panel_steps, sending
from tables.chat.events import ChatEvent, ChatSnapshot
from tables.chat.quiet import is_quiet
from tables.chat.refusals import ChatOff, ChatRefusal, NotAWriter, QuietHand
from tables.chat.seats import refuse_in_all_in
from tables.chat.sending import ChatAuthor
from tables.gateway import rights
from tables.gateway.background import BackgroundTasks
from tables.gateway.database import reads, writes_chat
from tables.gateway.shards import Shards
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.known_kinds import Guard, NoSuchStream, register_snapshot
from tables.gateway.streams.send_queue import SendQueue
from tables.gateway.words import Tongue
from tables.store import keys, readable
from tables.wire.client_commands import (
    ChatCommand,
    DeleteChat,
    ReportChat,
    SendEmote,
    SilenceChat,
    WriteChat,
)
from tables.wire.client_events import Refused, Result

log = structlog.get_logger(__name__)

TABLE_CHAT = "tablechat"
"""Kind of streams of what the players of a table write; all who may watch the table read it."""

RAIL_CHAT = "railchat"
"""Kind of streams of what the spectators of a table write, where the room allows it."""

MayWrite = Callable[[int, int], bool]
"""(number, user) -> True when the user may write there now; may read PostgreSQL."""


class ChatKind(msgspec.Struct, frozen=True):
    """Chats of one prefix; without `may_write` the seats of a table decide."""

    readers: Guard
    may_write: MayWrite | None = None


_kinds: dict[str, ChatKind] = {}


class ChatWriter(msgspec.Struct, frozen=True):
    """Socket that sends a chat command: its user, the streams it follows, the way of answers."""

    user: int | None
    name: str
    followers: Mapping[str, StreamFollower]
    outbox: SendQueue
    tongue: Tongue


class ChatCommands:
    """Chat commands of all sockets of a process; a command waits in no socket's queue of moves."""

    def __init__(self, shards: Shards, tasks: BackgroundTasks) -> None:
        self._shards = shards
        self._tasks = tasks
        self._waiting: Counter[int] = Counter()

    def take(self, writer: ChatWriter, command: ChatCommand) -> None:
        """Answer a command at once or in the background; one at a time for each user."""
        refusal = self._why_not(writer, command)
        if refusal is not None:
            writer.outbox.answer(writer.tongue.refused(refusal, id=command.id))
            return
        assert writer.user is not None
        self._waiting[writer.user] += 1
        self._tasks.spawn(self._carry_out(writer, writer.user, command))

    def _why_not(self, writer: ChatWriter, command: ChatCommand) -> str | None:
        prefix, _, number = command.stream.partition(":")
        if prefix not in _kinds or not number:
            return "no_such_stream"
        if writer.user is None:
            return "login"
        if self._waiting[writer.user]:
            return "too_many_commands"
        if self._waiting.total() >= limits.CHAT_WAITING_MAX:
            return "unavailable"
        reads_alone = not isinstance(command, WriteChat | SendEmote)
        if reads_alone or _kinds[prefix].may_write is not None:
            return None if _shows(writer.followers.get(command.stream)) else "not_following"
        table = writer.followers.get(keys.table(int(number)))
        if table is None or not _shows(table):
            return "not_following"
        # A seat is known from the table's own state in Redis, as the gateway read it last.
        if prefix == TABLE_CHAT:
            return "not_seated" if table.entry is None else None
        return "chat_of_spectators" if table.entry is not None else None

    async def _carry_out(self, writer: ChatWriter, user: int, command: ChatCommand) -> None:
        answer: Refused | Result
        try:
            match command:
                case WriteChat() | SendEmote():
                    await self._write(writer, user, command)
                case ReportChat(_, stream, message):
                    await _report(stream, message, user)
                case DeleteChat(_, stream, message):
                    await _delete(user, stream, message)
                case SilenceChat(_, stream, message, minutes, reason):
                    await _silence(user, stream, message, minutes, reason)
        except ChatRefusal as refusal:
            answer = writer.tongue.chat_refused(refusal, id=command.id)
        except (RedisError, OSError, DatabaseError) as error:
            log.warning("chat command not carried out", stream=command.stream, error=str(error))
            answer = writer.tongue.refused("unavailable", id=command.id)
        except Exception:
            log.exception("chat command failed", stream=command.stream)
            answer = writer.tongue.refused("unavailable", id=command.id)
        else:
            answer = Result(command.id)
        finally:
            self._waiting[user] -= 1
            if not self._waiting[user]:
                del self._waiting[user]
        writer.outbox.answer(answer)

    async def _write(self, writer: ChatWriter, user: int, command: WriteChat | SendEmote) -> None:
        if not _is_on(command.stream):
            raise ChatOff
        number = keys.number(command.stream)
        kind = _kinds[command.stream.partition(":")[0]]
        if kind.may_write is not None:
            await _refuse_outsiders(kind.may_write, number, user)
        elif settings.CHAT_QUIET_ALL_IN and command.stream.startswith(f"{TABLE_CHAT}:"):
            # The state as it is now, since the gateway's events may be a moment behind.
            table = keys.table(number)
            key = keys.state(table, settings.SHARDS)
            reply = await self._shards.of(table).hmget(key, readable.FIELDS)
            held = readable.open_state(number, reply)
            if held is not None and is_quiet(held.state, user):
                raise QuietHand
        author = ChatAuthor(user, writer.name)
        if isinstance(command, SendEmote):
            await _send_emote(command.stream, author, command.id, command.emote)
        else:
            await _send(command.stream, author, command.id, command.text)


def register_chat(
    prefix: str,
    readers: Guard,
    may_write: MayWrite | None = None,
    club_of: clubs.ClubOf | None = None,
) -> None:
    """Let clients follow chats `prefix:<number>`.

    `readers` returns the users that may follow (None: everybody). A reader for whom `may_write`
    holds writes, and is silent during an all-in at any table where that user is still in the hand.
    Managers of the club that `club_of` returns moderate it.
    """

    async def guard(stream: str, users: Collection[int | None]) -> set[int] | None:
        if not _is_on(stream):
            raise NoSuchStream(stream)
        return await readers(stream, users)

    _kinds[prefix] = ChatKind(readers, may_write)
    if club_of is not None:
        clubs.register(prefix, club_of)
    register_snapshot(
        prefix,
        _snapshot,
        personal=False,
        state=ChatSnapshot,
        events=get_args(ChatEvent),
        guard=guard,
        urgent=False,
    )


def register_table_chats() -> None:
    """Let clients follow the chats of tables: who may watch a table reads them."""
    for prefix in (TABLE_CHAT, RAIL_CHAT):
        register_chat(prefix, rights.of_table, club_of=clubs.club_of_table)


async def _snapshot(stream: str, user: int | None) -> tuple[str, bytes] | None:
    return await _history(stream)


def _is_on(stream: str) -> bool:
    return settings.CHAT and (settings.CHAT_SPECTATORS or not stream.startswith(f"{RAIL_CHAT}:"))


def _shows(follower: StreamFollower | None) -> bool:
    """Return whether a stream was sent to this socket: its user had the right to see it."""
    return follower is not None and not follower.gone and follower.at is not None


def _allow_writer(may_write: MayWrite, number: int, user: int) -> None:
    if not may_write(number, user):
        raise NotAWriter
    if settings.CHAT_QUIET_ALL_IN:
        refuse_in_all_in(user)


_refuse_outsiders = writes_chat(_allow_writer)
_history = reads(history.chat_snapshot)
_send = writes_chat(sending.send_message)
_send_emote = writes_chat(sending.send_emote)
_report = writes_chat(sending.report_message)
_delete = writes_chat(panel_steps.delete_by)
_silence = writes_chat(panel_steps.silence_by)
