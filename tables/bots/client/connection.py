"""Connection of one bot: its socket, reconnects after a cut, and its registrations by HTTP."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import Any, Protocol, TypedDict
from urllib.parse import urlsplit

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from tables.bots.bot import DueTurn, Todo
from tables.bots.client import wire
from tables.bots.errands import FormPost
from tables.bots.history import History
from tables.bots.tally import Tally
from tables.wire.client_commands import Act, ClientMessage

SOCKET_PATH = "/ws/v1/"
SESSION_COOKIE = "sessionid"
CSRF_COOKIE = "csrftoken"
MESSAGE_MAX_BYTES = 2**20
_BACK_OFF_FIRST_S = 0.2
_BACK_OFF_GROWTH = 1.5
_BACK_OFF_MAX_S = 3.0
_HELD_S = 10.0
_CONNECT_S = 15.0
_CUT = (OSError, WebSocketException, InvalidHandshake, TimeoutError, EOFError)


class _LocalAddress(TypedDict, total=False):
    local_addr: tuple[str, int]


class Identity(msgspec.Struct, frozen=True):
    """Identity of a bot: one line of the file of sessions."""

    user: int
    name: str
    session: str


class Site:
    """A server to play on, and one HTTP client for all bots."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host = parts.hostname or ""
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.socket = f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}{SOCKET_PATH}"
        self.http = httpx.AsyncClient(
            base_url=self.origin, timeout=20.0, limits=httpx.Limits(max_connections=20)
        )

    async def close(self) -> None:
        """Close the HTTP connections."""
        await self.http.aclose()

    async def post(self, identity: Identity, path: str, form: dict[str, str]) -> dict[str, Any]:
        """Post a form as a player; return its JSON answer, else {"ok": False, "code": ...}."""
        return await self._ask("POST", identity, path, form)

    async def get(self, identity: Identity, path: str) -> dict[str, Any]:
        """Get a page as a player; return its JSON, or {"ok": False, "code": ...} without one."""
        return await self._ask("GET", identity, path, None)

    async def _ask(
        self, method: str, identity: Identity, path: str, form: dict[str, str] | None
    ) -> dict[str, Any]:
        token = secrets.token_hex(16)
        headers = {
            "Accept": "application/json",
            "Origin": self.origin,
            "Referer": self.origin + "/",
            "X-CSRFToken": token,
            "Cookie": f"{cookie(identity)}; {CSRF_COOKIE}={token}",
        }
        try:
            answer = await self.http.request(method, path, data=form, headers=headers)
            said = answer.json()
        except (httpx.HTTPError, ValueError) as failure:
            return {"ok": False, "code": f"http_{type(failure).__name__}"}
        return said if isinstance(said, dict) else {"ok": False, "code": "no_answer"}

    async def log_in(self, name: str, password: str) -> Identity:
        """Log in through the form, as a person does; raises PermissionError when refused."""
        token = secrets.token_hex(16)
        headers = {
            "Origin": self.origin,
            "Referer": self.origin + "/accounts/login/",
            "X-CSRFToken": token,
            "Cookie": f"{CSRF_COOKIE}={token}",
        }
        form = {"username": name, "password": password}
        answer = await self.http.post("/accounts/login/", data=form, headers=headers)
        session = answer.cookies.get(SESSION_COOKIE)
        self.http.cookies.clear()
        if session is None:
            raise PermissionError(f"{name} was refused: {answer.status_code}")
        return Identity(user=0, name=name, session=session)


class MessageHandler(Protocol):
    """Receiver at the end of a connection: a bot, a scout or a spectator."""

    chance: Random
    tally: Tally

    def received(self, raw: str | bytes, now_s: float) -> Todo:
        """Take in one server message."""
        ...

    def answer(self, due: DueTurn, now_s: float) -> Act | None:
        """Return the action for a turn that was due, or None."""
        ...


class BotConnection:
    """Keep a bot connected until its task is cancelled; without identity it is not logged in.

    The socket comes from the local `address`, unless that is None.
    """

    def __init__(
        self,
        site: Site,
        identity: Identity | None,
        bot: MessageHandler,
        history: History | None = None,
        address: str | None = None,
    ) -> None:
        self.site = site
        self.bot = bot
        self._identity = identity
        self._history = history
        self._from: _LocalAddress = {} if address is None else {"local_addr": (address, 0)}
        self._name = "scout" if identity is None else identity.name
        self._headers = {} if identity is None else {"Cookie": cookie(identity)}
        self._socket: ClientConnection | None = None
        self._sends: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Connect, play, and connect again after every cut, with a growing pause in between."""
        pause_s = _BACK_OFF_FIRST_S
        clock = asyncio.get_running_loop().time
        while True:
            began_s = clock()
            try:
                await self._play()
            except _CUT:
                pass  # cuts are expected on a network
            except Exception as failure:
                self._failed(failure)
            self._socket = None
            self.bot.tally.counts["reconnects"] += 1
            if clock() - began_s > _HELD_S:
                pause_s = _BACK_OFF_FIRST_S
            await asyncio.sleep(pause_s * self.bot.chance.uniform(0.5, 1.5))
            pause_s = min(_BACK_OFF_MAX_S, _BACK_OFF_GROWTH * pause_s)

    async def _play(self) -> None:
        async with connect(
            self.site.socket,
            additional_headers=self._headers,
            # Websockets types origins as a NewType of str.
            origin=self.site.origin,  # type: ignore[arg-type]
            compression=None,
            max_size=MESSAGE_MAX_BYTES,
            max_queue=64,
            open_timeout=_CONNECT_S,
            ping_interval=30,
            ping_timeout=30,
            close_timeout=1,
            proxy=None,
            **self._from,
        ) as socket:
            self._socket = socket
            loop = asyncio.get_running_loop()
            async for raw in socket:
                if self._history is not None:
                    self._history.got(loop.time(), raw)
                todo = self.bot.received(raw, loop.time())
                self._send(todo.send)
                for due in todo.turns:
                    loop.call_later(due.after_s, self._answer, due)
                for post in todo.posts:
                    self._keep(asyncio.create_task(self._post(post)))

    def say(self, messages: Iterable[ClientMessage]) -> None:
        """Send messages now; without a socket the bot says them when it is welcomed again."""
        self._send(messages)

    def _answer(self, due: DueTurn) -> None:
        if self._socket is None:
            return
        try:
            action = self.bot.answer(due, asyncio.get_running_loop().time())
        except Exception as failure:
            self._failed(failure)
            return
        if action is not None:
            self._send([action])

    async def _post(self, post: FormPost) -> None:
        """Press a button of a page, and count the answer."""
        assert self._identity is not None, "an offer to a bot without log-in"
        await asyncio.sleep(post.after_s)
        form = post.form
        if post.look:
            button = (await self.site.get(self._identity, post.look)).get("rebuy")
            if not isinstance(button, dict):
                return
            form = {"entry": str(button["entry"])}
        said = await self.site.post(self._identity, post.path, form)
        if not said.get("ok"):
            self.bot.tally.refused[f"offer_{said.get('code', 'no_answer')}"] += 1

    def _failed(self, failure: Exception) -> None:
        """Report a message that does not decode or fold: a fault of the server or the bot."""
        self.bot.tally.violate([f"{self._name}: {type(failure).__name__}: {failure}"[:300]])

    def _send(self, messages: Iterable[ClientMessage]) -> None:
        texts = [wire.encode(message) for message in messages]
        if texts and self._socket is not None:
            self._note(texts)
            task = asyncio.create_task(_send_all(self._socket, texts))
            self._keep(task)

    def _keep(self, task: asyncio.Task[None]) -> None:
        """Hold a reference to a task until it is done; asyncio keeps none."""
        self._sends.add(task)
        task.add_done_callback(self._sends.discard)

    def _note(self, texts: list[str]) -> None:
        if self._history is not None:
            now_s = asyncio.get_running_loop().time()
            for text in texts:
                self._history.sent(now_s, text)


def cookie(identity: Identity) -> str:
    """Return the Cookie header of a session."""
    return f"{SESSION_COOKIE}={identity.session}"


async def _send_all(socket: ClientConnection, texts: list[str]) -> None:
    with suppress(*_CUT):  # the reader of this socket notices the cut and connects again
        for text in texts:
            await socket.send(text)


def chance_of(seed: int, identity: Identity) -> Random:
    """Return a bot's own source of chance; a bot decides equally in equal spots of equal seeds."""
    return Random(f"{seed}:{identity.user}")  # nosec B311
