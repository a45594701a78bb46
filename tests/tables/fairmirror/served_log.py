"""A log of any leaves behind a web server, signed by a room that may cheat, and runs of the script
that mirrors it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from tables.fairlog.addresses import TileNumber
from tables.fairness.encoding import HASH_SIZE
from tables.fairness.leaves import LeafKind
from tables.fairness.notes import LogHead, sign_head
from tables.fairness.signing import public_key_of
from tables.fairness.tiles import WIDTH, Tiles, bundle, extended, range_root
from tables.fairness.tree import leaf_hash, root_of

SCRIPT = Path(__file__).parents[3] / "static" / "fair" / "verify_log.py"
ORIGIN = "room.example/fair"
LOG_KEY = bytes(range(32))
"""Private log key of the room."""

PUBLIC = public_key_of(LOG_KEY).hex()


class MirrorRun(NamedTuple):
    """Outcome of one run of the script: its exit status and its words."""

    status: int
    text: str

    @property
    def failed(self) -> set[str]:
        """Codes of the laws that do not hold."""
        return {row[:3] for row in self.text.splitlines() if row[4:10] == "FAILED"}


def mirror(address: str, kept: Path, *keys: str) -> MirrorRun:
    """Run the script as anybody does: isolated, with the public log keys of the room."""
    given = [one for key in keys or (PUBLIC,) for one in ("--log-key", key)]
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), address, *given, "--keep", str(kept)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return MirrorRun(done.returncode, done.stdout + done.stderr)


class ServedLog:
    """Files of a log under `/fair/`; `changed` has other bytes, a status or None by path."""

    def __init__(self, leaves: Sequence[bytes] = ()) -> None:
        self.origin, self.keys = ORIGIN, [LOG_KEY]
        self.changed: dict[str, bytes | int | None] = {}
        self.secrets: dict[bytes, bytes] = {}
        self.port = 0
        self.show(leaves)

    @property
    def address(self) -> str:
        """Address of the room."""
        return f"http://127.0.0.1:{self.port}"

    def show(self, leaves: Sequence[bytes]) -> None:
        """Serve these leaves, with tiles and head made anew over them."""
        self.leaves, self.tiles = list(leaves), Tiles()
        for first in range(0, len(leaves), WIDTH):
            hashes = [leaf_hash(leaf) for leaf in leaves[first : first + WIDTH]]
            self.tiles |= extended(self._tile, first, hashes)

    def answer(self, path: str) -> bytes | int | None:
        """Return the file at a path below `/fair/`, a status, or None without one."""
        return self.changed[path] if path in self.changed else self.file(path)

    def file(self, path: str) -> bytes:
        """Return the file that an honest room has at a path below `/fair/`."""
        first, *rest = path.split("/")
        if first == "checkpoint":
            return self._note().encode()
        if first == "opened":
            return self._opened(TileNumber().to_python("/".join(rest)))
        level, name = rest[0], "/".join(rest[1:])
        name, _, width = name.partition(".p/")
        number, count = TileNumber().to_python(name), int(width or WIDTH)
        if level == "entries":
            return bundle(self.leaves[number * WIDTH :][:count])
        return self._tile(int(level), number)[: count * HASH_SIZE]

    def _tile(self, level: int, number: int) -> bytes:
        return self.tiles.get((level, number), b"")

    def _note(self) -> str:
        size = len(self.leaves)
        root = range_root(self._tile)(0, size) if size else root_of([])
        notes = [sign_head(LogHead(self.origin, size, root), key) for key in self.keys]
        return notes[0] + "".join(note.rpartition("\n\n")[2] for note in notes[1:])

    def _opened(self, number: int) -> bytes:
        ends = self.leaves[number * WIDTH : (number + 1) * WIDTH]
        seals = [leaf[38:70] for leaf in ends if leaf[1] == LeafKind.FATE]
        told = [(seal.hex(), self.secrets[seal].hex()) for seal in seals if seal in self.secrets]
        decks = [{"index": 0, "seal": seal, "secret": secret} for seal, secret in told]
        return json.dumps({"decks": decks}).encode()

    @contextmanager
    def running(self) -> Iterator[ServedLog]:
        """Answer requests until the end of the block."""
        log = self

        class FileAnswer(BaseHTTPRequestHandler):
            """Answer to one request for a file of the log."""

            def do_GET(self) -> None:
                """Send the file."""
                body = log.answer(self.path.removeprefix("/fair/"))
                sent = body if isinstance(body, bytes) else b""
                refused = body if isinstance(body, int) else 404
                self.send_response(200 if body is sent else refused)
                self.send_header("Content-Length", str(len(sent)))
                self.send_header("Location", "/fair/checkpoint?elsewhere")
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), FileAnswer) as server:
            self.port = server.server_address[1]
            thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
            thread.start()
            yield self
            server.shutdown()
            thread.join()
