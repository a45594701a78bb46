"""A bucket on 127.0.0.1 that speaks enough of S3 for files: put, get, head, delete and list."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Bucket:
    """Objects by their path, and the signed requests that came."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.times: dict[str, datetime] = {}
        self.requests: list[tuple[str, str]] = []
        self.address = ""


class _Handler(BaseHTTPRequestHandler):
    held: Bucket

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("x-amz-decoded-content-length"):
            body = _unchunked(body)
        path = self._path()
        self.held.objects[path], self.held.times[path] = body, datetime.now(UTC)
        self._answer(200, b"")

    def do_GET(self) -> None:
        path, asked = self._path(), parse_qs(self.path.partition("?")[2], True)
        if "prefix" in asked:
            self._answer(200, _listed(self.held.objects, path, asked["prefix"][0]))
        else:
            self._found(path)

    def do_HEAD(self) -> None:
        self._found(self._path())

    def do_DELETE(self) -> None:
        self.held.objects.pop(self._path(), None)
        self._answer(204, b"")

    def _path(self) -> str:
        path = self.path.partition("?")[0]
        signed = self.headers.get("Authorization", "")
        assert signed.startswith("AWS4-HMAC-SHA256 Credential=key/"), signed
        self.held.requests.append((self.command, path))
        return path

    def _found(self, path: str) -> None:
        if path in self.held.objects:
            self._answer(200, self.held.objects[path], self.held.times[path])
        else:
            self._answer(404, b"")

    def _answer(self, status: int, body: bytes, changed: datetime = EPOCH) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", format_datetime(changed, usegmt=True))
        self.send_header("ETag", '"0"')
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def bucket() -> Iterator[Bucket]:
    """Serve an empty bucket."""
    held = Bucket()
    handler = type("Handler", (_Handler,), {"held": held})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    held.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield held
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def settings_of(held: Bucket) -> dict[str, Any]:
    """Return the entry of STORAGES that names this bucket."""
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": "room",
            "endpoint_url": held.address,
            "region_name": "eu-north-1",
            "access_key": "key",
            "secret_key": "secret",
            "addressing_style": "path",
            "default_acl": None,
        },
    }


def _listed(objects: dict[str, bytes], bucket_path: str, prefix: str) -> bytes:
    """Return ListObjects of the objects directly below a prefix, and of the prefixes there."""
    keys = [path.removeprefix(f"{bucket_path.rstrip('/')}/") for path in objects]
    below = [key[len(prefix) :] for key in keys if key.startswith(prefix)]
    found = "".join(
        f"<Contents><Key>{prefix}{name}</Key><Size>1</Size></Contents>"
        for name in below
        if "/" not in name
    )
    for folder in sorted({name.partition("/")[0] for name in below if "/" in name}):
        found += f"<CommonPrefixes><Prefix>{prefix}{folder}/</Prefix></CommonPrefixes>"
    return f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>".encode()


def _unchunked(body: bytes) -> bytes:
    """Return the bytes of an upload in signed chunks: `<hex>;...\\r\\n<bytes>\\r\\n` each."""
    whole = b""
    while body:
        head, _, rest = body.partition(b"\r\n")
        size = int(head.partition(b";")[0], 16)
        if size == 0:
            break
        whole, body = whole + rest[:size], rest[size + 2 :]
    return whole
