"""Browsers of the test client, each of one user or of a visitor."""

from __future__ import annotations

from django.test import Client

from accounts.models import User


def browser(user: User | None = None) -> Client:
    """Return a client that is logged in, or a visitor's."""
    made = Client()
    if user is not None:
        made.force_login(user)
    return made
