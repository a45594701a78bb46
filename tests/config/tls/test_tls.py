"""Processes of a room play over TLS, and refuse servers that cannot prove who they are.

The programs of PostgreSQL and Valkey in the wheels are built without TLS, and web leaves it to the
proxy in front: a proxy of the test ends it for all of them.
"""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from django.db import connection
from kombu import Connection
from kombu.exceptions import OperationalError
from redis import Redis

from config.environment import HOME
from config.postgres import databases
from config.process import server_checks
from config.process.server_checks import WrongServer
from deploy.embedded import ports
from tables.models import Hand
from tests.config.tls.authority import DAY, Authority
from tests.config.tls.proxy import TlsProxy, in_front_of
from tests.conftest import world
from tests.tournaments.cast import started

HANDS = 2
WITHIN_S = 180


@dataclass
class Secured:
    """Proxies before the three servers by name, and the addresses of the room through them."""

    proxies: dict[str, TlsProxy]
    addresses: dict[str, str]


def secured(
    stack: ExitStack, serving: ssl.SSLContext | None, authority: Path, host: str = "localhost"
) -> Secured:
    """Put proxies before the servers; clients reach them by that host and trust that authority."""
    targets = {name: getattr(world.servers, name).port for name in ("postgres", "room", "broker")}
    proxies = {
        name: stack.enter_context(in_front_of(port, serving, postgres=name == "postgres"))
        for name, port in targets.items()
    }
    login = urlsplit(world.servers.postgres.owner_url).netloc.rpartition("@")[0]
    at = {name: f"{host}:{proxy.port}" for name, proxy in proxies.items()}
    database = connection.settings_dict["NAME"]
    trust = f"ssl_cert_reqs=required&ssl_ca_certs={authority}"
    return Secured(
        proxies,
        {
            "DATABASE_URL": f"postgresql://{login}@{at['postgres']}/{database}"
            f"?sslmode=verify-full&sslrootcert={authority}",
            "ROOM_REDIS_URL": f"rediss://:{_password('room')}@{at['room']}/0?{trust}",
            "BROKER_URL": f"rediss://:{_password('broker')}@{at['broker']}/0?{trust}",
        },
    )


def _password(name: str) -> str:
    url: str = getattr(world.servers, name).url
    found = urlsplit(url).password
    assert found
    return found


def in_clear(proxy: TlsProxy) -> list[bytes]:
    """Return what a listener on the wire could use: passwords, keys, statements."""
    words = [
        *(_password(name).encode() for name in ("room", "broker")),
        *(b"SELECT", b"INSERT", b"SCRAM-SHA-256", b"HELLO", b"BRPOP"),
    ]
    return [word for word in words if word in proxy.wire]


@pytest.fixture
def authority(place: Path) -> Authority:
    return Authority(place / "authority")


def run(stack: ExitStack, addresses: dict[str, str], *command: str) -> subprocess.Popen[bytes]:
    """Start a process of the room; it ends before the proxies that the stack holds already."""
    environment = {**os.environ, **addresses, "PROXIES": "1"}
    made = subprocess.Popen([sys.executable, *command], cwd=HOME, env=environment)
    stack.callback(made.wait, WITHIN_S)
    stack.callback(made.terminate)
    return made


def _until(holds: Callable[[], object], *processes: subprocess.Popen[bytes]) -> None:
    give_up_s = time.monotonic() + WITHIN_S
    while not holds():
        assert time.monotonic() < give_up_s, "did not happen in time"
        assert all(process.poll() is None for process in processes)
        time.sleep(0.1)


@pytest.mark.journey
def test_hands_are_played_and_pages_shown_over_tls(
    transactional_db: None, room: Redis, broker: Redis, authority: Authority
) -> None:
    serving = authority.serving("localhost")
    with ExitStack() as stack:
        found = secured(stack, serving, authority.file)
        page = ports.free()
        processes = [
            run(stack, found.addresses, "-m", "config.worker", "play", "0"),
            run(stack, found.addresses, "-m", "config.worker", "settle", "0"),
            run(stack, found.addresses, "-m", "config.serve", f"127.0.0.1:{page}"),
        ]
        front = stack.enter_context(in_front_of(page, serving))
        made = started(2, action_ms=1_000, bank_ms=0)
        _until(lambda: Hand.objects.filter(table__game=made.pk).count() >= HANDS, *processes)
        trusting = ssl.create_default_context(cafile=str(authority.file))
        with httpx.Client(verify=trusting, base_url=f"https://localhost:{front.port}") as client:

            def answers() -> bool:
                try:
                    return client.get("/healthz").status_code == 200
                except httpx.TransportError:
                    return False

            _until(answers, *processes)
            client.headers["X-Forwarded-Proto"] = "https"
            assert client.get("/accounts/login/", follow_redirects=True).status_code == 200
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            httpx.get(f"https://localhost:{front.port}/healthz")
        for name, proxy in {**found.proxies, "web": front}.items():
            assert proxy.told and len(proxy.wire) > 1_000, name
            assert in_clear(proxy) == [], name
            assert b"HTTP/1.1" not in proxy.wire


def test_the_wire_in_clear_would_be_found(
    db: None, room: Redis, broker: Redis, authority: Authority
) -> None:
    with ExitStack() as stack:
        found = secured(stack, None, authority.file)
        plain = found.addresses["ROOM_REDIS_URL"].replace("rediss:", "redis:").partition("?")[0]
        server_checks.verify_redis("ROOM_REDIS_URL", plain)
        assert _password("room").encode() in in_clear(found.proxies["room"])


WRONG = {
    "another authority": ("localhost", "localhost", DAY, "unable to get local issuer certificate"),
    "another host": ("elsewhere.example", "localhost", DAY, "Hostname mismatch"),
    "expired": ("localhost", "localhost", -DAY, "certificate has expired"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_server_that_cannot_prove_itself_is_refused(
    db: None,
    room: Redis,
    broker: Redis,
    authority: Authority,
    place: Path,
    fault: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named, host, left, words = WRONG[fault]
    trusted = Authority(place / "other").file if fault == "another authority" else authority.file
    with ExitStack() as stack:
        found = secured(stack, authority.serving(named, left), trusted, host)
        for name in ("ROOM_REDIS_URL", "BROKER_URL"):
            with pytest.raises(
                WrongServer, match=f"{name}: the certificate of the server is refused: .*{words}"
            ):
                server_checks.verify_redis(name, found.addresses[name])
        # Celery reads the options of the address by itself.
        with (
            Connection(found.addresses["BROKER_URL"]) as asked,
            pytest.raises(OperationalError, match="CERTIFICATE_VERIFY_FAILED"),
        ):
            asked.ensure_connection(max_retries=1, interval_start=0)
        _name_database(monkeypatch, found.addresses["DATABASE_URL"])
        with pytest.raises(
            WrongServer, match=r"DATABASE_URL: the connection over TLS is refused: .*certificate"
        ):
            server_checks.verify_database()
        for name, proxy in found.proxies.items():
            assert proxy.wire and not proxy.told and in_clear(proxy) == [], name


def _name_database(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Let the check read this address; the connection of the test stays."""
    parsed = databases.parse(url, name="room", kept_s=0, pooled=False)
    for key in ("HOST", "PORT", "OPTIONS"):
        monkeypatch.setitem(connection.settings_dict, key, parsed[key])


def test_a_server_without_tls_gets_nothing_in_clear(
    db: None,
    room: Redis,
    broker: Redis,
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ExitStack() as stack:
        found = secured(stack, None, authority.file)
        # Valkey never answers the handshake, as a server that is away: it is waited for.
        server_checks.verify_redis("ROOM_REDIS_URL", found.addresses["ROOM_REDIS_URL"])
        _name_database(monkeypatch, found.addresses["DATABASE_URL"])
        with pytest.raises(WrongServer, match="server does not support SSL"):
            server_checks.verify_database()
        assert found.proxies["room"].wire and found.proxies["postgres"].wire
        assert not any(in_clear(proxy) for proxy in found.proxies.values())


def test_a_file_of_the_authority_that_is_missing_is_named(
    db: None, room: Redis, authority: Authority, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        found = secured(stack, authority.serving("localhost"), place / "none.pem")
        with pytest.raises(WrongServer, match=r"ssl_ca_certs\) is missing"):
            server_checks.verify_redis("ROOM_REDIS_URL", found.addresses["ROOM_REDIS_URL"])
        _name_database(monkeypatch, found.addresses["DATABASE_URL"])
        with pytest.raises(WrongServer, match=r"root certificate file .*none\.pem.* does not"):
            server_checks.verify_database()


def test_a_worker_ends_with_a_clear_line(
    db: None, room: Redis, broker: Redis, authority: Authority, place: Path
) -> None:
    with ExitStack() as stack:
        trusted = Authority(place / "other").file
        found = secured(stack, authority.serving("localhost"), trusted)
        done = subprocess.run(
            [sys.executable, "-m", "config.worker", "play", "0"],
            cwd=HOME,
            env={**os.environ, **found.addresses},
            capture_output=True,
            text=True,
            check=False,
            timeout=WITHIN_S,
        )
    assert done.returncode == 1
    assert "Error: ROOM_REDIS_URL: the certificate of the server is refused" in done.stderr
    assert "Traceback" not in done.stderr
