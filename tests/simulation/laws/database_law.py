"""Law of PostgreSQL: no run is used before its adoption, no told number is told otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tables.models import Table
from tournaments.events import outbox
from tournaments.models import Announcement, StreamHead

if TYPE_CHECKING:
    from tests.simulation.world import World

Number = tuple[str, int]
"""Stream of facts, and the number of an event on it."""

_FACTS = (f"{outbox.LOBBY}:", "tournament:", "user:")


class DatabaseLaw:
    """Memory of what was told by numbers of PostgreSQL, and of what a run that lost rows has."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._told: dict[Number, bytes] = {}
        self._hands: dict[int, int] = {}
        self._found: list[str] = []
        self._seen = 0
        self._has_redis_lost = False

    def used(self, what: str) -> None:
        """Note that a task used a run that is not adopted."""
        self._found.append(f"{what} used a PostgreSQL that nobody adopted")

    def found(self) -> Iterator[str]:
        """Yield the violations noted since the last call."""
        found, self._found = self._found, []
        yield from found

    def doubt(self) -> None:
        """Note that Redis lost data: what it told before is nobody's witness any more."""
        self._has_redis_lost = True

    def before_loss(self) -> None:
        """Remember what is told, before rows of it may be gone."""
        with self.world.doors.beside():
            rows = Announcement.objects.filter(published=True)
            for stream, seq, payload in rows.values_list("stream", "seq", "payload"):
                self._told.setdefault((stream, seq), bytes(payload))
        line = self.world.line
        names = [name for name in sorted(line.ask(("KEYS", "*:events"))[0]) if _of_facts(name)]
        for name, entries in zip(
            names, line.ask(*(("XRANGE", name, "-", "+") for name in names)), strict=True
        ):
            for entry, (_, raw) in entries:
                number = (_stream(name), int(entry.decode().partition("-")[2]))
                self._told.setdefault(number, b"{" + raw[len(b'{"id":"",') + len(entry) :])

    def after_loss(self) -> None:
        """Read what is left in the run that comes back."""
        self._seen = 0
        with self.world.doors.beside():
            self._hands = dict(Table.objects.values_list("pk", "hand"))

    def is_whole_again(self) -> None:
        """Read all again: the right server has come back."""
        self._seen = 0

    def look(self) -> Iterator[str]:
        """Yield the numbers that stand for another event than the one that was told."""
        if not self._told:
            return
        rows = Announcement.objects.filter(pk__gt=self._seen).order_by("pk")
        for pk, stream, seq, payload in rows.values_list("pk", "stream", "seq", "payload"):
            self._seen = pk
            if self._told.get((stream, seq), bytes(payload)) != bytes(payload):
                yield f"event {seq} of {stream} was told, and another one has its number"

    def adopted(
        self, *, is_behind: bool, is_closed: bool, is_remembered: bool, may_close: bool
    ) -> Iterator[str]:
        """Yield the violations of the adoption of a run; forget what it lost.

        Nobody could notice a loss that no witness remembers, or that Redis has lost as well.
        """
        if is_closed:
            self.world.disasters.kept = None
            if not is_behind and not may_close:
                yield "hands are void although PostgreSQL came back with all that was told"
        if not is_behind:
            return
        self.world.disasters.kept = None
        with self.world.doors.beside():
            if not is_closed:
                if is_remembered and not self._has_redis_lost:
                    yield from self._lacking()
                heads = dict(StreamHead.objects.values_list("stream", "seq"))
                self._told = {
                    (stream, seq): payload
                    for (stream, seq), payload in self._told.items()
                    if seq <= heads.get(stream, 0)
                }
            self.world.laws.set_back(self._hands if is_closed else None)
        self._has_redis_lost = False

    def _lacking(self) -> Iterator[str]:
        """Yield what was told and is not in the run that was adopted as a whole one."""
        heads = dict(StreamHead.objects.values_list("stream", "seq"))
        for stream, seq in self._told:
            if seq > heads.get(stream, 0):
                yield f"PostgreSQL is adopted without event {seq} of {stream}, which was told"
        for one in self.world.laws.tables.values():
            if not one.is_sound or one.before is None:
                continue
            if one.settled > self._hands.get(one.table, -1):
                yield f"PostgreSQL is adopted without hand {one.settled} of table {one.table}"


def _of_facts(key: bytes) -> bool:
    return f"{_stream(key)}:".startswith(_FACTS)


def _stream(key: bytes) -> str:
    """Return the stream of a key `{SHARD}:STREAM:events`."""
    return key.decode().partition("}:")[2].removesuffix(":events")
