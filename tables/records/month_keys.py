"""Keys of finished hands by month, in one file: each makes the next one, so old ones can go.

Who burns a month takes its key out of the file: the key of a later month never makes an earlier
one. Rooms on several machines need no other file for a new month.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import structlog

from config import entropy, environment, limits
from config.environment import KeyFileMissing
from tables.fairness import boxes
from tables.fairness.boxes import KEY_SIZE, BoxKey
from tables.fairness.encoding import tag
from tables.fairness.sampling import expand

log = structlog.get_logger(__name__)

_LINE = re.compile(r"(\d{4})-(0[1-9]|1[0-2]) ([0-9a-f]{64})")
_DAY_MS = 24 * 3_600_000

Month = int
"""Month of UTC, counted from the year 0."""


class NoMonthKey(Exception):
    """This process does not hold the key that a finished hand is boxed with; nothing is changed."""


class BurntMonth(NoMonthKey):
    """The key of a month was deleted: nobody opens its boxes any more."""


class MonthKeys:
    """Keys of one kind for finished hands, empty until they are loaded.

    A file that changes is read again within a second: a process that runs forgets burnt months.
    """

    def __init__(self, name: str, purpose: str, variable: str, path: Callable[[], Path]) -> None:
        self.name, self.variable, self.path = name, variable, path
        self._purpose = purpose
        self._begins: dict[Month, bytes] = {}
        self._source: Path | None = None
        self._ready: dict[Month, tuple[bytes, BoxKey]] = {}
        self._file = (0, 0)
        self._looked_s = 0.0

    @property
    def are_held(self) -> bool:
        """True in a process that was given these keys."""
        return bool(self._begins)

    @property
    def first(self) -> Month:
        """Return the first month with a key; raises NoMonthKey."""
        if not self._begins:
            raise NoMonthKey(f"this process holds no {self.name}")
        return min(self._begins)

    def load_file(self, path: Path | None = None) -> None:
        """Read the keys from environment or file, or from the file of another room at `path`.

        Raises KeyFileMissing, changing nothing.
        """
        given = "" if path else os.environ.get(self.variable, "")
        source = path or self.path()
        # Before the text: a change while it is read is seen at the next look.
        stamp = _stamp(source)
        found = _parsed(given, f"The {self.name}") if given else read(source, self.name)
        self._begins, self._ready, self._source = found, {}, None if given else source
        self._file, self._looked_s = stamp, time.monotonic()

    def drop(self) -> None:
        """Forget the keys, as a process without them."""
        self._begins, self._ready, self._source = {}, {}, None

    def of(self, month: Month) -> tuple[bytes, BoxKey]:
        """Return name and key of a month, ready for use; raises NoMonthKey, BurntMonth."""
        self._look()
        ready = self._ready.get(month)
        if ready is None:
            key = key_in(self._begins, month) if month >= self.first else None
            if key is None:
                raise BurntMonth(f"the {self.name} of {text_of(month)} was deleted")
            ready = boxes.name_of(key), boxes.derived(key, self._purpose, b"")
            self._ready[month] = ready
        return ready

    def named(self, month: Month, name: bytes) -> BoxKey:
        """Return the key of a month if it has this name; raises NoMonthKey, BurntMonth."""
        own, key = self.of(month)
        if own != name:
            raise NoMonthKey(
                f"The {self.name} of {text_of(month)} here is {own.hex()}, but hands are boxed with"
                f" {name.hex()}: put the right file at {self.path()}."
            )
        return key

    def _look(self) -> None:
        """Read a file again that was changed; one that cannot be read changes nothing."""
        now_s = time.monotonic()
        if self._source is None or (now_s - self._looked_s) * 1_000 < limits.KEY_FILES_READ_MS:
            return
        self._looked_s = now_s
        if _stamp(self._source) == self._file:
            return
        try:
            self.load_file(self._source)
        except KeyFileMissing as missing:
            log.error("keys of months not read again", error=str(missing))


record_keys = MonthKeys("record key", "record", "RECORD_KEY", environment.record_key_file)
"""Keys that open finished hands whole: of settle workers, and of web where the room says so."""

own_keys = MonthKeys("own key", "own", "OWN_KEY", environment.own_key_file)
"""Keys of the cards that players of finished hands may know: of settle workers and web."""


def month_of(at_ms: int) -> Month:
    """Return the month of a time in ms."""
    moment = datetime.fromtimestamp(at_ms / 1_000, UTC)
    return moment.year * 12 + moment.month - 1


def text_of(month: Month) -> str:
    """Return a month as it is written: 2026-11."""
    return f"{month // 12:04}-{month % 12 + 1:02}"


def key_in(begins: dict[Month, bytes], month: Month) -> bytes | None:
    """Return the key of a month from the ones that a file has; None for an earlier month."""
    start = max((begun for begun in begins if begun <= month), default=None)
    if start is None:
        return None
    key = begins[start]
    for _ in range(start, month):
        key = expand(key, tag("nextmonth"), KEY_SIZE)
    return key


def read(path: Path, name: str) -> dict[Month, bytes]:
    """Return the keys in a file by the month from which each is used; raises KeyFileMissing."""
    return _parsed(environment.key_text(path, name), f"The {name} in {path}")


def _parsed(text: str, what: str) -> dict[Month, bytes]:
    found: dict[Month, bytes] = {}
    for number, line in enumerate(text.replace(";", "\n").split("\n"), start=1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise KeyFileMissing(
                f"{what} is cut short or damaged: line {number} is not a month and 64 hexadecimal"
                " digits. Restore it from its backup."
            )
        found[int(match[1]) * 12 + int(match[2]) - 1] = bytes.fromhex(match[3])
    if not found:
        raise KeyFileMissing(f"{what} is empty: restore it from its backup.")
    return found


def make(path: Path, month: Month) -> None:
    """Make a file with a fresh key from a month on, unless it is there (mode 0600)."""
    environment.kept_secret(path, lambda: _text({month: entropy.key()}))


def renew(path: Path, name: str, month: Month) -> None:
    """Add a fresh key from a month on; raises KeyFileMissing."""
    _write(path, read(path, name) | {month: entropy.key()})


def burn(path: Path, name: str, kept_from: Month) -> bool:
    """Delete the keys of the months before one; False when there is none. Raises KeyFileMissing."""
    begins = read(path, name)
    if min(begins) >= kept_from:
        return False
    key = key_in(begins, kept_from)
    assert key is not None, "a month after the first has a key"
    later = {month: one for month, one in begins.items() if month > kept_from}
    _write(path, {kept_from: key, **later})
    return True


def months_before(path: Path, name: str, kept_from: Month) -> list[Month]:
    """Return the months before one whose keys a file still has; raises KeyFileMissing."""
    return list(range(min(read(path, name)), kept_from))


def first_day(month: Month) -> date:
    """Return the first day of a month."""
    return date(month // 12, month % 12 + 1, 1)


def first_kept(now_ms: int, days: int) -> Month:
    """Return the first month that is not wholly older than so many days."""
    return month_of(now_ms - days * _DAY_MS)


def _text(begins: dict[Month, bytes]) -> str:
    return "".join(f"{text_of(month)} {begins[month].hex()}\n" for month in sorted(begins))


def _write(path: Path, begins: dict[Month, bytes]) -> None:
    made = path.with_name(f"{path.name}.{os.getpid()}.new")
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(_text(begins))
        file.flush()
        os.fsync(file.fileno())
    os.replace(made, path)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_ino)
