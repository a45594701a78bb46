"""How many files and sockets a process may hold: a shell allows 1,024, the system far more."""

from __future__ import annotations

import resource

from config import limits


def allow_many() -> int:
    """Raise this process' limit of open files as far as the system lets it; what it is now.

    At most OPEN_FILES_MAX. A system that refuses leaves it as it was.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = limits.OPEN_FILES_MAX
    wanted = most if hard == resource.RLIM_INFINITY else min(hard, most)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted
