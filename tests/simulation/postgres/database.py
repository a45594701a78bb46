"""PostgreSQL of the world: its runs, its set-backs and its operator."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from django.core.management import CommandError, call_command

from config.postgres.database_run import DatabaseRun, DatabaseWitness
from tables.store import database_witnesses, keys
from tables.workers import database_losses
from tests.simulation.laws.database_law import DatabaseLaw
from tests.simulation.postgres.copies import DatabaseKeeper
from tests.simulation.postgres.drawn import PROMOTED, RESTARTED, Server, SetBack, drawn
from tests.simulation.postgres.gate import OPERATOR, Gate

if TYPE_CHECKING:
    from tests.simulation.world import World

LOOKS_AGAIN_MS = 2_000
LONG = 1_000_000
"""Bytes of other work by which the log of a server that lacks rows may be longer."""


class Database:
    """PostgreSQL as its processes see it, in seeds in which it is set back; else it is untouched.

    Its rows are real, and so are the gate, the witnesses and the operator's command. Drawn are the
    name of its run and the position of its log, which one real server cannot set back.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.gate = Gate(world, lambda: self.run)
        self.law = DatabaseLaw(world)
        self.was_set_back = False
        self._plans = {step: drawn(chance) for step, chance in world.faults.on_database()}
        self._taken: dict[int, Server] = {}
        self._waits = random.Random(f"{world.seed} standby").random() < 0.5
        self._timeline = self._last_timeline = 1
        self._started = self._adopted = 1
        self._begun = self._missed_at = 0
        self._right: Server | None = None
        self._is_behind = self._is_closed = self._may_close = self._is_following = False
        self._is_missed = self._is_watched = False
        self._plan: SetBack | None = None

    @property
    def run(self) -> DatabaseRun:
        """Return the run of the server that answers."""
        position = self._begun + self.world.doors.statements
        return DatabaseRun("1", self._timeline, str(self._started), position, self._waits)

    @property
    def is_adopted(self) -> bool:
        """Return whether the run that answers is adopted."""
        return self._adopted == self._started or self._witness_of_run() is not None

    @property
    def is_settled(self) -> bool:
        """Return whether laws may compare rows: adopted, and Redis follows it after a loss."""
        return self.is_adopted and not (self._is_following and not self._has_followed())

    @contextmanager
    def installed(self, tables: list[str]) -> Iterator[None]:
        """Close the gate in all processes while the context lasts."""
        if not self.gate.is_closed:
            yield
            return
        self._keeper = DatabaseKeeper(tables)
        with ExitStack() as stack:
            stack.callback(self._keeper.close)
            stack.callback(self._disconnect)
            noted = self._noted(database_losses.go_on_above)
            for module, name, new in (
                *self.gate.patches(),
                (database_losses, "go_on_above", noted),
            ):
                stack.enter_context(patch.object(module, name, new))
            yield

    def used(self) -> None:
        """Note that a process uses the run that answers."""
        run = self.world.doors.run
        if self.gate.is_closed and run is not None and not (self.is_adopted or self._is_forgotten):
            self.law.used(run.what)

    def _noted(self, real: Callable[..., None]) -> Callable[..., None]:
        def go_on_above(*given: Any) -> None:
            self._is_closed = True
            real(*given)

        return go_on_above

    @property
    def _is_certain(self) -> bool:
        """Return whether no process remembers a later run than the one that answers.

        A settle worker that remembers nothing may adopt a run that others still doubt.
        """
        witness = database_witnesses.newest(*self.gate.witnesses())
        return witness is not None and witness.run == self.run.name

    @property
    def _is_forgotten(self) -> bool:
        """Return whether nobody remembers any run: the room believes what it finds."""
        return not self.gate.witnesses()

    @property
    def _is_doubted(self) -> bool:
        """Return whether the room refuses the run: Redis, set back, tells of another one."""
        return not (self._is_forgotten or self._is_certain)

    def redis_remembers(self, step: int) -> None:
        """Note that Redis is as it was at a step: it may know of a loss that nobody noticed."""
        self._is_missed |= step <= self._missed_at

    def _witness_of_run(self) -> DatabaseWitness | None:
        # Two runs have one number where Redis forgot an adoption that a process remembers.
        found = (one for one in self.gate.witnesses() if one.run == self.run.name)
        return database_witnesses.newest(*found)

    # ---- faults ----

    def strike(self) -> None:
        """Copy PostgreSQL when a later fault needs it, and apply the fault of this step."""
        step = self.world.steps
        for at, later in self._plans.items():
            if max(1, at - later.lag) == step and self.is_adopted:
                self._taken[at] = self._held()
        if (plan := self._plans.get(step)) is not None:
            self._strike(plan, self._taken.pop(step, None))

    def _strike(self, plan: SetBack, older: Server | None) -> None:
        was_adopted, is_certain = self.is_adopted, self._is_certain
        if not was_adopted:
            plan = plan._replace(kind=RESTARTED)
        self.world.faults.note(self.world.steps, plan.kind)
        self.world.say(f"*** {plan.kind}")
        self.world.counts[plan.kind] += 1
        if self._is_forgotten:
            older = None  # nobody could know that it lacks anything
        self.law.before_loss()
        kept = self._held() if was_adopted else None
        is_whole = plan.kind == RESTARTED or older is None
        is_whole |= plan.kind == PROMOTED and self._waits
        self._die()
        if older is not None and not is_whole:
            self._put_back(older, kept, plan)
        if plan.kind == PROMOTED:
            self._timeline = self._last_timeline = self._last_timeline + 1
        # A standby that nobody waited for is never believed, whatever it has. What made a run
        # doubtful that nobody adopted makes each later run on the same rows doubtful.
        is_doubtful = not is_whole or (plan.kind == PROMOTED and not self._waits)
        self._may_close = is_doubtful or self._is_missed or (self._may_close and not is_certain)
        self._is_closed = self._is_closed and not was_adopted
        self._plan, after_ms = plan, plan.looks_after_ms
        self.world.soon(after_ms, f"{OPERATOR} is looked after", lambda: self._operate(plan))

    def _put_back(self, older: Server, kept: Server | None, plan: SetBack) -> None:
        self._keeper.put_back(older.rows)
        self.was_set_back = True
        self._right = kept
        self._is_behind = kept is None or kept.rows != older.rows
        self._timeline = older.timeline
        self._begun = older.position + LONG * plan.is_long - self.world.doors.statements
        self.law.after_loss()

    def _held(self) -> Server:
        return Server(self._keeper.copy(), self._timeline, self.run.position)

    def _die(self) -> None:
        """End the server's run with all connections to it, in the middle of transactions, too."""
        self._keeper.cut_off()
        self._disconnect()
        self._started += 1

    def _disconnect(self) -> None:
        for one in self.world.doors.connections():
            if not one.in_atomic_block:
                one.close()

    # ---- the operator ----

    def _operate(self, plan: SetBack) -> None:
        """Bring the right server back, or accept the loss, once the run is not believed."""
        self._is_watched = False
        if self.is_adopted and not self._is_doubted:
            return
        again = f"{OPERATOR} is looked after again"
        self.world.soon(LOOKS_AGAIN_MS, again, lambda: self._operate(plan))
        if plan.has_right_server and self._right is not None:
            right, self._right = self._right, None
            self._bring_back(right)
            return
        said = StringIO()
        try:
            call_command("database_run", "--accept-loss", stdout=said)
        except CommandError as failed:
            self.world.say(f"the operator is told: {failed}")
        else:
            self.world.say(f"the operator is told: {said.getvalue().splitlines()[1:]}")

    def _watch(self) -> None:
        """Let the operator look once more after a run that was adopted and is not believed."""
        plan = self._plan
        if plan is None or self._is_watched or not self._is_doubted:
            return
        self._is_watched = True
        what = f"{OPERATOR} is looked after again"
        self.world.soon(LOOKS_AGAIN_MS, what, lambda: self._operate(plan))

    def _bring_back(self, right: Server) -> None:
        self.world.say("the right server comes back")
        self._die()
        self._keeper.put_back(right.rows)
        self._timeline = right.timeline
        self._is_behind = self._may_close = False
        self._begun = right.position - self.world.doors.statements
        self.law.is_whole_again()

    def look(self) -> Iterator[str]:
        """Yield the violations once the run that answers is adopted."""
        if not self.gate.is_closed:
            return
        yield from self.law.found()
        if self._adopted == self._started and not self._is_closed:
            self._watch()
            return
        witness = self._witness_of_run()
        if witness is None:
            return
        self._adopted, was_closed = self._started, self._is_closed
        self.world.say(f"postgresql is adopted as {witness.number}, closed: {was_closed}")
        yield from self.law.adopted(
            is_behind=self._is_behind,
            is_closed=was_closed,
            is_remembered=witness.number > 1,
            may_close=self._may_close,
        )
        self._is_closed = False
        if was_closed:
            self._is_missed = False
        elif self._is_behind:
            self._missed_at = self.world.steps
        self._is_following |= self._is_behind or was_closed
        self._is_behind, self._right = False, None

    def _has_followed(self) -> bool:
        """Return whether Redis was adopted since the loss, so that tables follow PostgreSQL."""
        [run] = self.world.line.ask(("GET", keys.run(0)))
        self._is_following = run != self.world.clock.run_id.encode()
        return not self._is_following
