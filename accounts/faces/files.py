"""The folder of players' pictures, and the rows that name its files."""

from __future__ import annotations

from collections.abc import Collection

from accounts.faces.models import PlayerFace
from accounts.stored_files.pictures import PictureFolder

FOLDER = PictureFolder("faces")


def named(names: Collection[str]) -> set[str]:
    """Return those of some file names that a player's face names."""
    rows = PlayerFace.objects.filter(picture__in=[FOLDER.key_of(name) for name in names])
    return FOLDER.names_of(rows.values_list("picture", flat=True))
