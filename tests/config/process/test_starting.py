"""Commands that prepare and start a room: arguments, refusals and effects."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
from redis import Redis

from config import celery, serve, worker
from config.environment import HOME
from deploy.embedded import ports
from tests.config.process.settings_process import settings_with
from tests.deploy.manifests import deployed


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)


def test_the_workers_of_a_room_listen_to_every_queue() -> None:
    play, settle = set(worker.queues("play")), set(worker.queues("settle"))
    assert play | settle == set(celery.all_queues())
    assert not play & settle, "workers that play have no PostgreSQL to wait for"


def test_ticks_of_tournaments_come_before_hands() -> None:
    assert worker.queues("settle") == [celery.TOURNAMENT, celery.SETTLE]


@pytest.mark.parametrize("given", [("cat",), ("play", "-1"), ("settle", "1.5")])
def test_unknown_worker_is_refused(given: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"there is no worker|no number of a worker"):
        worker.arguments(*given)


def test_workers_of_one_machine_have_names_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROCESS_NAME", raising=False)
    assert worker.name("play", "12") == "play12"
    assert worker.name("play") == f"play-{os.getpid()}"
    monkeypatch.setenv("PROCESS_NAME", "room-play-7f9c")
    assert worker.name("play") == "room-play-7f9c"


def test_worker_prints_its_usage() -> None:
    for wrong in ((), ("cat",), ("play", "two"), ("play", "0", "1")):
        done = _run("config.worker", *wrong)
        assert done.returncode == 1
        assert "usage: python -m config.worker play|settle [NUMBER]" in done.stderr


@pytest.mark.parametrize("queues", ["0", "-4", "many"])
def test_a_room_without_play_queues_does_not_start(tmp_path: Path, queues: str) -> None:
    done = settings_with(tmp_path, PLAY_QUEUES=queues)
    assert done.returncode != 0
    assert "PLAY_QUEUES" in done.stderr


def test_web_listens_at_an_address_or_on_a_socket_that_is_open() -> None:
    assert serve.listening("0.0.0.0:8000") == {"host": "0.0.0.0", "port": 8000}
    assert serve.listening("[::1]:8000") == {"host": "::1", "port": 8000}
    with ports.listen(0) as held:
        (found,) = serve.listening(f"fd:{held.fileno()}")["sockets"]
        assert found.getsockname() == held.getsockname()
        found.detach()


@pytest.mark.parametrize("where", ["", "8000", ":8000", "localhost", "localhost:x", "a:65536"])
def test_web_says_where_it_can_listen(where: str) -> None:
    with pytest.raises(ValueError, match="neither ADDRESS:PORT nor fd:NUMBER"):
        serve.listening(where)


def test_web_without_an_address_says_how_it_is_started() -> None:
    done = _run("config.serve")
    assert done.returncode == 1
    assert "usage: python -m config.serve ADDRESS:PORT" in done.stderr


def test_files_are_prepared_without_a_database(tmp_path: Path) -> None:
    nobody = {"DATABASE_URL": f"postgresql://nobody@127.0.0.1:{ports.free()}/none"}
    done = subprocess.run(
        [sys.executable, "manage.py", "prepare", "--files"],
        cwd=HOME,
        env={**os.environ, **nobody, "STATIC_ROOT": str(tmp_path), "STATIC_GATHERED": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("staticfiles.*.json"))) == 1
    assert (HOME / "locale" / "de" / "LC_MESSAGES" / "django.mo").is_file()


@pytest.fixture
def started() -> Iterator[Callable[..., None]]:
    """Start processes of the room with the environment of the Kubernetes manifests."""
    running: list[subprocess.Popen[bytes]] = []

    def start(kind: str, *command: str, **more: str) -> None:
        known = deployed.orchestrated()[kind].environment
        told = {name: value for name, value in known.items() if value}
        made = subprocess.Popen(
            [sys.executable, *command], cwd=HOME, env={**os.environ, **told, **more}
        )
        running.append(made)

    yield start
    for process in running:
        process.terminate()
    for process in running:
        process.wait(180)


def _until(holds: Callable[[], object]) -> None:
    give_up_s = time.monotonic() + 180
    while not holds():
        assert time.monotonic() < give_up_s, "did not happen in time"
        time.sleep(0.05)


def test_probes_of_the_manifests_are_answered(
    db: None, room: Redis, broker: Redis, started: Callable[..., None], tmp_path: Path
) -> None:
    port, mark = ports.free(), tmp_path / "ready"
    token = {"METRICS_TOKEN": "a long secret"}
    counts = [f"127.0.0.1:{ports.free()}" for _ in range(2)]
    web_counts, play_counts = ({**token, "METRICS_LISTEN": listens} for listens in counts)
    started("web", "-m", "config.serve", f"127.0.0.1:{port}", **web_counts)
    ready = {"READY_FILE": str(mark)}
    started("play", "-m", "config.worker", "play", "0", **ready, **play_counts)

    def asked(path: str, host: str) -> int:
        try:
            return httpx.get(
                f"http://127.0.0.1:{port}{path}", headers={"Host": host}, timeout=60
            ).status_code
        except httpx.TransportError:
            return 0

    def answers(path: str, host: str) -> bool:
        return asked(path, host) == 200

    web = deployed.pods()["web"]
    for probe in ("livenessProbe", "readinessProbe"):
        how = web[probe]["httpGet"]
        (header,) = how["httpHeaders"]
        _until(partial(answers, how["path"], header["value"]))
    assert asked("/healthz", "10.1.2.3") == 400, "probes need an allowed host"
    _until(mark.exists)
    shown = {"Authorization": "Bearer a long secret"}
    for listens in counts:
        told = httpx.get(f"http://{listens}/metrics", headers=shown, timeout=60).text
        assert "room_decisions_total" in told


@pytest.mark.parametrize(("kind", "loads_pages"), [("play", False), ("settle", True)])
def test_workers_load_what_their_kind_needs(
    db: None, room: Redis, broker: Redis, tmp_path: Path, kind: str, loads_pages: bool
) -> None:
    """Notices of settled hands link to pages; a shell for Celery's commands is for nobody."""
    mark, told = tmp_path / "ready", tmp_path / "told"
    command = [sys.executable, "-X", "importtime", "-m", "config.worker", kind, "0"]
    with told.open("w") as errors:
        worker_process = subprocess.Popen(
            command, cwd=HOME, env={**os.environ, "READY_FILE": str(mark)}, stderr=errors
        )
    try:
        _until(mark.exists)
    finally:
        worker_process.terminate()
        worker_process.wait(180)
    lines = told.read_text().splitlines()
    loaded = {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}
    assert "celery.worker.worker" in loaded
    assert "prompt_toolkit" not in loaded
    assert ("tournaments.pages.calendars" in loaded) == loads_pages
