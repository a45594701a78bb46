"""Folders of the room's one storage, each with the rows that name its files."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple


class StoredFolder(NamedTuple):
    """Folder of stored files; `named` returns those of some file names that a row names."""

    name: str
    named: Callable[[Collection[str]], set[str]]


_folders: dict[str, StoredFolder] = {}


def register(folder: StoredFolder) -> None:
    """Register the folder of an app."""
    assert folder.name not in _folders, folder.name
    _folders[folder.name] = folder


def registered() -> list[StoredFolder]:
    """Return the folders of all apps."""
    return list(_folders.values())
