"""Announcements of a club: made and withdrawn by managers, read by members."""

from __future__ import annotations

from django.utils import timezone

from accounts.clubs.profiles import checked_text
from accounts.clubs.refusals import ClubRefused
from accounts.clubs.steps import club_step
from accounts.models import Club, ClubAnnouncement, User
from config.refusals import marked as _

SHOWN_MAX = 10


def announce(club: Club, actor: User, text: str, token: str) -> ClubAnnouncement:
    """Announce a text by a manager; a repeated `token` announces nothing more.

    Raises NotForRole or ClubRefused, the latter also for a token that announced another text.
    """
    text = checked_text(text, "text")
    if not text:
        raise ClubRefused(_("An announcement needs a text."), field="text")
    with club_step(club, actor) as step:
        step.need_manager()
        row, is_new = ClubAnnouncement.objects.get_or_create(
            token=token, defaults={"club": step.club, "author": actor, "text": text}
        )
        if is_new:
            step.record("announce", None, announcement=row.pk)
        elif (row.club_id, row.text) != (step.club.pk, text):
            raise ClubRefused(
                _("This form was sent before with another text. Load the page again."),
                field="text",
            )
    return row


def withdraw(club: Club, actor: User, announcement: int) -> None:
    """Withdraw an announcement by a manager; a repeated step changes nothing."""
    with club_step(club, actor) as step:
        step.need_manager()
        rows = step.club.announcements.filter(pk=announcement, withdrawn_at__isnull=True)
        if rows.update(withdrawn_at=timezone.now()):
            step.record("withdraw", None, announcement=announcement)


def newest(club: Club) -> list[ClubAnnouncement]:
    """Return the announcements shown on the club's page, the newest first."""
    rows = club.announcements.filter(withdrawn_at__isnull=True).select_related("author")
    return list(rows.order_by("-pk")[:SHOWN_MAX])
