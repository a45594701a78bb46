"""Real servers of the tests: started on first use, removed at the end."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import django
import pytest
from hypothesis import HealthCheck, settings
from redis import Redis

from deploy.documents import catalogs
from deploy.embedded import ports, postgres, program, servers, valkey
from deploy.embedded.program import Program
from tests import prepared
from tests.runs import pytest_collection_modifyitems

if TYPE_CHECKING:
    from django.template import Context
    from django.utils.safestring import SafeString

__all__ = ["pytest_collection_modifyitems"]

READY_S = 120.0
STOP_S = 5.0
PREFIX = "room-tests-"
MEMORY_FREE_MIN_BYTES = 2 * 2**30
_SHARED_DATABASE = "TEST_POSTGRES"
COLLECTED_EVERY = 10_000
"""New objects after which Python looks for cyclic garbage; its default is 700."""


def free_ports() -> dict[str, int]:
    """Return a port for each of the three servers."""
    return ports.several(dict.fromkeys(("postgres", "room", "broker")))


def fresh_place() -> Path:
    """Return a folder for servers, in memory if possible, named after this process.

    Folders of killed processes are removed first.
    """
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > MEMORY_FREE_MIN_BYTES
    above = memory if roomy else Path(tempfile.gettempdir())
    for left in above.glob(f"{PREFIX}*"):
        pid = left.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not _lives(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    place = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=above))
    place.chmod(0o711)
    return place


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        return True
    return True


class Running:
    """Test server that can be stopped, killed and restarted."""

    def __init__(self, how: Program) -> None:
        self.how = how
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server unless it runs, and wait until it answers."""
        if self.child is None or self.child.poll() is not None:
            self.child = program.start(self.how)
            program.wait_ready(self.how, self.child, READY_S)

    def stop(self) -> None:
        """Stop the server in order."""
        if self.child is not None:
            program.stop(self.how, self.child, STOP_S)

    def kill(self) -> None:
        """Kill -9 the server."""
        assert self.child is not None
        program.kill(self.child)


class World:
    """This process' Redis servers, and the PostgreSQL that all processes of a run share."""

    def __init__(self) -> None:
        self.place = fresh_place()
        self.servers = servers.lay_out(self.place, self.place, durable=False, port=free_ports())
        prepared.lend_secrets(self.servers.postgres.secrets)
        if shared := os.environ.get(_SHARED_DATABASE):
            port, secrets = shared.split(" ", 1)
            postgres = replace(self.servers.postgres, port=int(port), secrets=Path(secrets))
            self.servers = replace(self.servers, postgres=postgres)
        self.running: dict[str, Running] = {}

    def settle_environment(self) -> None:
        """Set the addresses of these servers; a pytest-xdist worker uses its
        controller's database.
        """
        # Tests create databases, empty tables and alter rows behind triggers: as the owner.
        os.environ |= self.servers.addresses()
        os.environ["DATABASE_URL"] = self.servers.postgres.owner_url
        os.environ |= {
            "ROOM_LOCAL": str(self.place),
            "PUBLIC_URL": "http://localhost",
            "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver,club.test",
            "PROXIES": "0",
            "STATIC_GATHERED": "0",
            "STATIC_ROOT": str(self.static()),
            "LOG_LEVEL": "WARNING",
            "SECRET_KEY": "for tests only, guards nothing",
            "SEE_HOLE_CARDS": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }

    def static(self) -> Path:
        """Return the folder of collected static files, apart from the servers' temporary ones."""
        found = self.place / "static"
        found.mkdir(parents=True, exist_ok=True)
        return found

    def server(self, name: str) -> Running:
        """Return the running server called postgres, room or broker."""
        if name not in self.running:
            if name == "postgres":
                prepared.copy(self.servers.postgres)
                how = postgres.prepare(self.servers.postgres)
            else:
                how = valkey.prepare(getattr(self.servers, name))
            self.running[name] = Running(how)
        self.running[name].start()
        return self.running[name]

    def end(self) -> None:
        """Stop all servers and remove every file."""
        for running in self.running.values():
            running.stop()
        for place in {self.place, self.servers.room.place}:
            shutil.rmtree(place, ignore_errors=True)


world = World()
world.settle_environment()

# Properties are judged by their truth, not by the time a busy machine needs.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# Modules and collected tests stay to the end of the run and are never garbage.
gc.set_threshold(COLLECTED_EVERY, 10, 10)


def pytest_configure(config: pytest.Config) -> None:
    """Start Django, and the database that pytest-xdist workers share before they start."""
    django.setup()  # here, because pytest-django looks for settings before this file is read
    _hash_cheaply()
    _hold_keys()
    _empty_quickly()
    _clone_database()
    _list_static_files_once()
    _know_of_no_mark()
    _open_plain_origin()
    # Before any test: a language requested earlier would stay without its catalog.
    catalogs.compile_all()
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        world.server("postgres")
        shared = world.servers.postgres
        os.environ[_SHARED_DATABASE] = f"{shared.port} {shared.secrets}"
        # Workers read their settings after their own Redis servers are known, as this process did.
        del os.environ["DJANGO_SETTINGS_MODULE"]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave out modules and collected tests when garbage is looked for."""
    gc.collect()
    gc.freeze()


def _hold_keys() -> None:
    """Hold the keys of a worker that settles: tests play tables in this process."""
    from deploy.preparation import room
    from tables.records.month_keys import own_keys, record_keys
    from tables.store import deck_keys

    room.make_keys()
    deck_keys.held.load_files()
    record_keys.load_file()
    own_keys.load_file()


def _open_plain_origin() -> None:
    """Let pages that are no secure context open sockets (`tests.tables.gateway.sockets.PLAIN`)."""
    from django.conf import settings

    settings.SOCKET_ORIGINS.append("http://club.test")


def _hash_cheaply() -> None:
    """Use Argon2 as in play, at its lowest cost."""
    from accounts.users.hashing import Argon2

    Argon2.time_cost, Argon2.memory_cost = 1, 64


def _empty_quickly() -> None:
    """Empty the database after a committing test by one function of the database."""
    from deploy.embedded.postgres import KEEPER
    from tests.databases import Emptying

    Emptying(partial(world.servers.postgres.url_of, KEEPER)).install()


def _clone_database() -> None:
    """Make each database of the tests as a copy of the migrated one."""
    from django.db import connection

    connection.settings_dict["TEST"]["TEMPLATE"] = postgres.ROOM


def _list_static_files_once() -> None:
    """List the static files once per process: each test client makes its middleware anew."""
    from django.conf import settings
    from whitenoise.middleware import WhiteNoiseMiddleware

    scan = WhiteNoiseMiddleware.add_files_from_finders
    listed: dict[tuple[str, ...], dict[str, object]] = {}

    def add_files_from_finders(self: WhiteNoiseMiddleware) -> None:
        sources = tuple(map(str, settings.STATICFILES_DIRS))
        if sources in listed:
            self.files |= listed[sources]
        else:
            scan(self)
            listed[sources] = dict(self.files)

    WhiteNoiseMiddleware.add_files_from_finders = add_files_from_finders


def _know_of_no_mark() -> None:
    """Let pages read no mark of a research room again: equal pages make equally many queries."""
    from accounts.research import mark

    mark.READ_AGAIN_S = float("inf")
    mark.told.know(False)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the servers and remove their files."""
    world.end()


@pytest.fixture(scope="session", autouse=True)
def _widgets_are_not_recorded(django_test_environment: None) -> Iterator[None]:
    """Leave widgets out of the templates that Django's test client records, each with a copy of its
    context: a form of the admin has three hundred.
    """
    from django.template.base import Template

    recorded: Callable[[Template, Context], SafeString] = vars(Template)["_render"]

    def render(template: Template, context: Context) -> SafeString:
        if (template.name or "").startswith("django/forms/widgets/"):
            return template.nodelist.render(context)
        return recorded(template, context)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Template, "_render", render)
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Start PostgreSQL when the first test needs the database."""
    if _SHARED_DATABASE not in os.environ:
        world.server("postgres")


@pytest.fixture(autouse=True)
def _no_language_is_left_behind() -> Iterator[None]:
    """Reset the language of the thread after a page in German."""
    yield
    from django.utils import translation

    translation.deactivate()


@pytest.fixture(autouse=True)
def _no_try_is_counted_for_the_next_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test the full number of tries of every rate."""
    from config.door import rates

    monkeypatch.setattr(rates, "PREFIX", f"rate-{next(_tests)}")


@pytest.fixture(autouse=True)
def _fields_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test see the stacks that it has just written."""
    from config import limits

    monkeypatch.setattr(limits, "STACKS_RECENT_MS", 0)


_tests = itertools.count()


@pytest.fixture(autouse=True)
def _decks_are_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the secrets of sealed decks from a seed; whole rooms have processes of their own."""
    from config import entropy

    chance = entropy.seeded(7)
    monkeypatch.setattr(entropy, "secret", lambda: chance.randbytes(32))


@pytest.fixture
def place() -> Iterator[Path]:
    """Folder that unprivileged servers can reach, removed after the test."""
    made = Path(tempfile.mkdtemp(prefix="room-place-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def room() -> Iterator[Redis]:
    """Client of the room's Redis, emptied before the test."""
    yield from _clean("room")


@pytest.fixture
def broker() -> Iterator[Redis]:
    """Client of the broker's Redis, emptied before the test."""
    yield from _clean("broker")


@pytest.fixture
def room_server() -> Iterator[Running]:
    """Room's Redis server, for tests that kill it; restarted afterwards."""
    yield world.server("room")
    world.server("room")


@pytest.fixture
def broker_server() -> Iterator[Running]:
    """Broker's Redis server, for tests that kill it; restarted afterwards."""
    yield world.server("broker")
    world.server("broker")


def adopt_run(client: Redis) -> None:
    """Let tables be loaded from this run of Redis, without an adoption of their shards."""
    from django import conf

    from config.redis import run_id
    from tables.store import keys

    client.mset(dict.fromkeys(map(keys.run, range(conf.settings.SHARDS)), run_id(client)))


def _clean(name: str) -> Iterator[Redis]:
    from config import redis

    world.server(name)
    client = {"room": redis.room, "broker": redis.broker}[name]()
    client.flushall()
    client.script_flush()
    if name == "room":
        adopt_run(client)
    yield client
