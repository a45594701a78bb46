"""Template filter for times, which each reader's page shows in the zone of its browser."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html

register = template.Library()


@register.filter
def moment(at: datetime | None) -> str:
    """Return a time that the page's clock writes in the browser's zone; without scripts in UTC."""
    if at is None:
        return ""
    utc = at.astimezone(UTC)
    return format_html(
        '<time datetime="{}" data-moment="{}">{} UTC</time>',
        utc.isoformat(timespec="seconds"),
        str(round(utc.timestamp() * 1_000)),
        date_format(utc, "SHORT_DATETIME_FORMAT"),
    )
