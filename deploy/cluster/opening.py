"""Opening of a room for a command of manage.py: ports, play, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn

from django.core.management.base import CommandError

from deploy.cluster.__main__ import go_on, go_on_in
from deploy.cluster.room import ClusterOptions, Interrupted, Room
from deploy.embedded.binaries import ServerMissing
from deploy.embedded.program import NotReady
from deploy.processes import layout as layouts
from deploy.processes.layout import Layout, PortTaken
from deploy.processes.lock import InUse
from deploy.processes.terminal import Terminal

INTERRUPTED = 130


def play_in_room(
    command: str,
    options: ClusterOptions,
    play: Callable[[Room], int],
    *,
    interrupted: int = INTERRUPTED,
    make: Callable[[Layout, ClusterOptions, Terminal], Room] = Room,
) -> NoReturn:
    """Exit with the result of `play` in an open room, or with `interrupted`.

    The process first replaces itself by one with the room's addresses in its environment, and again
    when a port was taken meanwhile. Raises CommandError when the room cannot be opened.
    """
    if layouts.PORTS not in os.environ:
        go_on(sys.argv[2:], command)
    room = make(layouts.given(os.environ), options, Terminal(sys.stdout))
    try:
        with room.opened():
            code = play(room)
    except PortTaken as problem:
        room.terminal.say(f"{problem}; choosing another")
        go_on_in(layouts.moved(room.layout, problem.name), sys.argv[2:], command)
    except Interrupted:
        code = interrupted
    except (InUse, NotReady, ServerMissing) as problem:
        raise CommandError(str(problem)) from problem
    sys.exit(code)
