"""Real processes of the room with the servers of the test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

from django.conf import settings
from django.db import connection

from config.environment import HOME
from tests.tables.gateway.sockets import wait_for

STARTS_WITHIN_S = 180.0


def started(place: Path, *command: str) -> subprocess.Popen[bytes]:
    """Start a Python process of the room with a log in `place`."""
    found = connection.settings_dict
    address = f"{found['USER']}:{found['PASSWORD']}@{found['HOST']}:{found['PORT']}"
    environment = {
        **os.environ,
        "DATABASE_URL": f"postgresql://{address}/{found['NAME']}",
        "ROOM_REDIS_URL": settings.ROOM_REDIS_URL,
        "BROKER_URL": settings.BROKER_URL,
        "SECRET_KEY": settings.SECRET_KEY,
        "SHARDS": str(settings.SHARDS),
        "PUBLIC_URL": "http://localhost",
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
        "STATIC_GATHERED": "0",
    }
    with (place / "process.log").open("a") as log:
        return subprocess.Popen(
            [sys.executable, *command], cwd=HOME, env=environment, stdout=log, stderr=log
        )


class WebProcess:
    """`config.serve` on a port."""

    def __init__(self, port: int, place: Path) -> None:
        self.port = port
        self.child = started(place, "-m", "config.serve", f"127.0.0.1:{port}")
        wait_for(self._answers, STARTS_WITHIN_S)

    def _answers(self) -> bool:
        assert self.child.poll() is None, "the web process ended"
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=20) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        """End the process."""
        self.child.terminate()
        self.child.wait(60)

    def memory(self) -> Iterator[bytes]:
        """Yield everything that the process may write to, piece by piece."""
        pid = self.child.pid
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            if not rights.startswith("rw") or "[v" in line:
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
                memory.seek(start)
                try:
                    yield memory.read(end - start)
                except OSError:
                    continue
