"""Pictures of clubs: uploaded by managers, encoded anew, read by those who may see the club."""

from __future__ import annotations

from collections.abc import Collection

from accounts.clubs.profiles import visible_clubs
from accounts.clubs.refusals import NotForRole
from accounts.clubs.rules import may_manage
from accounts.clubs.steps import club_step, role_of
from accounts.models import Club, User
from accounts.stored_files.pictures import PictureFolder, count_upload
from config.files.pictures import encode_anew

FOLDER = PictureFolder("clubs")
PIXELS = 256
"""Width and height of a stored picture."""


def set_picture(club: Club, actor: User, upload: bytes) -> str:
    """Encode a manager's upload anew, store it in place of the former picture, return its key.

    Raises NotForRole, PicturesTooFast, FilesUnavailable or a refusal of config.files.pictures; then
    nothing has changed.
    """
    # Outsiders cost no decoding; the step asks again, under the club's lock.
    if not may_manage(role_of(actor, club)):
        raise NotForRole
    count_upload(actor.pk)
    with FOLDER.stored(encode_anew(upload, PIXELS, PIXELS, cropped=True)) as key:
        _replace(club, actor, key)
    return key


def remove_picture(club: Club, actor: User) -> bool:
    """Remove a club's picture by a manager; False when there is none. Raises NotForRole."""
    return _replace(club, actor, "")


def picture_of(user: User | None, slug: str, key: str) -> bytes | None:
    """Return the present picture of a club that a visitor may see; else None."""
    rows = visible_clubs(user).filter(slug=slug, picture=key)
    return FOLDER.read(key) if key and rows.exists() else None


def named(names: Collection[str]) -> set[str]:
    """Return those of some file names that a club names."""
    rows = Club.objects.filter(picture__in=[FOLDER.key_of(name) for name in names])
    return FOLDER.names_of(rows.values_list("picture", flat=True))


def _replace(club: Club, actor: User, key: str) -> bool:
    """Name another picture, or none; the file of the former one goes after the commit."""
    with club_step(club, actor) as step:
        step.need_manager()
        row = step.club
        if row.picture == key:
            return False
        former, row.picture = row.picture, key
        row.save(update_fields=["picture"])
        step.record("picture" if key else "picture_removed")
        if former:
            FOLDER.delete_after_commit(former)
    return True
