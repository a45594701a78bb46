"""Scripted opponents that go all-in or fold over real sockets."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tables.bots.client.connection import Identity

PATIENCE_S = 0.25

Choice = tuple[str, int | None]


def shove(option: dict[str, Any]) -> Choice:
    """Raise or bet all chips."""
    for action, most in (("raise", option["raise_max"]), ("bet", option["bet_max"])):
        if most is not None:
            return action, most
    return ("check", None) if option["check"] else ("call", None)


def call(option: dict[str, Any]) -> Choice:
    """Check or call, never raise."""
    return ("check", None) if option["check"] else ("call", None)


class Puppet:
    """One logged-in player who follows seat notices to the table and answers every turn."""

    def __init__(self, url: str, identity: Identity, choose: Callable[[dict[str, Any]], Choice]):
        self.url = url
        self.identity = identity
        self.choose = choose
        self.seats: set[int] = set()
        self.at: dict[int, int] = {}
        self.epochs: dict[int, int] = {}
        self.count = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._live, daemon=True)

    def register(self, tournament: int) -> None:
        """Register for a tournament over HTTP, as a browser does."""
        token = secrets.token_hex(16)
        answer = httpx.post(
            f"{self.url}/api/v1/tournaments/{tournament}/entries",
            json={},
            headers={
                "Origin": self.url,
                "X-CSRFToken": token,
                "Idempotency-Key": token,
                "Cookie": f"sessionid={self.identity.session}; csrftoken={token}",
            },
            timeout=60,
        )
        assert answer.status_code == 201, answer.text

    def start(self) -> None:
        """Play in a separate thread until `stop`."""
        self.thread.start()

    def stop(self) -> None:
        """Stop playing and join the thread."""
        self.over.set()
        self.thread.join(60)

    def _live(self) -> None:
        while not self.over.is_set():
            with suppress(OSError, WebSocketException, TimeoutError):
                self._connected()
            time.sleep(0.2)

    def _connected(self) -> None:
        address = f"{self.url.replace('http', 'ws')}/ws/v1/"
        headers = {"Cookie": f"sessionid={self.identity.session}"}
        with connect(address, origin=Origin(self.url), additional_headers=headers) as socket:
            followed: set[int] = set()
            self._send(socket, type="subscribe", stream=f"user:{self.identity.user}")
            while not self.over.is_set():
                try:
                    message = json.loads(socket.recv(PATIENCE_S))
                except TimeoutError:
                    continue
                self._hear(socket, message)
                for table in self.seats - followed:
                    followed.add(table)
                    self._send(socket, type="subscribe", stream=f"table:{table}")

    def _hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        stream = message.get("stream", "")
        if message["type"] == "snapshot" and stream.startswith("user:"):
            self.seats |= {seat["table"] for seat in message["state"]["seats"]}
        elif message["type"] == "snapshot" and stream.startswith("table:"):
            self._snapshot(socket, message["state"])
        elif message["type"] == "events":
            for event in message["events"]:
                self._event(socket, stream, event)

    def _snapshot(self, socket: ClientConnection, state: dict[str, Any]) -> None:
        self.seats.add(state["table"])
        me = [seat for seat in state["seats"] if seat["user"] == self.identity.user]
        self.at[state["table"]] = me[0]["seat"] if me else 0
        self.epochs[state["table"]] = state["epoch"]
        if me and me[0]["absent"]:
            self._come_back(socket, state["table"])
        turn = state["turn"]
        if turn is not None:
            self._answer(socket, state["table"], {**turn, "hand": state["hand"]})

    def _event(self, socket: ClientConnection, stream: str, event: dict[str, Any]) -> None:
        kind = event["type"]
        if stream.startswith("user:"):
            found = event.get("table") or event.get("to_table")
            if kind in ("seated", "moved") and found:
                self.seats.add(found)
            return
        if not stream.startswith("table:"):
            return
        table = int(stream.partition(":")[2])
        if kind == "seat_taken" and event["user"] == self.identity.user:
            self.at[table] = event["seat"]
        if kind == "sat_out" and event["seat"] == self.at.get(table):
            self._come_back(socket, table)
        if kind == "turn_began":
            self.epochs[table] = int(event["id"].partition("-")[0])
            self._answer(socket, table, event)

    def _answer(self, socket: ClientConnection, table: int, turn: dict[str, Any]) -> None:
        if turn["seat"] != self.at.get(table):
            return
        action, amount = self.choose(turn["option"])
        self.count += 1
        asked = {
            "type": "act",
            "id": f"puppet-{self.count}",
            "table": table,
            "epoch": self.epochs[table],
            "hand": turn["hand"],
            "turn": turn["turn"],
            "action": action,
        }
        self._send(socket, **asked, **({} if amount is None else {"amount": amount}))

    def _come_back(self, socket: ClientConnection, table: int) -> None:
        """Return to play after an absence, because absent players are never asked."""
        self.count += 1
        self._send(socket, type="come_back", id=f"puppet-{self.count}", table=table)

    def _send(self, socket: ClientConnection, **message: Any) -> None:
        socket.send(json.dumps(message))
