"""Players of cases, and staff who decide them, for tests."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Permission

from accounts.models import User


def player(name: str, **more: Any) -> User:
    """Return a new player without a password."""
    return User.objects.create_user(name, password=None, **more)


def staff(*rights: str) -> User:
    """Return a new member of staff with these permissions."""
    user = player("Staff", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return User.objects.get(pk=user.pk)
