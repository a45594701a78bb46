"""Names of the time zones that this machine knows, read from its files once per process."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names in alphabetical order.

    `available_timezones` opens some six hundred files each time: a tenth of a second per form.
    """
    return tuple(sorted(available_timezones()))
