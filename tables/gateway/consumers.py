"""Socket of a client: decode strictly, limit the rate, hand every message on to the gateway."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import structlog
from asgiref.typing import WebSocketDisconnectEvent
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError

from accounts.models import User
from config import clock, limits
from config.door import known
from config.door.language import cookies_of
from config.door.source import of_scope
from config.door.turns import Full
from config.refusals import Refusal
from tables.fairness.encoding import room_id
from tables.gateway import credentials, hub
from tables.gateway.chat import ChatWriter
from tables.gateway.links import LinkRights
from tables.gateway.rights import announce_changes
from tables.gateway.sockets import Conduct
from tables.gateway.streams.known_kinds import kind_of
from tables.gateway.streams.send_queue import SendQueue
from tables.gateway.subscriptions import Subscriptions
from tables.gateway.words import Tongue
from tables.store import keys
from tables.wire.client_commands import (
    AskRank,
    ClientMessage,
    CutDeck,
    DeleteChat,
    Ping,
    ReportChat,
    SendEmote,
    SilenceChat,
    Subscribe,
    TableCommand,
    Unsubscribe,
    WriteChat,
)
from tables.wire.client_events import Pong, Welcome
from tables.wire.decoding import Unreadable, decode

log = structlog.get_logger(__name__)

PROTOCOL = 1
POLICY_VIOLATION = 1008
INTERNAL_ERROR = 1011
_TOKEN_REFUSED = {
    "invalid_token": HTTPStatus.UNAUTHORIZED,
    "missing_scope": HTTPStatus.FORBIDDEN,
    "too_many_requests": HTTPStatus.TOO_MANY_REQUESTS,
}


class RoomConsumer(AsyncWebsocketConsumer):
    """One socket of one page or bot."""

    # A single reader per process serves all sockets, so no socket needs a channel of its own.
    channel_layer_alias = "none"

    sender: asyncio.Task[None] | None = None
    entered = False
    link: LinkRights | None = None
    """Link that the socket came with instead of a user."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle the messages of the server one after the other.

        The base class has a task of its own for each message that it waits for, and waits for a
        database thread before each.
        """
        self.scope, self.base_send = scope, send
        try:
            with suppress(StopConsumer):
                while True:
                    message = await receive()
                    await getattr(self, message["type"].replace(".", "_"))(message)
        except BaseException:
            # The server closes the connection and says no more: what the socket holds goes here.
            await self.disconnect(INTERNAL_ERROR)
            raise

    async def connect(self) -> None:
        """Identify the user, refuse or accept the socket, welcome it, start its sending task."""
        self.gateway = hub.here()
        cookies = cookies_of(self.scope)
        self.credential = credentials.credential_of(self.scope, cookies)
        self.source = of_scope(self.scope)
        try:
            user = await self._who()
        except (DatabaseError, Full) as error:
            log.warning("socket refused", error=str(error))
            await self._deny(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        except Refusal as refusal:
            await self._deny(_TOKEN_REFUSED[refusal.code], refusal.allowed.get("wait_s", 0))
            return
        self.user_id: int | None = None if user is None else user.pk
        self.user_name = "" if user is None else user.name
        if user is not None:
            known.note(self.credential, user.pk)
        elif not await self._enter():
            # A stranger refused in the handshake costs no frames, no tasks and no goodbye.
            await self._deny(HTTPStatus.TOO_MANY_REQUESTS)
            return
        self.tongue = Tongue(self.scope, cookies, "" if user is None else user.language)
        self.acted, self.noted_ms = False, clock.monotonic_ms()
        self.outbox = SendQueue(most=limits.SOCKET_QUEUE_MESSAGES_MAX, drained=self._start_over)
        self.subscriptions = Subscriptions(
            self.gateway,
            self.outbox,
            self.tongue,
            user=self.user_id,
            source=self.source,
            link=self.link,
        )
        self.followers = self.subscriptions.followers
        try:
            await self.accept()
        except BaseException:  # The client left meanwhile; no disconnect message will follow.
            self._give_back()
            raise
        self.sender = asyncio.create_task(self._send_all())
        if user is not None and not await self._enter():
            self.dismiss("too_many_sockets")
            return
        now_ms = clock.monotonic_ms()
        self.conduct = Conduct(self.gateway.sockets.bucket(self, now_ms), now_ms)
        name = None if user is None else user.name
        room = room_id(settings.FAIR_ORIGIN).hex()
        headers: Any = self.scope["headers"]
        headers.clear()  # several KB of strings that nobody reads again
        self.outbox.answer(Welcome(PROTOCOL, self.gateway.now_ms(), self.user_id, name, room))

    async def _who(self) -> User | None:
        """Look the credential up, after those of players who were here a moment ago."""
        if not self.credential:
            return None
        user = known.user_of(self.credential)
        turn = (1, self.source) if user is None else (0, f"user:{user}")
        async with self.gateway.lookups.turn(*turn, within_s=limits.LOOKUP_WAITS_S):
            return await credentials.user_of(self.scope, self.credential, self.source)

    async def _enter(self) -> bool:
        self.entered = await self.gateway.sockets.enter(self, self.gateway.now_ms())
        return self.entered

    def _give_back(self) -> None:
        if self.entered:
            self.entered = False
            self.gateway.sockets.leave(self)

    async def _deny(self, status: HTTPStatus, wait_s: object = 0) -> None:
        """Answer the handshake with a status and nothing else."""
        headers = [(b"retry-after", str(wait_s or limits.BUSY_RETRY_S).encode())]
        if status == HTTPStatus.UNAUTHORIZED:
            headers = [(b"www-authenticate", b"Bearer")]
        await self.base_send(
            {"type": "websocket.http.response.start", "status": status, "headers": headers}
        )
        await self.base_send(
            {"type": "websocket.http.response.body", "body": b"", "more_body": False}
        )

    async def websocket_disconnect(self, message: WebSocketDisconnectEvent) -> None:
        """Clean up after the socket has closed."""
        await self.disconnect(message["code"])
        raise StopConsumer

    async def disconnect(self, code: int) -> None:
        """Stop the sending task, leave all streams, give the socket's place back."""
        if self.sender is not None:
            self.sender.cancel()
            self.subscriptions.leave_all()
        self._give_back()

    def dismiss(self, code: str) -> None:
        """Say goodbye, leave all streams, close the socket."""
        self.outbox.answer(self.tongue.bye(code))
        self.outbox.close(POLICY_VIOLATION)
        self.subscriptions.leave_all()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle one message: it is answered, or it ends the socket."""
        if self.outbox.closing is not None:
            return
        if not self.conduct.admits(clock.monotonic_ms()):
            self.outbox.answer(self.tongue.refused("slow_down"))
        else:
            message = decode(text_data)
            if isinstance(message, Unreadable):
                self.conduct.fault()
                self.outbox.answer(
                    self.tongue.refused(message.code, id=message.id, detail=message.detail)
                )
            else:
                await self._handle(message)
        if self.conduct.intolerable:
            self.dismiss("protocol")

    async def _handle(self, message: ClientMessage) -> None:
        match message:
            case Subscribe():
                self.subscriptions.subscribe(message)
            case Unsubscribe(stream):
                self.subscriptions.unsubscribe(stream)
            case Ping(sent_ms):
                self.outbox.answer(Pong(sent_ms, self.gateway.now_ms()))
            case AskRank(stream, chips):
                self._ask_rank(stream, chips)
            case WriteChat() | SendEmote() | ReportChat() | DeleteChat() | SilenceChat():
                self.acted = True
                writer = ChatWriter(
                    self.user_id, self.user_name, self.followers, self.outbox, self.tongue
                )
                self.gateway.chat.take(writer, message)
            case CutDeck():
                if (refusal := await self._commanded(message)) is not None:
                    self.outbox.answer(self.tongue.refused(refusal))
            case _:
                self.acted = True
                if (refusal := await self._commanded(message)) is not None:
                    self.outbox.answer(self.tongue.refused(refusal, id=message.id))

    def _ask_rank(self, stream: str, chips: int) -> None:
        follower, kind = self.followers.get(stream), kind_of(stream)
        if follower is None or follower.gone or not follower.admitted:
            self.outbox.answer(self.tongue.refused("not_following", stream=stream))
        elif kind is None or kind.ranks is None:
            self.outbox.answer(self.tongue.refused("no_ranks", stream=stream))
        else:
            self.gateway.ranks.ask(follower, chips)

    async def _commanded(self, command: TableCommand) -> str | None:
        """Send a command on to its table; return the code of a refusal by the socket itself."""
        follower = self.followers.get(keys.table(command.table))
        if self.user_id is None:
            return "login"
        if follower is None or follower.gone:
            return "not_following"
        if follower.read_only:
            return "watching" if follower.watch else "taken_over"
        if isinstance(command, CutDeck):
            return await self.gateway.commands.cut(follower, command)
        return await self.gateway.commands.send(follower, command)

    def _start_over(self, streams: set[str]) -> None:
        self.subscriptions.start_over(streams)

    async def _send_all(self) -> None:
        try:
            while (frame := await self.outbox.next()) is not None:
                await self.send(text_data=frame)
            await self.close(code=self.outbox.closing)
        except asyncio.CancelledError:
            raise
        except Exception:
            # The connection broke; the disconnect that follows cleans up.
            self.subscriptions.leave_all()


announce_changes()
