"""Addresses of the confirmation pages of admin steps."""

from __future__ import annotations

from django.urls import reverse

from tournaments.models import Tournament


def step(name: str, *tournaments: Tournament) -> str:
    """Address of the page of an admin step for these tournaments."""
    ids = ",".join(str(one.pk) for one in tournaments)
    return f"{reverse('admin:tournaments_step', args=[name])}?ids={ids}"
