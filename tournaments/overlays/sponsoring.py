"""Pictures of sponsors: uploaded by organisers, encoded anew, and read for overlays."""

from __future__ import annotations

import base64
from collections.abc import Collection

import structlog
from django.core.files.storage import default_storage
from django.db import transaction

from accounts.models import User
from accounts.stored_files.pictures import PictureFolder, count_upload
from config import limits, metrics
from config.files import pictures
from config.refusals import Refusal
from config.refusals import marked as _
from tournaments import locks
from tournaments.models import AuditRow
from tournaments.overlays.models import Sponsor

log = structlog.get_logger(__name__)

FOLDER = PictureFolder("sponsors")


class NoPicture(Refusal):
    """Refusal of a form that was sent without a file."""

    code = "no_picture"
    sentence = _("Choose a picture first.")


def show_sponsor(tournament: int, actor: User, upload: bytes) -> None:
    """Make an uploaded picture that of the tournament's sponsor, instead of the one before.

    Raises PicturesTooFast, FilesUnavailable, or a refusal of `config.files.pictures`.
    """
    count_upload(actor.pk)
    picture = pictures.encode_anew(upload, limits.SPONSOR_WIDTH, limits.SPONSOR_HEIGHT)
    with FOLDER.stored(picture) as key:
        _replace(tournament, actor, FOLDER.path(key))


def remove_sponsor(tournament: int, actor: User) -> bool:
    """Remove the picture of a tournament's sponsor; False when there is none."""
    return _replace(tournament, actor, "")


def sponsor_address(tournament: int) -> str:
    """Return the sponsor's picture as a `data:` address, empty when there is none.

    A page holds it whole, so the picture is seen exactly by those who see the page.
    """
    name = Sponsor.objects.filter(tournament=tournament).values_list("file", flat=True).first()
    if name is None:
        return ""
    try:
        with default_storage.open(name) as file:
            written = base64.b64encode(file.read()).decode()
    except Exception:  # an overlay goes on without its sponsor
        log.exception("sponsor not read", tournament=tournament)
        metrics.FAULTS.labels("sponsor").inc()
        return ""
    return f"data:{pictures.CONTENT_TYPE};base64,{written}"


def named(names: Collection[str]) -> set[str]:
    """Return those of some file names that a tournament's sponsor names."""
    rows = Sponsor.objects.filter(file__in=[FOLDER.path(FOLDER.key_of(name)) for name in names])
    return FOLDER.names_of(FOLDER.key_of(path) for path in rows.values_list("file", flat=True))


def _replace(tournament: int, actor: User, name: str) -> bool:
    """Replace the stored row by one of this file, or by none; return whether anything changed."""
    with transaction.atomic():
        row = locks.tournament(tournament)
        before = Sponsor.objects.filter(tournament=row).first()
        if before is None and not name:
            return False
        if before is not None:
            before.delete()
            FOLDER.delete_after_commit(FOLDER.key_of(before.file))
        if name:
            Sponsor.objects.create(tournament=row, file=name)
        action = "overlay_sponsor" if name else "overlay_sponsor_removed"
        AuditRow.objects.create(tournament=row, actor=actor, action=action)
    return True
