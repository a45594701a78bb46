"""The level clock set by hand: the next level at once, or more time for the one in play."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from redis import Redis

from config.refusals import Refusal
from tests.tournaments.buying.rebuy_scene import rebuys
from tests.tournaments.cast import Arena, by_hands, open_offer, passive, started
from tests.tournaments.entries.late_entries import late
from tests.tournaments.events.announced import event_types
from tests.tournaments.running.earlier_start import MINUTE_MS, backdate, outage_passes
from tournaments import progress
from tournaments.engine import levels
from tournaments.engine.refusals import LastLevel, LevelByHands
from tournaments.engine.structure import Break
from tournaments.models import Announcement, AuditRow, Tournament
from tournaments.models.structure import encoded
from tournaments.queries import level_clock, overview
from tournaments.refusals import ClockJustSet
from tournaments.running import operations, tick

CLOCK_STEPS = (operations.next_level, operations.more_time)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let the time pass after which the clock may be set again; audit rows are never changed."""
    return lambda: monkeypatch.setattr(operations, "SET_AGAIN_S", 0)


def _row(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def _left_ms(tournament: Tournament) -> int:
    left = overview.overview(_row(tournament)).level_ends_at_ms
    assert left is not None
    return left


@pytest.mark.rule("L-04")
def test_the_next_level_is_told_at_once_and_played_from_the_next_hand(house: Redis) -> None:
    tournament = started(2)
    arena = Arena(tournament.pk)
    arena.choose = passive
    table = arena.tables()[0]
    tick.tick(tournament.pk)
    assert arena.step(table) == "grant"
    before = levels.elapsed_ms(tournament.clock(), 10**13)
    operations.next_level(tournament.pk, reason="it gets late")
    tick.tick(tournament.pk)
    assert event_types(tournament.member).count("level_began") == 2
    assert arena.states[table].level == 1, "the hand in play keeps its level"
    arena.hand(table)
    while arena.step(table) != "grant":
        pass
    assert arena.states[table].level == 2
    row = AuditRow.objects.get(tournament=tournament, action="next_level")
    assert row.reason == "it gets late"
    after = levels.elapsed_ms(_row(tournament).clock(), 10**13)
    assert after == before, "a limit of play time is not shortened"


@pytest.mark.rule("L-01")
def test_a_level_by_hands_ends_by_hand_and_takes_no_more_time(house: Redis) -> None:
    tournament = by_hands(4, hands=3, seats_per_table=2)
    arena = Arena(tournament.pk)
    arena.choose = passive
    first = arena.tables()[0]
    tick.tick(tournament.pk)
    arena.hand(first)
    with pytest.raises(LevelByHands):
        operations.more_time(tournament.pk)
    operations.next_level(tournament.pk)
    tick.tick(tournament.pk)
    row = _row(tournament)
    assert progress.level(row)[0] == 2
    assert overview.overview(row).level_ends_in_hands == 3, "hands played before do not count"


@pytest.mark.rule("L-05")
def test_more_time_is_told_and_goes_up_to_the_whole_level(house: Redis) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    whole = _left_ms(tournament)
    backdate(tournament, MINUTE_MS)
    tick.tick(tournament.pk)
    assert abs(whole - MINUTE_MS - _left_ms(tournament)) < MINUTE_MS // 4
    operations.more_time(tournament.pk)
    told = Announcement.objects.filter(stream=tournament.member).latest("seq")
    event = msgspec.json.decode(bytes(told.payload))
    assert event["type"] == "level_prolonged"
    assert abs(event["ends_at_ms"] - _left_ms(tournament)) < MINUTE_MS // 4
    assert _left_ms(tournament) - whole < MINUTE_MS // 2, "no longer than the whole level"
    tick.tick(tournament.pk)
    assert event_types(tournament.member).count("level_began") == 1


@pytest.mark.rule("L-05")
def test_a_break_is_ended_or_prolonged_like_a_level(
    house: Redis, later: Callable[[], None]
) -> None:
    later()
    tournament = started(2)
    first, *others = tournament.levels().items
    broken = (first, Break(lasts_ms=5 * MINUTE_MS), *others)
    tournament.structure = encoded(msgspec.structs.replace(tournament.levels(), items=broken))
    tournament.save(update_fields=["structure"])
    tick.tick(tournament.pk)
    operations.next_level(tournament.pk)
    tick.tick(tournament.pk)
    until = progress.break_until_ms(_row(tournament))
    assert until is not None
    backdate(tournament, 2 * MINUTE_MS)
    operations.more_time(tournament.pk)
    tick.tick(tournament.pk)
    longer = progress.break_until_ms(_row(tournament))
    assert longer is not None and longer >= until
    arena = Arena(tournament.pk)
    table = arena.tables()[0]
    assert arena.step(table) == "break"
    operations.next_level(tournament.pk)
    tick.tick(tournament.pk)
    assert progress.break_until_ms(_row(tournament)) is None
    assert arena.step(table) == "grant"


@pytest.mark.rule("E-01")
def test_late_registration_through_a_level_ends_with_it_and_the_page_says_so(
    house: Redis,
) -> None:
    tournament = late(4, late_value=1)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert progress.may_enter(tournament)
    effect = dict(level_clock.effect(tournament, "next_level"))
    assert effect["Late registration"] == "closes"
    assert effect["Now"].startswith("Level 1:") and effect["Then"].startswith("Level 2:")
    assert "Late registration" not in dict(level_clock.effect(tournament, "more_time"))
    operations.next_level(tournament.pk)
    tick.tick(tournament.pk)
    assert not progress.may_enter(_row(tournament))


@pytest.mark.rule("E-04")
@pytest.mark.rule("E-05")
def test_re_buys_through_a_level_end_with_it_and_the_page_says_so(
    house: Redis, later: Callable[[], None]
) -> None:
    tournament = rebuys(3, rebuy_until_level=2, add_on=True, add_on_price=500)
    tick.tick(tournament.pk)
    assert "Re-buy" not in dict(level_clock.effect(_row(tournament), "next_level"))
    operations.next_level(tournament.pk)
    tick.tick(tournament.pk)
    effect = dict(level_clock.effect(_row(tournament), "next_level"))
    assert (effect["Re-buy"], effect["Add-on"]) == ("closes", "offered to everybody")
    later()
    operations.next_level(tournament.pk)
    tick.tick(tournament.pk)
    assert not _row(tournament).rebuys_open
    assert "Re-buy" not in dict(level_clock.effect(_row(tournament), "next_level"))


@pytest.mark.rule("T-13")
def test_the_page_counts_no_outage_before_the_step(house: Redis) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    outage_passes(tournament, 60 * MINUTE_MS)
    effect = dict(level_clock.effect(_row(tournament), "next_level"))
    assert effect["Now"].startswith("Level 1:") and effect["Then"].startswith("Level 2:")


@pytest.mark.parametrize("step", CLOCK_STEPS)
def test_the_page_says_nothing_where_the_clock_is_past_the_level_that_was_told(
    house: Redis, step: Callable[..., Tournament]
) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    backdate(tournament, 10_000 * MINUTE_MS)
    assert level_clock.effect(_row(tournament), step.__name__) == []


@pytest.mark.rule("T-13")
def test_an_outage_before_the_step_is_no_time_of_the_level(house: Redis) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    outage_passes(tournament, 60 * MINUTE_MS)
    operations.more_time(tournament.pk)
    tick.tick(tournament.pk)
    assert progress.level(_row(tournament))[0] == 1


@pytest.mark.parametrize("step", CLOCK_STEPS)
def test_a_second_click_sets_no_clock(
    house: Redis, step: Callable[..., Tournament], later: Callable[[], None]
) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    operations.next_level(tournament.pk)
    before = Tournament.objects.filter(pk=tournament.pk).values().get()
    with pytest.raises(ClockJustSet):
        step(tournament.pk)
    assert Tournament.objects.filter(pk=tournament.pk).values().get() == before
    later()
    step(tournament.pk)


@pytest.mark.parametrize("step", CLOCK_STEPS)
def test_the_last_level_lasts_to_the_end(house: Redis, step: Callable[..., Tournament]) -> None:
    tournament = started(2)
    backdate(tournament, 10_000 * MINUTE_MS)
    Tournament.objects.filter(pk=tournament.pk).update(heartbeat_ms=None)
    tick.tick(tournament.pk)
    row = _row(tournament)
    assert row.told_index == len(row.levels().items) - 1
    assert level_clock.effect(row, step.__name__) == []
    with pytest.raises(LastLevel):
        step(tournament.pk)
    assert not AuditRow.objects.filter(action=step.__name__).exists()


@pytest.mark.parametrize("step", CLOCK_STEPS)
def test_a_clock_that_does_not_run_yet_is_not_set(
    house: Redis, step: Callable[..., Tournament]
) -> None:
    tournament = open_offer()
    before = Tournament.objects.filter(pk=tournament.pk).values().get()
    with pytest.raises(Refusal):
        step(tournament.pk)
    assert Tournament.objects.filter(pk=tournament.pk).values().get() == before


def test_a_clock_is_set_while_the_tournament_is_paused(house: Redis) -> None:
    tournament = started(2)
    tick.tick(tournament.pk)
    operations.pause(tournament.pk)
    operations.next_level(tournament.pk)
    tick.tick(tournament.pk)
    row = _row(tournament)
    assert row.state == "paused" and progress.level(row)[0] == 2
