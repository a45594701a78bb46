"""Worker of the room's Celery app, with a task that lasts as long as its test wants.

`python -m tests.config.process.held_worker PLACE`: the task notes its number in `PLACE/begun` and
ends when `PLACE/go` has it, too.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from config.celery import SETTLE, app

TASK = "tests.held"
QUEUE = SETTLE


def main(place: Path) -> None:
    """Work until killed."""

    @app.task(name=TASK)
    def held(number: int) -> None:
        (place / "begun").write_text(str(number))
        while (place / "go").read_text() != str(number):
            time.sleep(0.01)

    app.worker_main(["worker", "-P", "solo", "-Q", QUEUE, "--without-gossip", "--without-mingle"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
