"""Clubs of players: profile, members, announcements, and the record of every step."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config import limits

_COLOUR = RegexValidator(r"^#[0-9a-f]{6}$")


class Club(models.Model):
    """A club; its row is locked by every change of its members, links and requests."""

    name = models.CharField(_("name"), max_length=limits.CLUB_NAME_MAX_CHARACTERS)
    slug = models.SlugField(
        _("address"), max_length=limits.CLUB_NAME_MAX_CHARACTERS * 2, unique=True
    )
    name_key = models.CharField(
        max_length=limits.CLUB_NAME_MAX_CHARACTERS * 2, unique=True, editable=False
    )
    description = models.TextField(
        _("description"), max_length=limits.CLUB_TEXT_MAX_CHARACTERS, blank=True
    )
    colour = models.CharField(_("first colour"), max_length=7, validators=[_COLOUR])
    second_colour = models.CharField(_("second colour"), max_length=7, validators=[_COLOUR])
    picture = models.CharField(
        _("picture"),
        max_length=32,
        blank=True,
        db_default="",
        help_text=_("key of its file; empty: the colours"),
    )
    takes_requests = models.BooleanField(_("takes requests to join"), default=True)
    made_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["picture"], condition=~Q(picture=""), name="club_picture_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def member(self) -> str:
        """Key of its stream, and of its accounts in the ledger."""
        return f"club:{self.pk}"


class ClubRole(models.TextChoices):
    """Role of a member, the strongest first."""

    OWNER = "owner", _("owner")
    MANAGER = "manager", _("manager")
    MEMBER = "member", _("member")


class Membership(models.Model):
    """A user's role in a club; the row ends with the membership."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships"
    )
    role = models.CharField(
        _("role"), max_length=10, choices=ClubRole.choices, default=ClubRole.MEMBER
    )
    since = models.DateTimeField(_("member since"), auto_now_add=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once_per_club"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.club_id}: {self.role}"


class ClubAnnouncement(models.Model):
    """A text of the club's managers to its members; a withdrawn one is kept and not shown."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="announcements")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(_("text"), max_length=limits.CLUB_TEXT_MAX_CHARACTERS)
    token = models.CharField(max_length=32, unique=True, editable=False)
    made_at = models.DateTimeField(_("time"), auto_now_add=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    class Meta:
        verbose_name = _("announcement of a club")
        verbose_name_plural = _("announcements of clubs")

    def __str__(self) -> str:
        return f"{self.club_id}: {self.text[:40]}"


class ClubAuditRow(models.Model):
    """One step in a club, by `actor` and about `subject` if any (append-only, sealed)."""

    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="audit"
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), on_delete=models.PROTECT, related_name="+"
    )
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("about"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    action = models.CharField(_("action"), max_length=30)
    details = models.JSONField(_("details"), default=dict)
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("audit row of a club")
        verbose_name_plural = _("audit rows of clubs")
        indexes: ClassVar = [
            models.Index(fields=["club", "subject", "action"], name="club_audit_of_a_subject")
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.club_id}"
