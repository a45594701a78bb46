"""The folder of players' pictures, and the rows that name its files."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from accounts.faces.models import PlayerFace
from accounts.stored_files.pictures import PictureFolder

FOLDER = PictureFolder("faces")


def named(names: Collection[str]) -> set[str]:
    """Return those of some file names that a player's face names."""
    return FOLDER.named_by(_keys, names)


def _keys(keys: list[str]) -> Iterable[str]:
    return PlayerFace.objects.filter(picture__in=keys).values_list("picture", flat=True)
