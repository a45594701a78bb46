"""Template filters for durations in milliseconds."""

from __future__ import annotations

from django import template
from django.utils.translation import ngettext

register = template.Library()


@register.filter
def seconds(ms: int) -> str:
    """Return whole seconds in words: 15000 is 15 seconds."""
    number = round(ms / 1000)
    return ngettext("%(number)s second", "%(number)s seconds", number) % {"number": number}


@register.filter
def minutes(ms: int) -> str:
    """Return whole minutes in words, or seconds below two minutes: 600000 is 10 minutes."""
    if ms < 120_000 and ms % 60_000:
        return seconds(ms)
    number = round(ms / 60_000)
    return ngettext("%(number)s minute", "%(number)s minutes", number) % {"number": number}
