"""Long file of ended stays through the front door of a real server: made as its reader takes it."""

from __future__ import annotations

import csv
import socket
from http.client import HTTPResponse

import pytest
from django.utils import timezone
from redis import Redis

from accounts.logins.minting import mint
from config.door.pages import Pages
from tables.ring.models import RingSession
from tables.ring.queries import history
from tests.config.door.front import pages
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import PATIENCE_S, Site, wait_for
from tests.tables.ring.room import cast

__all__ = ["pages", "site"]

STAYS = 300
PADDING = "x" * 80_000
SENT_AHEAD_MAX = 12 * 2**20
"""Bytes that kernel and server may hold for a client that reads nothing."""


def test_a_long_file_is_sent_while_it_is_made(
    site: Site, room: Redis, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring, user, now = cast.game(), cast.player(), timezone.now()
    RingSession.objects.bulk_create(
        RingSession(game=ring, user=user, state=RingSession.State.LEFT, hands=number, ended_at=now)
        for number in range(STAYS)
    )
    made: list[int] = []

    def padded(left: history.EndedStay) -> tuple[object, ...]:
        made.append(left.hands)
        return (left.hands, PADDING)

    monkeypatch.setattr(history, "_cells", padded)
    monkeypatch.setattr(history, "STAYS_AT_ONCE", 1)
    [(_, key)] = mint([user], 1)
    line = socket.socket()
    line.settimeout(PATIENCE_S)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    line.connect(("127.0.0.1", site.port))
    head = f"GET /ring/mine.csv HTTP/1.1\r\nHost: localhost\r\nCookie: sessionid={key}\r\n\r\n"
    line.sendall(head.encode())
    wait_for(lambda: len(pages._streams) == 1)
    assert pages._lanes.pages.turns.busy == 0, "no thread of the pages is held"
    count = -1
    while count != len(made):
        count = len(made)
        assert _status(site) == 200
    assert count * len(PADDING) < SENT_AHEAD_MAX, "it is not made ahead of its reader"
    answer = HTTPResponse(line)
    answer.begin()
    told = answer.read().decode()
    line.close()
    csv.field_size_limit(2 * len(PADDING))
    assert [int(row["began"]) for row in csv.DictReader(told.splitlines())] == made
    assert made == list(range(STAYS - 1, -1, -1))
    wait_for(lambda: not len(pages._streams))


def _status(site: Site) -> int:
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = HTTPResponse(line)
        answer.begin()
        return answer.status
