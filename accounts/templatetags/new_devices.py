"""Notice of log-ins on new devices on the pages of the user's other sessions."""

from __future__ import annotations

from django import template
from django.template import Context

from accounts.logins import open_sessions
from accounts.models import User

register = template.Library()


@register.inclusion_tag("accounts/_new_devices.html", takes_context=True)
def new_devices(context: Context) -> dict[str, object]:
    """Return the sessions on new devices that the visitor has not confirmed."""
    user, request = context.get("user"), context.get("request")
    rows = []
    if isinstance(user, User) and request is not None:
        rows = open_sessions.new_devices(user, request.session.session_key)
    return {"devices": rows, "csrf_token": context.get("csrf_token")}
