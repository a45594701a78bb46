"""HTTP API of a room with an access token: tournaments, registration, own hands."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any

import httpx

from room_client.connection import asked_pause_s, origin_of

Row = dict[str, Any]

TRIES_MAX = 20
"""Requests for one answer, with the pauses between them that the room asks for."""

LOST_PAUSES_S = (0.2, 1.0, 3.0, 5.0)
"""Pauses before a change whose answer was lost is asked for again, under its key."""

_TOO_OFTEN = 429
_LOST = frozenset({502, 503, 504})
"""Statuses after which nobody knows whether a change was made."""


class Refusal(Exception):
    """Refusal of the room: HTTP status, code, and a sentence for people.

    It changed nothing, but for status 502 to 504: then look first whether a change was made.
    `wait_s` are the seconds that the room asks for before the next try, 0 for none.
    """

    def __init__(self, status: int, code: str, sentence: str, wait_s: int = 0) -> None:
        super().__init__(f"{code} ({status}): {sentence}")
        self.wait_s = wait_s
        self.status = status
        self.code = code
        self.sentence = sentence


class Api:
    """Requests of one user; `async with` closes its connections."""

    def __init__(self, url: str, token: str) -> None:
        self._http = httpx.AsyncClient(
            base_url=f"{origin_of(url)}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=20.0,
            trust_env=False,
        )

    async def __aenter__(self) -> Api:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def tournaments(self, state: str = "") -> AsyncIterator[Row]:
        """Yield tournaments that the user may know of, newest first; `state` narrows them."""
        async for row in self.rows("/tournaments", {"state": state} if state else {}):
            yield row

    async def tournament(self, number: int) -> Row:
        """Return one tournament."""
        return await self.ask("GET", f"/tournaments/{number}")

    async def results(self, number: int) -> AsyncIterator[Row]:
        """Yield the entries of a tournament with places and prizes, newest first."""
        async for row in self.rows(f"/tournaments/{number}/results"):
            yield row

    async def register(
        self, number: int, *, ticket: str = "", password: str = "", shows_cards: bool = False
    ) -> Row:
        """Register for a tournament and return the entry; a lost answer buys nothing twice.

        `ticket` is the number of a ticket or "any", else money pays. `shows_cards` consents to
        streams with the player's cards; bots are not asked. Raises Refusal.
        """
        wish = {"ticket": ticket, "password": password, "shows_cards": shows_cards}
        return await self._ask_once("POST", f"/tournaments/{number}/entries", wish)

    async def withdraw(self, number: int) -> Row:
        """Take an entry back before the start, with a full refund; raises Refusal.

        Of several entries a lost answer takes back one alone.
        """
        return await self._ask_once("DELETE", f"/tournaments/{number}/entries")

    async def export_hands(
        self, tournament: int | None = None, form: str = "phh"
    ) -> AsyncIterator[str]:
        """Yield all own hands, the newest first, as files of some hands.

        `form` is phh, ohh, ndjson or pokerstars.
        """
        query = {"format": form} | ({} if tournament is None else {"tournament": str(tournament)})
        cursor = ""
        while True:
            answer = await self._page("/hands/export", {**query, "cursor": cursor})
            yield answer.text
            cursor = answer.headers.get("Next-Cursor", "")
            if not cursor:
                return

    async def rows(self, path: str, query: dict[str, str] | None = None) -> AsyncIterator[Row]:
        """Yield the rows of a list of the API, page after page, as fast as the room allows."""
        cursor = ""
        while True:
            page = (await self._page(path, {**(query or {}), "cursor": cursor})).json()
            for row in page["items"]:
                yield row
            cursor = page["next"]
            if not cursor:
                return

    async def ask(
        self,
        method: str,
        path: str,
        body: Row | None = None,
        headers: dict[str, str] | None = None,
    ) -> Row:
        """Return the answer of any route of the API; raises Refusal.

        A room that is asked too often is given the time that it asks for, and asked again.
        """
        answer = await self._answer(method, path, json=body, headers=headers)
        row: Row = _check(answer).json()
        return row

    async def _page(self, path: str, query: dict[str, str]) -> httpx.Response:
        """Return a page of a list."""
        return _check(await self._answer("GET", path, params=query))

    async def _answer(self, method: str, path: str, **given: Any) -> httpx.Response:
        """Return an answer, asked for again after the pauses of `Retry-After`.

        A change is repeated only after 429: after 503 nobody knows whether it was made.
        """
        for _ in range(TRIES_MAX - 1):
            answer = await self._http.request(method, path, **given)
            wait_s = asked_pause_s(answer.headers)
            is_safe = method == "GET" or answer.status_code == _TOO_OFTEN
            if answer.is_success or wait_s is None or not is_safe:
                return answer
            await asyncio.sleep(wait_s)
        return await self._http.request(method, path, **given)

    async def _ask_once(self, method: str, path: str, body: Row | None = None) -> Row:
        """Return the answer of a change, asked again under its key while none arrives."""
        key = {"Idempotency-Key": secrets.token_hex(16)}
        for pause_s in LOST_PAUSES_S:
            try:
                return await self.ask(method, path, body, key)
            except httpx.TransportError:
                wait_s = 0
            except Refusal as refusal:
                if refusal.status not in _LOST:
                    raise
                wait_s = refusal.wait_s
            await asyncio.sleep(max(pause_s, wait_s))
        return await self.ask(method, path, body, key)


def _check(answer: httpx.Response) -> httpx.Response:
    if answer.is_success:
        return answer
    try:
        problem = answer.json()
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):  # of a proxy before the room
        problem = {}
    code, sentence = problem.get("code", "no_answer"), problem.get("detail", "")
    raise Refusal(answer.status_code, code, sentence, asked_pause_s(answer.headers) or 0)
