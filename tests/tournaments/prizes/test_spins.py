"""Spins: a fair recorded draw, a pool the room completes or keeps, splits by multiplier."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from accounts.ledger import promotions, transfers
from accounts.models import Transfer
from accounts.refusals import words_of
from config import limits
from config.refusals import Refusal
from tables.dealer.grants import Grant
from tests.tournaments.cast import BUY_IN, Arena, offer, open_offer, places_of, started
from tests.tournaments.events.announced import tournament_event_types
from tests.tournaments.prizes.spin_terms import SPIN
from tests.tournaments.running.finished import assert_finished
from tournaments.engine import spin as rules
from tournaments.models import AuditRow, Tournament
from tournaments.prizes import money, spins
from tournaments.queries import overview, show
from tournaments.running import operations


def spun(multiplier: int, **fields: object) -> Tournament:
    """A running spin that can draw only one multiplier."""
    return started(3, **(SPIN | {"spin_odds": {str(multiplier): 100_000}} | fields))


@pytest.mark.rule("F-05")
@pytest.mark.parametrize("multiplier", [2, 3, 10])
def test_the_room_keeps_or_pays_the_difference_of_the_draw(house: Redis, multiplier: int) -> None:
    free = promotions.free()
    tournament = spun(multiplier)
    assert tournament.pool == multiplier * BUY_IN == transfers.balance(money.pool(tournament))
    assert transfers.balance(money.room()) == max(0, 3 - multiplier) * BUY_IN
    assert promotions.free() == free - max(0, multiplier - 3) * BUY_IN
    assert Transfer.objects.filter(kind="spin").exists() == (multiplier != 3)
    Arena(tournament.pk, multiplier).run()
    assert_finished(tournament)
    assert [prize for _, prize in places_of(tournament.pk)] == [multiplier * BUY_IN, 0, 0]


@pytest.mark.rule("F-05")
def test_the_split_belongs_to_its_multiplier(house: Redis) -> None:
    splits = {"25": [8_000, 1_200, 800], "2": [10_000]}
    odds = {"25": 99_999, "2": 1}
    tournament = started(3, **SPIN, spin_odds=odds, spin_splits=splits, buy_in=333)
    drawn = tournament.spin["multiplier"]  # type: ignore[index]
    expected = [6_660, 999, 666] if drawn == 25 else [666]
    assert tournament.prizes == expected
    Arena(tournament.pk, 4).run()
    assert_finished(tournament)


@pytest.mark.rule("F-05")
def test_the_draw_is_recorded_with_its_odds_and_shown(house: Redis) -> None:
    tournament = started(3, **SPIN)
    record = tournament.spin
    assert record is not None
    odds = {int(multiplier): count for multiplier, count in record["odds"].items()}
    assert odds == dict(rules.ODDS)
    again = rules.spin(odds, BUY_IN, Fixed(record["drawn"]))
    assert (again.multiplier, again.pool, again.room_part) == (
        record["multiplier"],
        record["pool"],
        record["room_part"],
    )
    assert AuditRow.objects.get(tournament=tournament, action="spin").details == record
    assert tournament_event_types(tournament).count("spin_drawn") == 1
    seen = overview.overview(tournament).spin
    assert seen is not None and seen.pool == tournament.pool and seen.odds[0] == (2, 77_380)
    rows = show.spin_rows(tournament)
    assert sum(row.count for row in rows) == 100_000
    assert [row.multiplier for row in rows if row.is_drawn] == [record["multiplier"]]
    assert rows[-1].percent == "77.38"


class Fixed(random.Random):
    """Random source that draws one number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def randrange(self, *_: int) -> int:  # type: ignore[override]
        """Return the fixed number."""
        return self.number


@pytest.mark.rule("F-05")
def test_the_first_hand_waits_for_the_animation_of_the_drum(house: Redis) -> None:
    for pause, shown in ((0, 0), (1_000, limits.SPIN_DRUM_MS)):
        tournament = spun(2, hand_pause_ms=pause)
        arena = Arena(tournament.pk)
        from tables.dealer import director

        said = director.of("tournament").next(arena.tables()[0], 1)
        assert isinstance(said, Grant)
        assert said.not_before_ms == (shown and (tournament.started_ms or 0) + shown)


@pytest.mark.rule("F-05")
@pytest.mark.rule("T-12")
@pytest.mark.parametrize("forward", [False, True])
@pytest.mark.parametrize("multiplier", [2, 100])
def test_a_cancelled_spin_refunds_every_player(
    house: Redis, multiplier: int, forward: bool
) -> None:
    free = promotions.free()
    tournament = spun(multiplier)
    cancel = operations.cancel_forward if forward else operations.cancel
    cancel(tournament.pk, reason="fault")
    assert transfers.balance(money.pool(tournament)) == 0 and transfers.total() == 0
    if not forward:
        assert transfers.balance(money.room()) == 0 and transfers.balance(money.fees()) == 0
        assert promotions.free() == free


@pytest.mark.rule("F-05")
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    buy_in=st.integers(1, 10**6),
    number=st.integers(0, 99_999),
    first=st.integers(0, 10_000),
    second=st.integers(0, 10_000),
)
def test_pool_and_room_part_add_up(buy_in: int, number: int, first: int, second: int) -> None:
    drawn = rules.spin(rules.ODDS, buy_in, Fixed(number))
    assert drawn.pool == drawn.multiplier * buy_in == 3 * buy_in + drawn.room_part
    low, high = sorted((first, second))
    shares = [low, high - low, 10_000 - high]
    made = Tournament(
        format="spin", buy_in=buy_in, spin_splits={str(drawn.multiplier): shares}, spin_odds={}
    )
    assert sum(spins.split(made, drawn.multiplier, drawn.pool)) == drawn.pool


@pytest.mark.rule("F-05")
@pytest.mark.parametrize(
    "fields",
    [
        {"spin_odds": {"2": 99_999}},
        {"spin_odds": {"2": 100_001}},
        {"spin_odds": {"0": 100_000}},
        {"spin_odds": {"-2": 100_000}},
        {"spin_odds": {"2": 150_000, "3": -50_000}},
        {"spin_odds": {"two": 100_000}},
        {"spin_odds": {"2": "100000"}},
        {"spin_odds": [2, 3]},
        {"spin_odds": {"9" * 30: 100_000}},
        {"spin_splits": {"2": [9_999]}},
        {"spin_splits": {"2": [5_000, 5_001, -1]}},
        {"spin_splits": {"2": [2_500, 2_500, 2_500, 2_500]}},
        {"spin_splits": {"2": []}},
        {"spin_splits": {"7": [10_000]}},
        {"guarantee": 100},
        {"added": 100},
        {"buy_in": 0, "fee": 0},
    ],
)
def test_invalid_odds_of_a_spin_are_refused(db: None, fields: dict[str, object]) -> None:
    with pytest.raises(Refusal) as refused:
        offer(**(SPIN | fields))
    assert words_of(refused.value) and not Tournament.objects.exists()


@pytest.mark.rule("F-05")
def test_a_spin_draws_once_at_its_start(house: Redis) -> None:
    made = open_offer(**SPIN)
    assert made.spin is None and overview.summary(made).pool == 2 * BUY_IN
    with pytest.raises(Refusal):
        operations.start(made.pk)
    made.refresh_from_db()
    assert made.spin is None and made.pool is None
    tournament = spun(2)
    operations.start(tournament.pk)
    assert AuditRow.objects.filter(tournament=tournament, action="spin").count() == 1
