"""Stored notifications: a player's choices and devices, what was told, and its deliveries."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import limits


class Way(models.TextChoices):
    """Way in which a notification reaches its player."""

    PUSH = "push", _("on my devices")
    MAIL = "mail", _("by mail")


class NotificationSettings(models.Model):
    """A player's quiet hours in a time zone, and the language of the notifications.

    Equal times, or none, are no quiet hours.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="notification_settings",
    )
    time_zone = models.CharField(_("time zone"), max_length=60, default="UTC")
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    language = models.CharField(_("language"), max_length=8, default=settings.LANGUAGE_CODE)
    mailed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("notification settings")
        verbose_name_plural = _("notification settings")

    def __str__(self) -> str:
        return str(self.user_id)


class NotificationChoice(models.Model):
    """A kind of notification that a player wants by one way; no row is no."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notification_choices"
    )
    kind = models.CharField(max_length=30)
    way = models.CharField(max_length=10, choices=Way.choices)

    class Meta:
        verbose_name = _("notification choice")
        verbose_name_plural = _("notification choices")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "way", "user"], name="notification_chosen_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.way}"


class PushEndpoint(models.Model):
    """A browser that takes pushes for its user: address at its push service, and its keys.

    `server_key` is the start of the room's public key that the browser expects. `session` is the
    log-in session the browser asked in; its end ends the endpoint. `failures` counts messages in a
    row that the push service refused.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_endpoints"
    )
    address = models.CharField(max_length=limits.PUSH_ADDRESS_MAX, unique=True)
    public_key = models.CharField(max_length=100)
    secret = models.CharField(max_length=40)
    server_key = models.CharField(max_length=20)
    session = models.CharField(max_length=40, db_index=True)
    device = models.CharField(max_length=limits.DEVICE_MAX_CHARACTERS, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("push endpoint")
        verbose_name_plural = _("push endpoints")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.device}"


class RemovedDevice(models.Model):
    """A browser that its user took off the list, by a digest of its address: it stays off.

    The browser does not come back by itself; turned on again by the user it is no longer here.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="removed_devices"
    )
    digest = models.CharField(max_length=64)
    removed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("removed device")
        verbose_name_plural = _("removed devices")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "digest"], name="device_removed_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.digest[:8]}"


class Notification(models.Model):
    """A notice to one player in the player's language, raised once for each `kind` and `key`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications"
    )
    kind = models.CharField(_("kind"), max_length=30)
    key = models.CharField(max_length=60)
    title = models.CharField(_("title"), max_length=200)
    text = models.CharField(_("text"), max_length=300, blank=True)
    link = models.CharField(max_length=200)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "kind", "key"], name="notification_raised_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.key}"


class NotificationDelivery(models.Model):
    """A notification on its way to one endpoint, or, without one, into the player's next mail."""

    class State(models.TextChoices):
        """Course of a delivery."""

        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        DEAD = "dead", _("given up")

    notification = models.ForeignKey(
        Notification, on_delete=models.CASCADE, related_name="deliveries"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    endpoint = models.ForeignKey(PushEndpoint, on_delete=models.CASCADE, null=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("notification delivery")
        verbose_name_plural = _("notification deliveries")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["notification", "endpoint"],
                nulls_distinct=False,
                name="notification_delivered_once",
            )
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"], condition=Q(state="waiting"), name="notification_waiting"
            )
        ]

    def __str__(self) -> str:
        return f"{self.notification_id} {self.state}"
