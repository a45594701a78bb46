"""Tournament options cover the whole rulebook, and contradictions are refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from redis import Redis

from accounts.refusals import line_of, words_of
from config.refusals import Refusal, RuleRefusal
from tests.tournaments.cast import offer, open_offer, structure
from tournaments.models import Tournament
from tournaments.refusals import BadSpec
from tournaments.running import operations
from tournaments.schedule import making, options

SCHEDULED: dict[str, Any] = {"start": "scheduled"}


def tomorrow(**fields: Any) -> dict[str, Any]:
    """Fields of a scheduled tournament of two to a hundred players."""
    starts_at = timezone.now() + timedelta(days=1)
    return {"start": "scheduled", "starts_at": starts_at, "players_max": 100} | fields


@pytest.mark.rule("T-05")
def test_every_option_of_the_row_belongs_to_one_group_and_repeats() -> None:
    editable = {field.name for field in Tournament._meta.local_fields if field.editable} - {"id"}
    grouped = [name for _, names in options.GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    assert {*grouped, "structure", "structure_name"} == editable == set(options.OFFERED)
    kept = {"start_zone", "password", "club", "watched_by", "entered_by"}  # of their own forms
    assert set(making.REPEATED) == (editable - {"starts_at"}) | kept


@pytest.mark.rule("T-05")
def test_the_next_tournament_of_a_series_copies_every_option(house: Redis) -> None:
    fields = tomorrow(
        repeats=True,
        repeat_every_s=3600,
        late_ends="at_level",
        late_value=3,
        entries_max=3,
        rebuys_max=2,
        rebuy_until_level=3,
        rebuy_price=500,
        add_on=True,
        bounty=200,
        progressive_bp=5_000,
        special_prize="A watch",
        payout_table=[{"fewest": 1, "most": 9, "shares": [6000, 4000]}],
        deals_allowed=True,
        play_time_ms=3_600_000,
        first_button="random",
        s0_order=True,
        cap_lift="event",
        muck_secret=True,
    )
    first = operations.open(offer(**fields, password="open sesame").pk)
    second = making.follow(first)
    assert second is not None and second.follows == first
    assert first.starts_at is not None
    assert second.starts_at == first.starts_at + timedelta(hours=1)
    for name in making.REPEATED:
        assert getattr(second, name) == getattr(first, name), name
    assert second.pool is None and second.entrants == 0


@pytest.mark.rule("K-08")
def test_a_series_of_satellites_follows_the_series_of_its_target(house: Redis) -> None:
    options = {"methods": "money_and_tickets", "activity": "main"}
    target = open_offer(**tomorrow(repeats=True, repeat_every_s=3600, **options))
    satellite = open_offer(format="satellite", target=target, repeats=True)
    Tournament.objects.filter(pk=target.pk).update(state="running")
    assert making.follow(satellite) is None
    target.refresh_from_db()
    after = making.follow(target)
    made = making.follow(satellite)
    assert made is not None and made.target == after


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("exact_players", {"format": "heads_up", "players_min": 3, "players_max": 3}),
        ("set_number", {"format": "spin", "players_min": 2, "players_max": 3}),
        ("odd_field", {"format": "fifty_fifty", "players_min": 5, "players_max": 5}),
        ("one_table", {"format": "double_or_nothing", "players_min": 8, "players_max": 8}),
        ("no_buying", {"format": "shootout", "players_min": 6, "rebuys_max": 1,
                       "rebuy_until_level": 2}),
        ("late_sit_and_go", {"late_ends": "at_level", "late_value": 2}),
        ("reentry_after_first_out", tomorrow(late_ends="at_first_out", entries_max=2)),
        ("bad_late_end", tomorrow(late_ends="at_time")),
        ("odds_not_whole", {"format": "spin", "players_min": 3, "players_max": 3,
                            "spin_odds": {"2": 1}}),
        ("split_not_100_percent", {"format": "spin", "players_min": 3, "players_max": 3,
                             "spin_splits": {"2": [9_000]}}),
        ("rising_shares", {"format": "spin", "players_min": 3, "players_max": 3,
                           "spin_splits": {"2": [4_000, 6_000]}}),
        ("not_100_percent", {"payout_table": [{"fewest": 1, "most": 9, "shares": [9_999]}]}),
        ("rows_with_gaps", {"payout_table": [{"fewest": 1, "most": 3, "shares": [10_000]},
                                             {"fewest": 5, "most": 9, "shares": [10_000]}]}),
        ("bad_offer", {"payout_table": "half each"}),
        ("bad_offer", {"format": "spin", "players_min": 3, "players_max": 3,
                       "spin_odds": {"two": 100_000}}),
        ("bad_offer", {"spin_odds": {"2": 100_000}}),
        ("bad_offer", {"entries_max": 0}),
        ("bad_offer", tomorrow(entries_max=2)),
        ("bad_offer", tomorrow(several_at_once=True)),
        ("bad_offer", tomorrow(merge_at=10)),
        ("bad_offer", {"rebuys_max": 1}),
        ("bad_offer", {"add_on": True}),
        ("bad_offer", {"rebuys_max": 1, "rebuy_until_level": 3, "cash_value": True}),
        ("bad_offer", {"rebuys_max": 1, "rebuy_until_level": 3, "rebuy_price": 10**15}),
        ("bad_offer", {"rebuys_max": 1, "rebuy_until_level": 3, "rebuy_chips": 10**15}),
        ("bad_offer", {"progressive_bp": 5_000}),
        ("bad_offer", {"pro_bounty": 10**12}),
        ("bad_offer", {"second_prize": "A cap"}),
        ("bad_offer", {"methods": "ticket"}),
        ("bad_offer", {"methods": "ticket", "activity": "a", "buy_in": 0, "fee": 0}),
        ("bad_offer", {"methods": "money_and_tickets", "activity": "a", "buy_in": 0, "fee": 0}),
        ("bad_offer", {"format": "satellite"}),
        ("bad_offer", {"offer_ms": 1}),
        ("bad_offer", {"deal_vote_ms": 10**9}),
        ("bad_offer", {"buy_in": -1}),
        ("bad_offer", {"bank_ms": 10**8}),
        ("bad_offer", {"hand_pause_ms": 10**6}),
        ("bad_offer", {"showdown_pause_ms": 10**6}),
        ("bad_offer", {"street_pause_ms": 10**6}),
        ("bad_offer", {"start": "scheduled", "starts_at": timezone.now() - timedelta(hours=1)}),
    ],
)  # fmt: skip
def test_contradictions_are_refused_and_nothing_is_created(
    db: None, code: str, wrong: dict[str, Any]
) -> None:
    with pytest.raises(Refusal) as refused:
        offer(**wrong)
    assert refused.value.code == code, words_of(refused.value)
    assert not Tournament.objects.exists()


@pytest.mark.rule("Z-01")
@pytest.mark.parametrize(
    "more",
    [
        {"late_ends": "at_level", "late_value": 2, "entries_max": 2},
        {"rebuys_max": 1, "rebuy_until_level": 3, "rebuy_price": 10**9},
        {"rebuys_max": 1, "rebuy_until_level": 3, "add_on": True, "add_on_price": 10**9},
    ],
)
def test_a_pool_too_large_after_all_purchases_is_refused(
    house: Redis, more: dict[str, Any]
) -> None:
    field = tomorrow(buy_in=10**9, fee=0, players_max=600)
    with pytest.raises(BadSpec, match="too large to be paid"):
        offer(**field | more)
    assert not Tournament.objects.exists()
    offer(**field)
    offer(**field | more | {"players_max": 500})


@pytest.mark.rule("T-04")
def test_a_start_in_the_current_minute_is_accepted(house: Redis) -> None:
    made = offer(**tomorrow(starts_at=timezone.now() - timedelta(seconds=30)))
    assert made.state == "announced"


@pytest.mark.rule("K-08")
@pytest.mark.parametrize("state", ["running", "cancelled", "finished"])
def test_a_started_or_cancelled_target_of_a_satellite_is_refused(house: Redis, state: str) -> None:
    target = open_offer(methods="money_and_tickets", activity="main")
    Tournament.objects.update(state=state)
    with pytest.raises(BadSpec, match="started or was cancelled"):
        offer(format="satellite", target=Tournament.objects.get(pk=target.pk))
    assert Tournament.objects.count() == 1
    Tournament.objects.update(state="registering")
    announced = offer(format="satellite", target=Tournament.objects.get(pk=target.pk))
    Tournament.objects.filter(pk=target.pk).update(state=state)
    with pytest.raises(BadSpec, match="started or was cancelled"):
        operations.open(announced.pk)
    announced.refresh_from_db()
    assert announced.state == "announced"


def test_json_options_become_the_fields_of_a_row(house: Redis) -> None:
    target = open_offer(methods="money_and_tickets", activity="main")
    asked = options.read(
        {
            "format": "satellite",
            "target": target.pk,
            "buy_in": 300,
            "several_at_once": False,
            "starts_at": "2030-01-01T20:00:00+01:00",
            "payout_table": None,
        }
    )
    assert (asked["target"], asked["buy_in"]) == (target, 300)
    assert asked["starts_at"].isoformat() == "2030-01-01T20:00:00+01:00"
    row = making.from_structure(structure(), name="One", start="sit_and_go", **asked)
    said = options.chosen(row)
    assert said["target"] == target.pk and said["buy_in"] == 300 and "fee" not in said


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"buyin": 3}, "buyin is no option of a tournament. There are: "),
        ({"state": "running"}, "state is no option"),
        ({"pool": 10}, "pool is no option"),
        ({"buy_in": -1}, "buy_in: "),
        ({"buy_in": 2**70}, "buy_in: "),
        ({"buy_in": True}, "buy_in: Enter a whole number."),
        ({"buy_in": 1.5}, "buy_in: Enter a whole number."),
        ({"add_on": 1}, "add_on: This is either true or false."),
        ({"name": 7}, "name: This is a text."),
        ({"format": "bingo"}, "format: This is no valid choice. There are: freezeout, heads_up"),
        ({"seats_per_table": 11}, "seats_per_table: "),
        ({"starts_at": "soon"}, "starts_at: Enter a valid date/time."),
        ({"starts_at": "2030-13-01T20:00"}, "starts_at: Enter a valid date/time."),
        ({"target": 999}, "target: There is no such tournament."),
        ({"target": "x"}, "target: There is no such tournament."),
    ],
)
def test_invalid_json_options_are_refused_with_the_allowed_values(
    db: None, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadSpec) as refused:
        options.read(wrong)
    assert line_of(refused.value).startswith(message)


def test_refusals_of_the_engine_are_registered_refusals() -> None:
    assert issubclass(RuleRefusal, Refusal)
