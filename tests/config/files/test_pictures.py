"""Uploaded pictures: encoded anew without metadata; bombs, scripts and damage are refused."""

from __future__ import annotations

import io
import random
import resource
import struct

import pytest
from PIL import Image, PngImagePlugin

from config import limits
from config.files import pictures
from config.refusals import Refusal
from tests.config.files.drawn_pictures import SVG, drawn, jpeg_of_scans, png_bomb

SECRET = b"52.5200N 13.4050E"


def read(data: bytes) -> Image.Image:
    """A picture that was encoded anew, opened as nothing but a WebP."""
    return Image.open(io.BytesIO(data), formats=["WEBP"])


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_pictures_become_small_webp_in_their_shape(kind: str) -> None:
    picture = read(pictures.encode_anew(drawn(kind, (400, 100)), 200, 200))
    assert picture.size == (200, 50)
    red, green, blue = picture.convert("RGB").getpixel((10, 10))  # type: ignore[misc]
    assert red > 200 and green < 60 and blue < 60
    assert read(pictures.encode_anew(drawn(kind), 200, 200)).size == (40, 20), "it grew"
    assert read(pictures.encode_anew(drawn(kind), 64, 64, cropped=True)).size == (64, 64)


def test_transparent_pixels_stay_transparent() -> None:
    for upload in (drawn("PNG", mode="RGBA"), drawn("WEBP", mode="RGBA", lossless=True)):
        picture = read(pictures.encode_anew(upload, 100, 100))
        assert picture.mode == "RGBA" and picture.getpixel((35, 10))[3] == 0  # type: ignore[index]
    palette = Image.new("P", (8, 8), 0)
    written = io.BytesIO()
    palette.save(written, "PNG", transparency=0)
    assert read(pictures.encode_anew(written.getvalue(), 9, 9)).getpixel((1, 1))[3] == 0  # type: ignore[index]


def test_metadata_and_bytes_behind_the_picture_are_gone() -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = SECRET.decode(), 6  # described, and turned by a quarter
    comments = PngImagePlugin.PngInfo()
    comments.add_text("place", SECRET.decode())
    for upload in (
        drawn("JPEG", exif=exif, comment=SECRET),
        drawn("WEBP", exif=exif, xmp=SECRET, icc_profile=SECRET),
        drawn("PNG", exif=exif, pnginfo=comments),
    ):
        assert SECRET in upload
        answer = pictures.encode_anew(upload + b"<script>alert(1)</script>" + SECRET, 200, 200)
        assert SECRET not in answer and b"script" not in answer
        assert not set(read(answer).info) & {"exif", "xmp", "icc_profile", "comment"}
        assert read(answer).size == (20, 40), "it lies on its side"


def test_bombs_are_refused_by_their_header() -> None:
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bombs = [png_bomb(*size) for size in ((4_001, 4_000), (50_000, 50_000), (2**31 - 1, 2**31 - 1))]
    lossless = b"\x2f" + struct.pack("<I", 16_382 | 16_382 << 14) + bytes(64)
    body = b"WEBPVP8L" + struct.pack("<I", len(lossless)) + lossless
    for upload in (*bombs, b"RIFF" + struct.pack("<I", len(body)) + body):
        assert len(upload) < 10_000
        with pytest.raises(pictures.HugePicture):
            pictures.encode_anew(upload, 200, 200)
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb
    assert grown_kb < 40_000, "pixels were decoded"


def test_a_jpeg_of_scans_without_end_is_refused() -> None:
    most = limits.PICTURE_MAX_SCANS
    assert read(pictures.encode_anew(jpeg_of_scans(most), 100, 100)).size == (40, 20)
    with pytest.raises(pictures.UnreadablePicture):
        pictures.encode_anew(jpeg_of_scans(most + 1), 100, 100)


def test_too_many_bytes_are_refused_before_they_are_looked_at() -> None:
    with pytest.raises(pictures.HeavyPicture) as refused:
        pictures.encode_anew(drawn("PNG") + bytes(limits.PICTURE_MAX_BYTES), 200, 200)
    assert str(refused.value) == "A picture has at most 1000 kB."


OTHER_FILES = {
    "nothing": b"",
    "scripted SVG": SVG,
    "signature alone": b"\x89PNG\r\n\x1a\n",
    "PostScript": b"%!PS-Adobe",
    "cut PNG": drawn("PNG")[:60],
    "cut JPEG": drawn("JPEG")[:300],
    **{kind: drawn(kind) for kind in ("GIF", "TIFF", "BMP", "PDF", "ICO")},
}


@pytest.mark.parametrize("upload", OTHER_FILES.values(), ids=OTHER_FILES)
def test_other_files_are_refused_with_the_accepted_formats(upload: bytes) -> None:
    with pytest.raises(pictures.UnreadablePicture) as refused:
        pictures.encode_anew(upload, 200, 200)
    assert str(refused.value).endswith("Accepted: PNG, JPEG, WebP.")


def test_damaged_pictures_are_encoded_or_refused_and_nothing_else() -> None:
    chance = random.Random(5)
    answers = set()
    for kind in ("PNG", "JPEG", "WEBP"):
        upload = drawn(kind)
        for _ in range(150):
            damaged = bytearray(upload)
            for _ in range(chance.randint(1, 6)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            try:
                answer = pictures.encode_anew(bytes(damaged), 64, 64)
            except Refusal as refusal:
                answers.add(refusal.code)
            else:
                answers.add("encoded")
                assert read(answer).size <= (64, 64)
    assert {"encoded", "picture_unreadable"} <= answers
