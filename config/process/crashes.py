"""Traces of a crash: the stacks of all threads in the log, and no memory on the disk."""

from __future__ import annotations

import faulthandler
import resource
import sys


def leave_no_memory() -> None:
    """Print the stacks of all threads to the standard error at a crash, and write no core file.

    Stacks have names of files and functions only. A core file would have the live hole cards and
    the keys of this process; processes that it starts inherit that there is none.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.stderr is not None:
        faulthandler.enable()
