"""Operator of an admin page, as the user whose name is on what the page does."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.models import User


def operator(request: HttpRequest) -> User:
    """Return the logged-in user of a request; raise PermissionDenied for an anonymous one."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user
