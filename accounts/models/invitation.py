"""Ways into a club: invitation links and requests to join."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models.club import Club
from config import limits


class InvitationLink(models.Model):
    """A link into a club; only the digest of its token is stored."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="links")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    uses_max = models.PositiveIntegerField(_("uses"))
    used = models.PositiveIntegerField(_("used"), default=0)
    made_at = models.DateTimeField(_("time"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation link")
        verbose_name_plural = _("invitation links")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(used__lte=F("uses_max")), name="link_not_used_too_often"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.used}/{self.uses_max}"


class JoinRequest(models.Model):
    """A player's request to join a club, answered once by a manager."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")
        JOINED = "joined", _("joined by a link")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="requests")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="join_requests"
    )
    text = models.CharField(
        _("words to the managers"), max_length=limits.CLUB_REQUEST_MAX_CHARACTERS, blank=True
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(_("time"), auto_now_add=True)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("request to join a club")
        verbose_name_plural = _("requests to join clubs")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=Q(state="open"),
                name="one_open_request_per_club",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} to {self.club_id}: {self.state}"
