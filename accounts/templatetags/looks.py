"""Theme of a page, look of its tables as attributes of its body, and their choices as fields."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

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


@register.simple_tag(takes_context=True)
def look_fields(context: Context) -> SafeString:
    """Return the form of the look, for the settings of a table."""
    look = _look(context)
    return _form(get_language(), *(look[part] for part in looks.CHOICES))


@lru_cache(maxsize=512)
def _form(_language: str | None, *look: str) -> SafeString:
    """Return the form of one look in the language of the thread, rendered once: it took a third of
    the time of a table's page.
    """
    initial = dict(zip(looks.CHOICES, look, strict=True))
    form = LookForm(initial=initial, auto_id="look_%s")
    return render_to_string("accounts/_look.html", {"form": form})


def _look(context: Context) -> dict[str, str]:
    request = context["request"]
    if not hasattr(request, "table_look"):
        user = request.user if isinstance(request.user, User) else None
        request.table_look = looks.look_of(request.COOKIES.get(looks.COOKIE, ""), user)
    found: dict[str, str] = request.table_look
    return found
