"""E-mail addresses of users, and mail on its way."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class EmailAddress(models.Model):
    """E-mail address of a user: confirmed or waiting for that, and one of them the primary.

    A confirmed address belongs to one user; several may wait for the confirmation of one.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="email_addresses",
        db_index=False,  # the addresses of a user are found by a constraint below
    )
    address = models.EmailField(_("e-mail address"))
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True)
    is_primary = models.BooleanField(_("primary"), default=False)

    class Meta:
        verbose_name = _("e-mail address")
        verbose_name_plural = _("e-mail addresses")
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("address"),
                condition=models.Q(confirmed_at__isnull=False),
                name="email_address_once",
            ),
            models.UniqueConstraint("user", Lower("address"), name="email_address_once_a_user"),
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(is_primary=True), name="email_address_primary"
            ),
            models.CheckConstraint(
                condition=models.Q(is_primary=False) | models.Q(confirmed_at__isnull=False),
                name="email_address_primary_is_confirmed",
            ),
        ]

    def __str__(self) -> str:
        return str(self.user_id)

    @classmethod
    def confirmed_as(cls, address: str) -> models.QuerySet[EmailAddress]:
        """Return the row of a confirmed address, in capitals or not, by its unique index."""
        same = Exact(Lower("address"), Lower(models.Value(address)))
        return cls._default_manager.filter(same, confirmed_at__isnull=False)


class Mail(models.Model):
    """Message to one address; its text may hold a link and is deleted once sent or given up."""

    class State(models.TextChoices):
        """Course of a message."""

        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        DEAD = "dead", _("given up")

    address = models.EmailField(_("e-mail address"))
    subject = models.CharField(_("subject"), max_length=200)
    body = models.TextField(_("text"))
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    made_at = models.DateTimeField(_("time"), auto_now_add=True)
    due_at = models.DateTimeField(_("due at"), default=timezone.now)
    error = models.CharField(_("error"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"], condition=models.Q(state="waiting"), name="mail_waiting"
            )
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"
