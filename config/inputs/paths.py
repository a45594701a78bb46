"""Paths on command lines, looked at before hours of work whose result they are to hold."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from pathlib import Path


def file_to_write(text: str) -> Path:
    """Return the path of a file that can be written; for the `type` of an option.

    Raises ArgumentTypeError for a folder, and for a file in a folder that is missing or closed.
    """
    path = Path(text)
    folder = path.absolute().parent
    if path.is_dir():
        raise ArgumentTypeError(f"{text} is a folder, not a file")
    if not folder.is_dir():
        raise ArgumentTypeError(f"{text} cannot be written: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise ArgumentTypeError(f"{text} cannot be written: permission denied")
    return path
