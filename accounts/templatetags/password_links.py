"""Notice of issued links for a new password on the pages of their player."""

from __future__ import annotations

from django import template
from django.template import Context

from accounts.models import User
from accounts.users.password_links import untold

register = template.Library()


@register.inclusion_tag("accounts/_password_links.html", takes_context=True)
def password_links(context: Context) -> dict[str, object]:
    """Return the links that the visitor has not confirmed."""
    user = context.get("user")
    links = untold(user) if isinstance(user, User) else []
    return {"links": links, "csrf_token": context.get("csrf_token")}
