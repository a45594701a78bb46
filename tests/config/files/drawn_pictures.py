"""Files that are uploaded as pictures in tests: drawn ones, a script, and a bomb."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def drawn(
    kind: str, size: tuple[int, int] = (40, 20), mode: str = "RGB", **options: object
) -> bytes:
    """A picture whose left half is red, as a file of a kind."""
    picture = Image.new(mode, size, "blue" if mode != "RGBA" else (0, 0, 255, 0))
    picture.paste("red", (0, 0, size[0] // 2, size[1]))
    written = io.BytesIO()
    picture.save(written, kind, **options)
    return written.getvalue()


def chunk(name: bytes, body: bytes) -> bytes:
    """One chunk of a PNG."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def jpeg_of_scans(scans: int) -> bytes:
    """A progressive JPEG whose last scan, of a few bytes, follows again and again."""
    usual = drawn("JPEG", progressive=True)
    last = usual[usual.rindex(b"\xff\xda") : -2]
    return usual[:-2] + last * (scans - usual.count(b"\xff\xda")) + usual[-2:]


def png_bomb(width: int, height: int) -> bytes:
    """A PNG of few bytes that promises many pixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    rows = zlib.compress(bytes(4 * 1_000_000), 9)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks
