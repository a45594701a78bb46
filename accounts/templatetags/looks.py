"""Theme of a page, look of its tables as attributes of its body, and their choices as fields."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.looks import looks
from accounts.looks.forms import LookForm
from accounts.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def look_attributes(context: Context) -> SafeString:
    """Return the attributes `data-felt`, `data-deck` and `data-size`."""
    look = _look(context)
    parts = ((part, look[part]) for part in ("felt", "deck", "size"))
    return format_html_join("", ' data-{}="{}"', parts)


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """Return the theme of a page: `device`, `night` or `day`."""
    return _look(context)["theme"]


@register.inclusion_tag("accounts/_look.html", takes_context=True)
def look_fields(context: Context) -> dict[str, object]:
    """Return the form of the look, for the settings of a table."""
    return {"form": LookForm(initial=_look(context), auto_id="look_%s")}


def _look(context: Context) -> dict[str, str]:
    request = context["request"]
    if not hasattr(request, "table_look"):
        user = request.user if isinstance(request.user, User) else None
        request.table_look = looks.look_of(request.COOKIES.get(looks.COOKIE, ""), user)
    found: dict[str, str] = request.table_look
    return found
