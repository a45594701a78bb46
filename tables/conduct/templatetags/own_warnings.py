"""Warnings on pages of their player: the notice of an unread one, and whether there are any."""

from __future__ import annotations

from django import template
from django.template import Context

from accounts.models import User
from tables.conduct.warnings import giving

register = template.Library()


@register.inclusion_tag("conduct/_warned.html", takes_context=True)
def own_warnings(context: Context) -> dict[str, object]:
    """Return whether the visitor has a warning to read."""
    user = context.get("user")
    return {"is_warned": isinstance(user, User) and giving.has_unread(user)}


@register.simple_tag(takes_context=True)
def has_own_warnings(context: Context) -> bool:
    """Return whether the visitor was ever warned."""
    user = context.get("user")
    return isinstance(user, User) and giving.warnings_of(user).exists()
