"""Users who gave the password of a private tournament."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.models.tournament import Tournament


class Admission(models.Model):
    """A user's knowledge of a tournament's password, valid for tournaments of equal hash too."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="admissions")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="admissions"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "tournament"], name="admitted_once")]

    def __str__(self) -> str:
        return f"{self.user_id} to {self.tournament_id}"
