"""Change and read faces: a new picture has a new key, so that browsers may keep it for ever."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery

from accounts.faces.countries import countries
from accounts.faces.files import FOLDER
from accounts.faces.models import PlayerFace
from accounts.faces.refusals import NoSuchCountry
from accounts.models import User
from accounts.stored_files.pictures import count_upload
from config.files.pictures import encode_anew

FaceRow = tuple[int, str | None, str | None, bool]
"""(user, key of the picture, country, bot); picture and country are None without a stored face."""

PIXELS = 128
"""Width and height of a stored picture."""


class Face(msgspec.Struct, frozen=True, omit_defaults=True):
    """Face of a player for others: key of a picture, country of a flag, mark of a bot."""

    user: int
    picture: str = ""
    country: str = ""
    bot: bool = False


def set_picture(user: User, upload: bytes) -> str:
    """Encode an uploaded picture anew, store it in place of the former one and return its key.

    Raises a refusal of config.files.pictures, PicturesTooFast or FilesUnavailable; then nothing has
    changed.
    """
    count_upload(user.pk)
    with FOLDER.stored(encode_anew(upload, PIXELS, PIXELS, cropped=True)) as key:
        _replace(user.pk, key)
    return key


def remove_picture(user: int) -> bool:
    """Remove a player's picture; False when there is none."""
    return _replace(user, "")


def set_country(user: User, country: str) -> None:
    """Store the country of a player's flag, "" for none; raises NoSuchCountry."""
    if country and country not in countries("en"):
        raise NoSuchCountry
    PlayerFace.objects.update_or_create(user=user, defaults={"country": country})


def face_of(user: User) -> PlayerFace:
    """Return a player's own face, unsaved where nothing was chosen yet."""
    return PlayerFace.objects.filter(user=user).first() or PlayerFace(user=user)


def faces_of(users: Collection[int]) -> list[Face]:
    """Return the faces of those users that have one; bots are marked."""
    return faces_in(face_rows(User.objects.filter(pk__in=users), "pk", "is_bot"))


def face_rows(players: QuerySet[Any], user: str, is_bot: str) -> QuerySet[Any, FaceRow]:
    """Return what `faces_in` reads of players, in the order of their users.

    `user` and `is_bot` are the columns of the player's key and mark in rows of `players`.
    """
    face = PlayerFace.objects.filter(user=OuterRef(user))
    chosen = [Subquery(face.values(column)) for column in ("picture", "country")]
    return players.order_by(user).values_list(user, *chosen, is_bot)


def faces_in(rows: Iterable[FaceRow]) -> list[Face]:
    """Return the faces of players who have one; bots have theirs."""
    return [
        Face(user, picture or "", country or "", is_bot)
        for user, picture, country, is_bot in rows
        if picture is not None or is_bot
    ]


def picture_of(key: str) -> bytes | None:
    """Return the picture of a key that some player's face has now; else None."""
    if not key or not PlayerFace.objects.filter(picture=key, user__is_active=True).exists():
        return None
    return FOLDER.read(key)


def erase(user: User) -> None:
    """Delete a user's face, its file after the commit."""
    remove_picture(user.pk)
    PlayerFace.objects.filter(user=user).delete()


def exported_face(user: User) -> Iterable[Mapping[str, Any]]:
    """Return a user's face; its picture is a file of the export."""
    return PlayerFace.objects.filter(user=user).values("picture", "country", "changed_at")


def exported_picture(user: User) -> bytes | None:
    """Return the bytes of a user's picture, None where there is none."""
    key = PlayerFace.objects.filter(user=user).values_list("picture", flat=True).first()
    return FOLDER.read(key) if key else None


def _replace(user: int, key: str) -> bool:
    """Store the key of another picture; delete the former picture's file after the commit."""
    with transaction.atomic():
        if key:
            PlayerFace.objects.get_or_create(user_id=user)
        row = PlayerFace.objects.select_for_update().filter(user=user).first()
        if row is None or row.picture == key:
            return False
        former, row.picture = row.picture, key
        row.save()
        if former:
            FOLDER.delete_after_commit(former)
    return True
