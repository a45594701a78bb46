"""End of a world: no tournament and no ring game is played, every event is published."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tables.models import Hand, Table
from tables.ring.models import JackpotWin, RingSession
from tables.ring.money import DIRECTOR as RING
from tables.ring.money import RAPID
from tables.store import fenced
from tests.simulation.people.operators import MINUTE, OPERATOR
from tournaments.models import Announcement, Deal, Entry, Move, Offer, Ticket, Tournament
from tournaments.models.tournament import is_over

if TYPE_CHECKING:
    from tests.simulation.world import World

_ROUTINE = (MINUTE, OPERATOR)
ASKS_AGAIN_MS = 5_000


class Ending:
    """Detection of the end of a world, and of the reason why a world does not end."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._asked_ms: dict[int, int] = {}
        self._live: list[tuple[int, str, str]] | None = None

    def forget(self) -> None:
        """Mark live tournaments as unknown after a use of PostgreSQL."""
        self._live = None

    def is_over(self) -> bool:
        """Return whether only the clock is left to wait for; cancels tournaments that still wait
        for players.
        """
        world = self.world
        if not world.database.is_adopted:
            return False
        if any(what not in _ROUTINE for _, _, what, _ in world.queue):
            return False
        if world.laws.lives and not world.is_calm:
            return False
        live = self._live_tournaments()
        if world.laws.lives and not _idle(live):
            return False
        for pk, _, _ in live:
            if world.now_ms - self._asked_ms.get(pk, -ASKS_AGAIN_MS) >= ASKS_AGAIN_MS:
                self._asked_ms[pk] = world.now_ms  # an operator's browser may also die
                world.operators.close(pk)
                return False
        if world.laws.lives or live or self._plays_ring() or self._has_to_tell():
            return False
        # Nobody sees a table of a Redis that is not adopted: viewers could not catch up at the end.
        return world.disasters.is_adopted

    def stuck(self) -> str:
        """Tournaments and tables still alive when the time of the world is over."""
        open_tables = Table.objects.filter(status=Table.Status.OPEN).values_list("pk", flat=True)
        phases = {
            pk: getattr(fenced.peek(self.world.aside, pk), "phase", None) for pk in open_tables
        }
        states = list(Tournament.objects.values_list("pk", "state"))
        return f"after {self.world.steps} steps tournaments are {states}, tables {phases}"

    def counted(self) -> Counter[str]:
        """Figures of the world: tournaments by format, and actions of players."""
        formats = Tournament.objects.filter(state="finished").values_list("format", flat=True)
        purchases = RingSession.objects.values_list("purchases", flat=True)
        return Counter(formats) + Counter(
            {
                "tournaments": Tournament.objects.count(),
                "hands": Hand.objects.count(),
                "moves": Move.objects.filter(state=Move.State.SEATED).count(),
                "deals agreed": Deal.objects.filter(state=Deal.State.AGREED).count(),
                "entries merged": Entry.objects.filter(state=Entry.State.MERGED).count(),
                "paid with a ticket": Entry.objects.exclude(ticket=None).count(),
                "tickets won": Ticket.objects.exclude(won_in=None).count(),
                "from templates": Tournament.objects.exclude(template=None).count(),
                "ring sessions": RingSession.objects.count(),
                "ring hands": Hand.objects.filter(table__director=RING).count(),
                "rapid hands": Hand.objects.filter(table__director=RAPID).count(),
                "ring top-ups": sum(max(0, n - 1) for n in purchases),
                "jackpots won": JackpotWin.objects.count(),
                "chips bought": Offer.objects.filter(state=Offer.State.DONE).count(),
            }
        )

    def _live_tournaments(self) -> list[tuple[int, str, str]]:
        """Number, state and start of each unfinished tournament; read again after any use of
        PostgreSQL.
        """
        if self._live is None:
            with self.world.doors.aside():
                rows = Tournament.objects.exclude(is_over()).order_by("pk")
                self._live = list(rows.values_list("pk", "state", "start"))
        return self._live

    def _plays_ring(self) -> bool:
        """Return whether players sit in ring games, also while Redis knows no table of theirs.

        One table of a pool lets all its players leave, the others close at their next boundary.
        """
        with self.world.doors.aside():
            seated = RingSession.objects.exclude(state=RingSession.State.LEFT)
            tables = Table.objects.filter(director=RAPID, status=Table.Status.OPEN)
            return seated.exists() or tables.exists()

    def _has_to_tell(self) -> bool:
        """Return whether announcements wait for the room's schedule to publish them."""
        with self.world.doors.aside():
            return Announcement.objects.filter(published=False).exists()


def _idle(live: list[tuple[int, str, str]]) -> bool:
    """Return whether all live tournaments wait for players who will not come rather than for a
    time.
    """
    return bool(live) and all(
        state == "registering" and start == "sit_and_go" for _, state, start in live
    )
