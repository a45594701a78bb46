"""Liveness of a web process while a server hangs: its probe waits for nobody."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import pytest
from django.db import connection

from config import limits
from config.door.pages import Pages
from deploy.embedded import ports
from tests.config.door.front import pages
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import PATIENCE_S, Site, wait_for

__all__ = ["pages", "site"]

READINESS_PROBES = 4


def _status(site: Site, path: str) -> int:
    client = HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    try:
        client.request("GET", path, headers={"Host": "localhost"})
        return client.getresponse().status
    finally:
        client.close()


def test_liveness_is_answered_while_the_database_never_answers(site: Site, pages: Pages) -> None:
    turns = pages._lanes.probes.turns
    with (
        ports.listen(0) as silent,
        ThreadPoolExecutor(READINESS_PROBES) as balancers,
        pytest.MonkeyPatch.context() as patch,
    ):
        # Threads of the site connect anew; the connection of this thread stays where it is.
        patch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
        patch.setitem(connection.settings_dict, "PORT", str(silent.getsockname()[1]))
        asked = [balancers.submit(_status, site, "/readyz") for _ in range(READINESS_PROBES)]
        wait_for(lambda: turns.busy == limits.PROBES_AT_ONCE and turns.waiting > 0)
        began = time.monotonic()
        assert [_status(site, "/healthz") for _ in range(3)] == [200, 200, 200]
        assert turns.busy == limits.PROBES_AT_ONCE and turns.waiting > 0, "they still wait"
        assert time.monotonic() - began < limits.PAGE_WAITS_S
        assert {one.result() for one in asked} == {503}
