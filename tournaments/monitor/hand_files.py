"""Finished hands of a tournament as files in a directory, one a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.db.models import QuerySet

from tables.history.exports import files
from tables.history.exports.rows import ROWS_AT_ONCE, all_exported
from tables.history.released import hands_of_game
from tables.models import Hand

PROGRESS_HANDS = 1_000


class DirectoryInUse(Exception):
    """Directory that holds files already: an export never adds to another one."""


def prepare(directory: Path) -> None:
    """Make an empty directory; raises OSError, and DirectoryInUse when it holds files."""
    directory.mkdir(parents=True, exist_ok=True)
    if any(directory.iterdir()):
        raise DirectoryInUse(f"{directory} is not empty.")


def write(
    tournament: int,
    directory: Path,
    form: str,
    *,
    all_cards: bool,
    progress: Callable[[int], None] = lambda hands: None,
) -> int:
    """Write the released hands into a prepared directory; return their number.

    Few rows are in memory at once. `progress` hears of every PROGRESS_HANDS. Raises OSError.
    """
    rows = hands_of_game("tournament", tournament)
    return write_rows(rows, directory, form, all_cards=all_cards, progress=progress)


def write_rows(
    rows: QuerySet[Hand],
    directory: Path,
    form: str,
    *,
    all_cards: bool,
    progress: Callable[[int], None] = lambda hands: None,
) -> int:
    """Write these hands, sorted by table, as `write` does."""
    hands = all_exported(rows.iterator(chunk_size=ROWS_AT_ONCE), None, all_cards=all_cards)
    total = 0
    for total in files.write_files(hands, directory, form):
        if total % PROGRESS_HANDS == 0:
            progress(total)
    return total
