"""Files of the project, as the style tests read them."""

from __future__ import annotations

import subprocess
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent.parent
FOREIGN = ("vendor", "node_modules", "corpus")


def files(*suffixes: str) -> list[Path]:
    """Return the project's files with these endings, without libraries and data of others."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=HOME, capture_output=True, check=True, text=True,
    )  # fmt: skip
    paths = [HOME / name for name in listed.stdout.split("\0") if name]
    return [
        path
        for path in sorted(paths)
        if path.suffix in suffixes and path.is_file() and not set(FOREIGN) & set(path.parts)
    ]


def modules() -> list[Path]:
    """Return Python modules except migrations, which Django writes."""
    return [path for path in files(".py") if "migrations" not in path.parts]


def name(path: Path) -> str:
    """Return the path relative to the project."""
    return str(path.relative_to(HOME))
