"""Webhooks: addresses that are told a tournament's events, and the deliveries to them."""

from __future__ import annotations

import base64

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import entropy
from tournaments.models.tournament import Tournament

SECRET_BYTES = 24
SECRET_PREFIX = "whsec_"  # nosec B105
ADDRESS_MAX = 500


def new_secret() -> str:
    """Return a fresh signing secret in the form of the Standard Webhooks specification."""
    return SECRET_PREFIX + base64.b64encode(entropy.system().randbytes(SECRET_BYTES)).decode()


class Webhook(models.Model):
    """Address that is told events in their order, signed with its secret.

    Without a tournament it is told those of every tournament that everybody may see.
    """

    class Form(models.TextChoices):
        """Form of the messages."""

        JSON = "json", _("JSON, signed")
        DISCORD = "discord", "Discord"
        SLACK = "slack", _("Slack, Mattermost, Rocket.Chat")
        TELEGRAM = "telegram", "Telegram"

    class Scope(models.TextChoices):
        """Events that are told."""

        RESULTS = "results", _("start, final table, end")
        COURSE = "course", _("also breaks, players out and bounties")
        ALL = "all", _("every event (JSON only)")

    name = models.CharField(_("name"), max_length=60)
    address = models.CharField(
        _("address"), max_length=ADDRESS_MAX, validators=[MaxLengthValidator(ADDRESS_MAX)]
    )
    form = models.CharField(_("form"), max_length=10, choices=Form.choices, default=Form.JSON)
    scope = models.CharField(_("told"), max_length=10, choices=Scope.choices, default=Scope.COURSE)
    tells_new = models.BooleanField(_("tells new tournaments"), default=False)
    tells_starts = models.BooleanField(
        _("tells starts"), default=False, help_text=_("15 and 5 minutes before.")
    )
    tells_hands = models.BooleanField(
        _("tells hands"),
        default=False,
        db_default=False,
        help_text=_("Each finished hand as spectators saw it (JSON only)."),
    )
    tournament = models.ForeignKey(
        Tournament,
        verbose_name=_("tournament"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        help_text=_("Empty: every tournament that everybody may see."),
    )
    language = models.CharField(
        _("language"), max_length=5, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE
    )
    secret = models.CharField(_("secret"), max_length=60, default=new_secret, editable=False)
    is_active = models.BooleanField(_("active"), default=True)
    stopped_why = models.CharField(_("stopped because"), max_length=200, blank=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("made by"),
        null=True,
        on_delete=models.SET_NULL,
        editable=False,
    )
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)
    accepted_at = models.DateTimeField(_("last accepted at"), null=True, editable=False)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.name


class WebhookCursor(models.Model):
    """Number of the last event of a stream that became a delivery of a webhook, or was left out."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE)
    stream = models.CharField(max_length=60)
    seq = models.PositiveBigIntegerField()

    class Meta:
        verbose_name = _("webhook cursor")
        verbose_name_plural = _("webhook cursors")
        constraints = [
            models.UniqueConstraint(fields=["webhook", "stream"], name="webhook_cursor_once"),
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id} {self.stream} {self.seq}"


class WebhookDelivery(models.Model):
    """One message to a webhook; a webhook's messages go out in the order of their keys."""

    class State(models.TextChoices):
        """Course of a delivery."""

        WAITING = "waiting", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        DEAD = "dead", _("dead letter")

    webhook = models.ForeignKey(Webhook, verbose_name=_("webhook"), on_delete=models.CASCADE)
    stream = models.CharField(_("stream"), max_length=60)
    seq = models.PositiveBigIntegerField(_("number"))
    event = models.CharField(_("event"), max_length=40)
    body = models.TextField(_("body"))
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    due_at = models.DateTimeField(_("due at"), default=timezone.now)
    error = models.CharField(_("error"), max_length=200, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True)

    class Meta:
        verbose_name = _("webhook delivery")
        verbose_name_plural = _("webhook deliveries")
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "stream", "seq"], name="webhook_delivery_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["webhook", "id"],
                condition=Q(state="waiting"),
                name="webhook_delivery_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.stream} {self.seq}"
