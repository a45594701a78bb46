"""Opens a room for a command of manage.py: chooses its ports, plays in it, and ends the process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn

from django.core.management.base import CommandError

from config.cluster import layout as layouts
from config.cluster.__main__ import go_on, go_on_in
from config.cluster.layout import PortTaken
from config.cluster.lock import InUse
from config.cluster.room import Interrupted, Options, Room
from config.cluster.terminal import Terminal
from config.embedded.binaries import ServerMissing
from config.embedded.program import NotReady

INTERRUPTED = 130


def play_in_room(
    command: str,
    options: Options,
    play: Callable[[Room], int],
    *,
    interrupted: int = INTERRUPTED,
) -> NoReturn:
    """Exit with what `play` answers once the room is open, or with `interrupted`.

    The process first replaces itself by one that has the room's addresses in its environment, and
    again when a port was taken meanwhile. Raises CommandError when the room cannot be opened.
    """
    if layouts.PORTS not in os.environ:
        go_on(sys.argv[2:], command)
    room = Room(layouts.given(os.environ), options, Terminal(sys.stdout))
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
