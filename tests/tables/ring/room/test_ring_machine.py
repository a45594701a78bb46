"""Random sequences of buy-ins, hands, top-ups, leaves and crashes lose no cent of a ring table.

Every step may break off before its transaction is committed, or be taken twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import F, Max, Sum
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as some
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from redis import Redis

from accounts.ledger import transfers
from accounts.ledger.proof import balance_proof
from accounts.models import Account, Posting
from accounts.users import bots
from config import redis as doors
from config.refusals import Refusal
from tables.dealer import record
from tables.models import Seat, Table
from tables.ring import money
from tables.ring.models import Jackpot, RingSession, WaitingPlayer
from tables.ring.monitor import audit
from tables.ring.sessions import choices, leaving, sit_down, top_up, waiting_list
from tables.workers import settle
from tests.tables.ring.room.ring_table import RingArena, open_ring, presets

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = 6
HOW = some.sampled_from(("once", "once", "twice", "crash"))
WHO = some.integers(0, PLAYERS - 1)
AMOUNT = some.sampled_from((1, 999, 1_000, 1_000, 2_345, 5_000, 5_001))

SEEDS = range(1, 7)
"""Seeds of the runs, played until every kind of step has occurred."""

KINDS = {"settled", "crash", "sit", "leave", "top_up", "settled twice", "bust", "rake", "fed"}
"""Steps without which the runs prove little."""

SEEN: Counter[str] = Counter()
"""Number of times each step took effect, over all runs."""


class Died(Exception):
    """End of a process before its transaction is committed."""


class RingLife(RuleBasedStateMachine):
    """One ring game of up to two tables."""

    @initialize(
        number=some.integers(0, 99), tables=some.integers(1, 2), sitting=some.integers(3, 4)
    )
    def open(self, number: int, tables: int, sitting: int) -> None:
        """Open a game with rake, straddle and all jackpots; some players sit down."""
        doors.room().flushall()
        self.players = bots.create(PLAYERS)
        game = open_ring(straddle=True, rake_table=presets(), tables_max=tables)
        game.jackpots.set(Jackpot.objects.all())
        self.pk = game.pk
        self.arena = RingArena(game.pk, number)
        for player in self.players[:sitting]:
            sit_down.sit(player, self.pk, amount=1_000)

    @rule(who=WHO, amount=AMOUNT, how=HOW)
    def sit(self, who: int, amount: int, how: str) -> None:
        """Buy in at the fullest table."""
        self._do("sit", how, lambda: sit_down.sit(self.players[who], self.pk, amount=amount))

    @rule(who=WHO, amount=AMOUNT, how=HOW)
    def add(self, who: int, amount: int, how: str) -> None:
        """Top up, or re-buy."""
        player, session = self.players[who], self._session(who)
        self._do("top_up", how, lambda: top_up.top_up(player, session, amount))

    @rule(who=WHO, how=HOW)
    def leave(self, who: int, how: str) -> None:
        """Leave at the next boundary."""
        player, session = self.players[who], self._session(who)
        self._do("leave", how, lambda: leaving.leave(player, session))

    @rule(who=WHO, on=some.booleans())
    def choose(self, who: int, on: bool) -> None:
        """Set straddle, posting and the automatic top-up."""
        player, session = self.players[who], self._session(who)
        self._do("choice", "once", lambda: choices.set_straddle(player, session, on))
        self._do("choice", "once", lambda: choices.set_posting(player, session, True))
        self._do("choice", "once", lambda: top_up.set_auto(player, session, on))

    @rule(who=WHO, how=HOW)
    def wait(self, who: int, how: str) -> None:
        """Wait for a seat, or take the one that is offered."""
        player = self.players[who]
        offer = WaitingPlayer.objects.filter(user=player, game=self.pk).first()
        if offer is None:
            self._do("wait", how, lambda: waiting_list.join(player, self.pk))
        else:
            self._do("take", how, lambda: waiting_list.take(player, offer.pk, 1_500))

    @rule(who=WHO, away=some.booleans())
    def be_absent(self, who: int, away: bool) -> None:
        """Sit out, or come back."""
        rows = RingSession.objects.filter(pk=self._session(who))
        Seat.objects.filter(entry=self._session(who)).update(absent=away)
        if away:
            rows.update(absent_since=F("began_at") - timedelta(days=1))

    @rule(hands=some.integers(4, 20), how=HOW)
    def play(self, hands: int, how: str) -> None:
        """Advance tables; the last step may happen twice or not at all."""
        for _ in range(hands):
            if self._step("twice" if how == "twice" else "once") == "players":
                break
        self._step(how)

    @rule()
    def rebuy_times_end(self) -> None:
        """Let the clocks of empty stacks run out."""
        rows = RingSession.objects.filter(game=self.pk, rebuy_until__isnull=False)
        for row in rows:
            row.rebuy_until = row.began_at
            row.save(update_fields=["rebuy_until"])

    @invariant()
    def money_adds_up(self) -> None:
        """Assert the law of every ring table, and that all money is from the bank."""
        assert audit.violations() == []
        assert transfers.total() == 0

    def teardown(self) -> None:
        """Let everybody leave; the table is empty, and the stacks are paid once."""
        if not hasattr(self, "pk"):
            return
        live = RingSession.objects.filter(game=self.pk).exclude(state="left")
        for session in live.select_related("user"):
            leaving.leave(session.user, session.pk)
        for _ in range(60):
            if not live.exists():
                break
            self._step("once")
        assert not live.exists()
        assert not Seat.objects.filter(table__in=self._tables()).exists()
        assert [transfers.balance(money.chips_account(table)) for table in self._tables()] == [
            0 for _ in self._tables()
        ]
        self.money_adds_up()
        rake = sum(
            RingSession.objects.filter(game=self.pk).values_list("rake_paid", flat=True), start=0
        )
        booked = Posting.objects.filter(
            transfer__kind=money.RAKE, account__kind="ring", account__ref__in=self._refs()
        ).aggregate(sum=Sum("amount", default=0))
        assert rake == -booked["sum"], "the rake of players is the rake of the table"
        SEEN["rake"] += rake > 0
        SEEN["fed"] += Account.objects.filter(kind="jackpot", balance__gt=0).count()
        assert balance_proof().holds

    def _do(self, what: str, how: str, act: Callable[[], object]) -> None:
        """Take a step; a refusal and a crash change nothing."""
        before = self._facts()
        try:
            if how == "crash":
                with transaction.atomic():
                    act()
                    raise Died
            act()
            SEEN[what] += 1
            if how == "twice":
                before = self._facts()
                act()
                SEEN[f"{what} twice"] += 1
        except Died:
            SEEN["crash"] += 1
            assert self._facts() == before
        except Refusal as refusal:
            SEEN[refusal.code] += 1
            assert self._facts() == before, "a refused step changes nothing"

    def _step(self, how: str) -> str:
        """Advance one table; a settled hand is settled again, or its worker dies."""
        tables = self.arena.tables()
        if not tables:
            return ""
        table = self.arena.chance.choice(tables)
        state = self.arena.states[table]
        try:
            with transaction.atomic():
                did = self.arena.step(table)
                if how == "crash":
                    raise Died
        except Died:
            SEEN["crash"] += 1
            self.arena.states[table] = state
            return ""
        SEEN[did] += 1
        if did == "settled":
            SEEN["bust"] += any(seat.chips == 0 for seat in self.arena.states[table].seats)
        if did == "settled" and how == "twice":
            before = self._facts()
            settle.settle_hand(record.of(state))
            assert self._facts() == before
            SEEN["settled twice"] += 1
        return did

    def _facts(self) -> tuple[object, ...]:
        """Every value that a step without effect must leave unchanged."""
        sessions = RingSession.objects.filter(game=self.pk).order_by("pk")
        return (
            Posting.objects.aggregate(last=Max("pk"))["last"],
            list(sessions.values()),
            list(WaitingPlayer.objects.order_by("pk").values()),
            list(Seat.objects.filter(table__in=self._tables()).order_by("pk").values()),
            list(
                Table.objects.filter(pk__in=self._tables()).order_by("pk").values("status", "hand")
            ),
        )

    def _session(self, who: int) -> int:
        """Return the latest session of a player, 0 before the first."""
        rows = RingSession.objects.filter(game=self.pk, user=self.players[who])
        return rows.aggregate(last=Max("pk"))["last"] or 0

    def _tables(self) -> list[int]:
        rows = Table.objects.filter(director=money.DIRECTOR, game=self.pk)
        return list(rows.values_list("pk", flat=True))

    def _refs(self) -> list[str]:
        return [money.chips_account(table).ref for table in self._tables()]


@pytest.mark.sample
@pytest.mark.journey
@pytest.mark.rule("A-03")
@pytest.mark.rule("R-02")
@pytest.mark.rule("Z-04")
def test_chips_coming_chips_and_account_agree_after_any_sequence(
    room: Redis, broker: Redis
) -> None:
    SEEN.clear()
    for number in SEEDS:
        run_state_machine_as_test(
            seed(number)(RingLife),
            settings=settings(
                max_examples=4,
                stateful_step_count=25,
                deadline=None,
                database=None,
                derandomize=False,  # True, as where CI is set, would ignore the seed
                phases=(Phase.generate,),
                suppress_health_check=list(HealthCheck),
            ),
        )
        if SEEN.keys() >= KINDS and all(SEEN[kind] for kind in KINDS):
            return
    raise AssertionError(f"never happened: {[kind for kind in KINDS if not SEEN[kind]]}; {SEEN}")
