"""Run what failed beside other tests once more, alone: `python -m tests.once_more [MOST]`.

Tests wait for real servers, browsers and clocks, and share few processors. A few that failed beside
others and pass alone were short of time; they are named, so that nobody takes them for steady.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MOST = 20
"""Failed tests of so many files of `make test` and `make rooms` together are asked again; more of
them are no matter of time. One fixture that fails is the failure of each test that asks for it.
"""


def failed(folder: Path) -> list[str]:
    """Return the names of the tests that failed in the last runs of a folder, sorted."""
    kept = folder / ".pytest_cache/v/cache/lastfailed"
    return sorted(json.loads(kept.read_text(encoding="utf-8"))) if kept.exists() else []


def say(line: str) -> None:
    """Write a line at once, before what a run in another process writes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(folder: Path, *options: str, most: int = MOST) -> int:
    """Run the failed tests of up to `most` files once more; return 0 if each passes, else 1."""
    names = failed(folder)
    files = {name.partition("::")[0] for name in names}
    if not 0 < len(files) <= most:
        say(f"failed tests of {len(files)} files to ask again; those of 1 to {most} are.")
        return 1
    say(f"== once more, alone: {len(names)} that failed beside others ==")
    asked = [sys.executable, "-m", "pytest", *options, *names]
    if subprocess.run(asked, cwd=folder, check=False).returncode:
        return 1
    for name in names:
        say(f"UNSTEADY: {name} failed beside others and passed alone.")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path.cwd(), most=int(sys.argv[1]) if sys.argv[1:] else MOST))
