"""Refusals of pictures that are stored."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class FilesUnavailable(Refusal):
    """Refusal while the storage of files takes nothing."""

    code = "files_unavailable"
    field = "picture"
    sentence = _("The room cannot store pictures just now; try again later.")


class PicturesTooFast(Refusal):
    """Refusal of pictures that follow too fast; `wait_s` until the next one."""

    code = "pictures_too_fast"
    field = "picture"
    sentence = _("You uploaded pictures often. Try again in %(wait_s)s seconds.")
