"""Connection of one bot: its socket, and its requests by HTTP."""

from __future__ import annotations

import asyncio
import secrets
from random import Random
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx
import msgspec

from room_client.connection import Connection, origin_of
from room_client.messages.commands import Act
from room_client.steps import DueTurn
from tables.bots.bot import Todo
from tables.bots.errands import Body, Errand
from tables.bots.history import History
from tables.bots.tally import Tally

ANSWER_WITHIN_S = 20.0
REQUESTS_AT_ONCE_MAX = 20
SESSION_COOKIE = "sessionid"
CSRF_COOKIE = "csrftoken"
_UNREAD = {"ok": False, "code": "no_answer"}


class Identity(msgspec.Struct, frozen=True):
    """Identity of a bot: one line of the file of sessions."""

    user: int
    name: str
    session: str


class Site:
    """A server to play on, and one HTTP client for all bots."""

    def __init__(self, url: str) -> None:
        self.host = urlsplit(url).hostname or ""
        self.origin = origin_of(url)
        self.http = httpx.AsyncClient(
            base_url=self.origin,
            timeout=ANSWER_WITHIN_S,
            # Sockets go past the proxies of the environment, too.
            trust_env=False,
            limits=httpx.Limits(max_connections=REQUESTS_AT_ONCE_MAX),
        )
        # The pool of connections looks through all that wait at each answer: thousands wait here.
        self._turns = asyncio.Semaphore(REQUESTS_AT_ONCE_MAX)

    async def close(self) -> None:
        """Close the HTTP connections."""
        await self.http.aclose()

    async def post(self, identity: Identity, path: str, body: Body) -> dict[str, Any]:
        """Post to the API as a player; return its answer with `ok`, and a `code` of a refusal."""
        return await self.change("POST", identity, path, body)

    async def change(
        self, method: str, identity: Identity, path: str, body: Body
    ) -> dict[str, Any]:
        """Send a request to the API that changes something, once whatever happens to it."""
        return await self._ask(method, identity, f"/api/v1{path}", body)

    async def get(self, identity: Identity, path: str) -> dict[str, Any]:
        """Get the JSON at an address of the site as a player, with `ok`; a `code` without any."""
        return await self._ask("GET", identity, path, None)

    async def page(self, identity: Identity, path: str) -> str | None:
        """Get what the site has at an address, as text; None for a refusal or without an answer."""
        try:
            async with self._turns:
                answer = await self.http.get(path, headers={"Cookie": cookie(identity)})
        except httpx.HTTPError:
            return None
        return answer.text if answer.is_success else None

    async def _ask(
        self, method: str, identity: Identity, path: str, body: Body | None
    ) -> dict[str, Any]:
        token = secrets.token_hex(16)
        headers = {
            "Accept": "application/json",
            "Origin": self.origin,
            "Referer": self.origin + "/",
            "X-CSRFToken": token,
            "Idempotency-Key": token,
            "Cookie": f"{cookie(identity)}; {CSRF_COOKIE}={token}",
        }
        try:
            async with self._turns:
                answer = await self.http.request(method, path, json=body, headers=headers)
            said = answer.json()
        except (httpx.HTTPError, ValueError) as failure:
            return {"ok": False, "code": f"http_{type(failure).__name__}"}
        return {**said, "ok": answer.is_success} if isinstance(said, dict) else _UNREAD

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
        async with self._turns:
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


class BotConnection(Connection):
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
        headers = {} if identity is None else {"Cookie": cookie(identity)}
        super().__init__(site.origin, headers, chance=bot.chance, address=address)
        self.site = site
        self.bot = bot
        self._identity = identity
        self._history = history
        self._name = "scout" if identity is None else identity.name

    def received(self, raw: str | bytes) -> None:
        """Let the bot take in one message, and plan its answers and errands."""
        loop = asyncio.get_running_loop()
        if self._history is not None:
            self._history.got(loop.time(), raw)
        todo = self.bot.received(raw, loop.time())
        self.say(todo.send)
        for due in todo.turns:
            loop.call_later(due.after_s, self._answer, due)
        for errand in todo.posts:
            self.keep(asyncio.create_task(self._send_errand(errand)))

    def sending(self, texts: list[str]) -> None:
        """Log messages that are about to be sent."""
        if self._history is not None:
            now_s = asyncio.get_running_loop().time()
            for text in texts:
                self._history.sent(now_s, text)

    def cut(self) -> None:
        """Count a reconnect."""
        self.bot.tally.counts["reconnects"] += 1

    def failed(self, failure: Exception) -> None:
        """Report a message that does not decode or fold: a fault of the server or the bot."""
        self.bot.tally.violate([f"{self._name}: {type(failure).__name__}: {failure}"[:300]])

    def _answer(self, due: DueTurn) -> None:
        if not self.is_open:
            return
        try:
            action = self.bot.answer(due, asyncio.get_running_loop().time())
        except Exception as failure:
            self.failed(failure)
            return
        if action is not None:
            self.say([action])

    async def _send_errand(self, errand: Errand) -> None:
        """Send an errand when it is due, and count a refusal."""
        assert self._identity is not None, "an offer to a bot without log-in"
        await asyncio.sleep(errand.after_s)
        body = errand.body
        if errand.look:
            button = (await self.site.get(self._identity, errand.look)).get("rebuy")
            if not isinstance(button, dict):
                return
            body = {"entry": int(button["entry"])}
        said = await self.site.change(errand.method, self._identity, errand.path, body)
        if not said.get("ok"):
            self.bot.tally.refused[f"offer_{said.get('code', 'no_answer')}"] += 1


def cookie(identity: Identity) -> str:
    """Return the Cookie header of a session."""
    return f"{SESSION_COOKIE}={identity.session}"


def chance_of(seed: int, identity: Identity) -> Random:
    """Return a bot's own source of chance; a bot decides equally in equal spots of equal seeds."""
    return Random(f"{seed}:{identity.user}")  # nosec B311
