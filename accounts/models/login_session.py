"""Log-in sessions as their user sees them: device, shortened address, times."""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import models

from config import limits


class LoginSession(models.Model):
    """A user's open session; the row ends with the session.

    `device` is a short name such as "Firefox, Linux"; `address` is shortened to its network.
    `seen_at` is exact to LOGIN_SEEN_EVERY_S. `is_new` marks a new device until its user
    confirmed the notice in a session that was there before.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="login_sessions"
    )
    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="login")
    device = models.CharField(max_length=limits.DEVICE_MAX_CHARACTERS, blank=True)
    address = models.CharField(max_length=45, blank=True)
    began_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()
    is_new = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.device}"
