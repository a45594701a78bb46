"""State of a simulated tournament, and the events that its parts cause, below these parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from heapq import heappush
from random import Random

from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS
from tournaments.engine import bubble, levels
from tournaments.engine.bubble import Bubble
from tournaments.engine.entries import TournamentProgress
from tournaments.engine.levels import Clock, CurrentLevel, Mark
from tournaments.engine.lot import shuffled
from tournaments.simulation import paying, players
from tournaments.simulation.field import Field, SimulatedEntry, SimulatedTable
from tournaments.simulation.money import Money
from tournaments.simulation.options import SimulationOptions


class SimulationState(ABC):
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

    # Questions

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

    @abstractmethod
    def seat_all(self) -> None:
        """Draw seats for all entries in play at new tables."""

    @abstractmethod
    def look_at(self, table: SimulatedTable, in_ms: int = 0) -> None:
        """Queue a table's next poll between two hands."""

    @abstractmethod
    def play(self, table: SimulatedTable) -> None:
        """Deal the table's next hand, to be settled after the players' thinking time."""

    @abstractmethod
    def follow_up(self) -> None:
        """React to a change of the field."""

    def later(self, in_ms: int, act: Callable[[], None]) -> None:
        """Queue an event in `in_ms` ms that makes progress."""

        def do() -> None:
            self.due -= 1
            act()

        self.due += 1
        self._queue(in_ms, do)

    def _queue(self, in_ms: int, act: Callable[[], None]) -> None:
        self.queued += 1
        heappush(self.queue, (self.now_ms + in_ms, self.queued, act))

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

    def deck(self, table: SimulatedTable) -> tuple[str, ...]:
        """Return the shuffled deck of a table's next hand."""
        return tuple(shuffled(VARIANTS[self.options.variant].deck, self.lot))

    def play_hand(self, setup: HandSetup, table: SimulatedTable) -> tuple[HandState, int]:
        """Play a hand from the deal to its end; return its last state and number of actions."""
        return players.play(setup, self.lot)

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

    def begin_hand_for_hand(self) -> None:
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
            paid=self.money.bubble_at,
            seats=self.options.seats_per_table,
        )
