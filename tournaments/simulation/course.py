"""The run of a simulated tournament: one event after the other, on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random

from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS
from tournaments.engine import bubble, levels, seating
from tournaments.engine.bubble import Bubble
from tournaments.engine.entries import TournamentProgress
from tournaments.engine.formats import shootout_rounds
from tournaments.engine.levels import Clock, CurrentLevel, Mark
from tournaments.engine.lot import shuffled
from tournaments.simulation import boundary, buying, hands, merges, paying, players
from tournaments.simulation.checks import check_running, validate_end
from tournaments.simulation.field import Field, SimulatedEntry, SimulatedTable
from tournaments.simulation.money import Money
from tournaments.simulation.options import SimulationOptions

LOOKS_PER_TABLE_MAX = 100
"""Most polls of a table in vain while no other event is due."""

HANDS_IDLE_MAX = 100_000
"""Most hands in a row without a knock-out; a higher count is an endless tournament."""

LATE_EVERY_MS = 20_000
CHECKED_ENTRIES_MAX = 200
"""Most entries for a check of every step; larger fields are checked at the end alone."""


class SimulationRun:
    """The state of one simulated tournament, and the queue of its next events."""

    def __init__(self, options: SimulationOptions, seed: int) -> None:
        self.options = options
        self.lot = Random(seed)  # nosec B311
        self.field = Field()
        self.money = Money(options)
        self.structure = options.levels()
        self.clock = Clock(started_ms=0)
        self.mark: Mark = levels.START
        self.now_ms = 0
        self.queue: list[tuple[int, int, Callable[[], None]]] = []
        self.queued = 0
        self._is_over = False
        self.stopping = False
        self.hand_for_hand = False
        self.round = 0
        self.round_open = False
        self.final_table = False
        self.stage = 1
        self.stages = 1
        self.stage_hands = 0
        self.somebody_out = False
        self.late_left = options.late_players
        self.nobodys: list[int] = []
        self.add_on_asked = False
        self.deals_tried = 0
        self.left_with_stack = 0
        self.actions = 0
        self.told: list[str] = []
        self.due = 0
        self.looks_idle = 0
        self.hands_idle = 0

    # State

    def is_over(self) -> bool:
        """Return whether it has ended; a method, because any event may end it."""
        return self._is_over

    @property
    def elapsed_ms(self) -> int:
        """Time in ms by the tournament's own clock."""
        return levels.elapsed_ms(self.clock, self.now_ms)

    def level(self) -> CurrentLevel:
        """Return the running level or break (L-01)."""
        tables = self.field.tables.values()
        played = levels.hands_played(
            closed=max((t.hand for t in tables if not t.is_open), default=0),
            still_open=max((t.hand for t in tables if t.is_open), default=0),
            gathered=self.final_table,
        )
        hands_now = max(played - self.stage_hands, self.mark.hands)
        now = levels.position(self.structure, self.elapsed_ms, hands_now, self.mark)
        self.mark = now.began
        # A break that falls into hand-for-hand ends by time alone (L-05, T-09).
        holding = self.hand_for_hand
        self.clock = bubble.paced(self.clock, self.now_ms, holding=holding, on_break=now.is_break)
        return now

    def standing(self) -> TournamentProgress:
        """Return the progress for the rules of buying."""
        return TournamentProgress(
            level=self.level().number,
            elapsed_ms=self.elapsed_ms,
            left=self.field.left,
            somebody_out=self.somebody_out,
            hand_for_hand=self.hand_for_hand,
        )

    @property
    def bubble(self) -> Bubble:
        """Return the settings of hand-for-hand."""
        options = self.options
        return Bubble(options.bubble_places, options.bubble_final, options.bubble_charge_ms)

    # Events

    def later(self, in_ms: int, act: Callable[[], None]) -> None:
        """Queue an event in `in_ms` ms that makes progress."""

        def do() -> None:
            self.due -= 1
            act()

        self.due += 1
        self._queue(in_ms, do)

    def run(self) -> None:
        """Play from the draw of seats to the last prize; asserts progress (L-05).

        The number of events is not limited, only the number without progress: polls of tables while
        no hand, offer or late player is due, and hands without a knock-out.
        """
        self.start()
        while not self.is_over():
            assert self.queue, "a running tournament has a next event"
            self.now_ms, _, act = heappop(self.queue)
            act()
            self.looks_idle = 0 if self.due else self.looks_idle + 1
            most = LOOKS_PER_TABLE_MAX * (len(self.field.open_tables) + 1) if self.looks_idle else 1
            assert self.looks_idle < most, "every table waits and no other event is due"
            assert self.hands_idle < HANDS_IDLE_MAX, (
                f"no knock-out in {HANDS_IDLE_MAX} hands: the stacks are too deep for the levels"
            )
        validate_end(self)

    def start(self) -> None:
        """Seat registered players by lot; fix the pool if nothing is sold later (T-14)."""
        options = self.options
        for user in range(options.players):
            self.enter(user)
            if options.several_at_once and self.lot.randrange(4) == 0:
                self.enter(user)
        if options.format_rules.has_rounds:
            self.stages = shootout_rounds(options.players, options.seats_per_table)
        if not options.sells:
            self.money.fix(len(self.field.entries), self.lot)
        self.seat_all()
        for number in range(self.late_left):
            self.later(LATE_EVERY_MS * (number + 1), lambda: buying.come_late(self))

    def enter(self, user: int) -> SimulatedEntry:
        """Pay for one more entry; it has no seat yet."""
        options = self.options
        number = len(self.field.entries) + 1
        entry = SimulatedEntry(
            number=number,
            user=user,
            is_pro=user % 100 < options.pros_percent,
            chips=options.starting_stack,
            bought=options.starting_stack,
            paid_pool=options.buy_in,
            paid_fee=options.fee,
            paid_bounty=options.bounty,
            head=options.bounty,
        )
        self.field.entries[number] = entry
        self.money.enter(entry)
        return entry

    def seat_all(self) -> None:
        """Draw seats for all entries in play at the fewest new tables (T-14, F-04)."""
        options = self.options
        drawn = seating.draw(
            [entry.number for entry in self.field.in_play()], options.seats_per_table, self.lot
        )
        for seats in drawn:
            table = self.field.open(seats, options.seats_per_table)
            self.look_at(table, self.lot.randrange(1_000))
        merges.part_own_entries(self)

    def look_at(self, table: SimulatedTable, in_ms: int = 0) -> None:
        """Queue a table's next poll between two hands."""
        self._queue(in_ms, lambda: boundary.visit_table(self, table))

    def deck(self, table: SimulatedTable) -> tuple[str, ...]:
        """Return the shuffled deck of a table's next hand."""
        return tuple(shuffled(VARIANTS[self.options.variant].deck, self.lot))

    def play_hand(self, setup: HandSetup, table: SimulatedTable) -> tuple[HandState, int]:
        """Play a hand from the deal to its end; return its last state and number of actions."""
        return players.play(setup, self.lot)

    def play(self, table: SimulatedTable) -> None:
        """Deal the table's next hand, to be settled after the players' thinking time."""
        lasts_ms = hands.deal(self, table)
        self.later(lasts_ms, lambda: hands.settle(self, table))

    def _queue(self, in_ms: int, act: Callable[[], None]) -> None:
        self.queued += 1
        heappush(self.queue, (self.now_ms + in_ms, self.queued, act))

    def follow_up(self) -> None:
        """Check after a change of the field for closed buying, places, and the end (E-07, T-07)."""
        if self.is_over():
            return
        if len(self.field.entries) <= CHECKED_ENTRIES_MAX:
            check_running(self)
        buying.close_when_done(self)
        options = self.options
        if options.format_rules.has_rounds and self.stage < self.stages:
            return
        if paying.is_over(options, self.money, self.field):
            self.finish(lambda: paying.end(options, self.money, self.field))
            return
        if self.money.pool is not None and not self.hand_for_hand and not self._undecided():
            paying.place(options, self.money, self.field, pay=not options.format_rules.half_wins)
            self._begin_hand_for_hand()

    def finish(self, pay: Callable[[], object]) -> None:
        """Finish: pay unpaid prizes and heads, close all tables (N-07).

        `pay` returns whether it refunded everything instead, unclaimed heads included.
        """
        live = sorted(self.field.in_play(), key=lambda entry: (-entry.chips, entry.number))
        if pay():
            self.nobodys = []
        self.money.end_bounties(live, self.nobodys)
        self._is_over = True

    def next_round(self) -> None:
        """End a hand-for-hand round with no hand in play: charge, place, open the next (T-09)."""
        if self.round_open:
            paying.place(self.options, self.money, self.field)
            self.clock = bubble.charged(self.clock, self.bubble, self.level())
        if self._wants_hand_for_hand():
            self.round += 1
            self.round_open = True
        else:
            self.hand_for_hand = self.round_open = False
            self.level()

    def _begin_hand_for_hand(self) -> None:
        if not self.hand_for_hand and self._wants_hand_for_hand():
            self.hand_for_hand, self.round_open = True, False
            self.level()

    def _wants_hand_for_hand(self) -> bool:
        rules = self.options.format_rules
        if rules.has_rounds or rules.half_wins or self.options.cash_value:
            return False
        return bubble.holds(
            self.bubble,
            left=self.field.left,
            paid=sum(1 for prize in self.money.prizes if prize),
            seats=self.options.seats_per_table,
        )

    def _undecided(self) -> bool:
        return any(entry.state == "pending" for entry in self.field.entries.values())
