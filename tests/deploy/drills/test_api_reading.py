"""Clients of the API beside a load: every request is sent, answered and counted by its status."""

from __future__ import annotations

import asyncio

import pytest

from accounts.users import bots
from deploy.drills.api_readers import PATHS, ApiReaders
from deploy.drills.api_reading import ApiReading, tokens
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site
from tests.tournaments.cast import started

__all__ = ["site"]

RATE, SECONDS = 24.0, 1.0


def _address(site: Site) -> str:
    return f"http://127.0.0.1:{site.port}"


def test_a_load_reads_every_route_at_its_rate(site: Site) -> None:
    tournament = started(3).pk
    told = ApiReading(_address(site), RATE, SECONDS, tournament, 3).report()
    assert told["statuses"] == {"200": RATE * SECONDS} and len(PATHS) * 2 == RATE * SECONDS
    assert told["ms"]["count"] == told["sent_late_ms"]["count"] == RATE * SECONDS
    assert 0 < told["ms"]["p50"] <= told["ms"]["p99"] <= told["ms"]["max"]


def test_refused_and_lost_requests_are_counted_by_what_became_of_them(site: Site) -> None:
    bots.create(2)
    good, other = tokens(2)
    mixed = ApiReaders(_address(site), RATE, [good, "room_wrong"], 404)
    told = asyncio.run(mixed.read(SECONDS))
    assert sum(told["statuses"].values()) == RATE * SECONDS
    assert told["statuses"]["401"] == RATE * SECONDS / 2
    site.stop()
    told = asyncio.run(ApiReaders(_address(site), RATE, [other], 1).read(0.25))
    assert told["statuses"] == {"ConnectionRefusedError": 6} and told["ms"]["count"] == 0


def test_clients_read_from_this_machine_alone() -> None:
    with pytest.raises(ValueError, match=r"from 127\.0\.0\.0/8 only"):
        ApiReaders("http://192.0.2.1:80", 1, ["room_x"], 1)


def test_clients_that_fail_are_reported(site: Site) -> None:
    told = ApiReading("http://192.0.2.1:80", RATE, SECONDS, 1, 0).report()
    assert told == {"statuses": {"clients failed": 1}}
