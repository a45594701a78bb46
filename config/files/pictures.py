"""Uploaded pictures: decoded under limits and encoded anew; no byte of an upload is ever served."""

from __future__ import annotations

import io
import warnings
from typing import Final

from PIL import Image, ImageOps

from config import limits
from config.refusals import Refusal
from config.refusals import marked as _

CONTENT_TYPE: Final = "image/webp"
"""Type of every picture that `encode_anew` returns."""

FORMATS: Final = ("PNG", "JPEG", "WebP")
"""Formats that may be uploaded, by the name that people read."""

_WITH_SCANS: Final = ("JPEG", "MPO")
_SCAN: Final = b"\xff\xda"
"""Marker at the start of a scan (ITU-T T.81, B.1.1.3); coded data never holds it."""


class HeavyPicture(Refusal):
    """Refusal of a file with too many bytes."""

    code = "picture_too_heavy"
    sentence = _("A picture has at most %(most_kb)s kB.")


class HugePicture(Refusal):
    """Refusal of a picture with too many pixels, told by its header before any is decoded."""

    code = "picture_too_huge"
    sentence = _("A picture has at most %(most_megapixels)s million pixels.")


class UnreadablePicture(Refusal):
    """Refusal of a file that is damaged, or no picture of an accepted format."""

    code = "picture_unreadable"
    sentence = _("This file is not a readable picture. Accepted: %(formats)s.")


def encode_anew(upload: bytes, width: int, height: int, *, cropped: bool = False) -> bytes:
    """Return an uploaded picture as a new WebP of at most these pixels, without its metadata.

    `cropped` fills the whole size and cuts off what stands over; else the picture keeps its
    shape and is never made larger. Of a moving picture the first frame is taken.
    Raises HeavyPicture, HugePicture or UnreadablePicture.
    """
    if len(upload) > limits.PICTURE_MAX_BYTES:
        raise HeavyPicture(most_kb=limits.PICTURE_MAX_BYTES // 1_000)
    try:
        picture = _decoded(upload)
    except Refusal:
        raise
    except Exception as error:  # decoders meet damaged files with errors of many types
        raise UnreadablePicture(formats=FORMATS) from error
    if cropped:
        picture = ImageOps.fit(picture, (width, height))
    else:
        picture.thumbnail((width, height))
    # A fresh picture carries no place, camera, colour profile or comment of the upload.
    clean = Image.new(picture.mode, picture.size)
    clean.paste(picture)
    written = io.BytesIO()
    clean.save(written, "WEBP", quality=90)
    return written.getvalue()


def _decoded(upload: bytes) -> Image.Image:
    """Decode the first frame, upright, in RGB or RGBA, if its header promises few enough pixels."""
    with warnings.catch_warnings():
        # Pillow only warns of pictures below twice its own bound; the bound here is lower.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            picture = Image.open(io.BytesIO(upload), formats=[name.upper() for name in FORMATS])
        except Image.DecompressionBombError as error:
            raise _huge() from error
    if picture.width * picture.height > limits.PICTURE_MAX_PIXELS:
        raise _huge()
    # A scan of 23 bytes costs as much work as all pixels: 1 MB of them is decoded for minutes.
    if picture.format in _WITH_SCANS and upload.count(_SCAN) > limits.PICTURE_MAX_SCANS:
        raise UnreadablePicture(formats=FORMATS)
    ImageOps.exif_transpose(picture, in_place=True)
    return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


def _huge() -> HugePicture:
    return HugePicture(most_megapixels=limits.PICTURE_MAX_PIXELS // 1_000_000)
