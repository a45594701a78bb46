"""Clients that reconnect while hints get lost receive every event once and in order."""

from __future__ import annotations

import random

import pytest
from django.conf import settings
from redis import Redis

from tables.store import keys
from tests.tables.gateway.socket_site import lose, site, told, write
from tests.tables.gateway.sockets import Client, Message, Site

__all__ = ["site"]

NAME = "count:1"
CLIENTS = 4
STEPS = 150


class Reader:
    """Client that remembers its last event and resumes from it after a break."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.last: int | None = None
        self.snapshots = 0
        self.open()

    def open(self) -> None:
        """Connect and follow, from the last event seen."""
        self.client: Client = self.site.client()
        wish = {} if self.last is None else {"after": f"0-{self.last}"}
        self.client.say(type="subscribe", stream=NAME, **wish)

    def hear(self, message: Message) -> None:
        """Take in a message; fail unless its number is the next one."""
        if message["type"] == "snapshot":
            self.last = message["state"]["count"]
            self.snapshots += 1
            assert message["id"] == f"0-{self.last}"
        for event in message.get("events", ()):
            assert self.last is not None, "events only after a snapshot"
            assert event["n"] == self.last + 1
            self.last = event["n"]

    def read(self, most: int) -> None:
        """Read up to this many waiting messages."""
        for _ in range(most):
            try:
                self.hear(self.client.next(0.01))
            except TimeoutError:
                return


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_client_ends_with_every_event(site: Site, room: Redis, seed: int) -> None:
    chance = random.Random(seed)
    write(room, NAME)
    readers = [Reader(site) for _ in range(CLIENTS)]
    for _ in range(STEPS):
        reader = chance.choice(readers)
        match chance.choice(["write"] * 6 + ["lose"] * 2 + ["read"] * 3 + ["cut", "hints", "trim"]):
            case "write":
                write(room, NAME)
            case "lose":
                lose(room, NAME)
            case "read":
                reader.read(chance.randint(1, 5))
            case "cut":
                reader.client.cut()
                reader.open()
            case "hints":
                room.client_kill_filter(_type="pubsub")
            case "trim":
                room.xtrim(keys.events(NAME, settings.SHARDS), maxlen=5, approximate=False)
    for reader in readers:
        while reader.last != told[NAME]:
            reader.hear(reader.client.next())
        assert reader.client.silent(0.1)
    assert sum(reader.snapshots for reader in readers) >= CLIENTS
