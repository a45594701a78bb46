"""The viewer's own note on the player of a page."""

from __future__ import annotations

from django import template
from django.template import Context

from accounts.models import User
from accounts.player_notes import notes

register = template.Library()


@register.inclusion_tag("accounts/_player_note.html", takes_context=True)
def own_note(context: Context, about: User) -> dict[str, object]:
    """Return the viewer's note on a player; nothing for visitors."""
    user = context.get("user")
    if not isinstance(user, User) or user == about:
        return {"about": None}
    return {"about": about, "note": notes.note_on(user, about.pk)}
