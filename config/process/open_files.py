"""Limit of open files and sockets of a process: a shell allows 1,024, the system far more."""

from __future__ import annotations

import resource

from config import limits


def allow_many() -> int:
    """Raise this process' limit of open files to the system's maximum; return the limit.

    At most OPEN_FILES_MAX. A system that refuses leaves the limit unchanged.
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
