"""Headless room plays the tournament of `--offer`, and explains a refusal."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from accounts.refusals import line_of
from config.refusals import Refusal
from deploy.cluster import headless
from deploy.cluster.room import ClusterOptions
from deploy.management.commands.cluster import offer_of
from tournaments.models import Tournament
from tournaments.monitor import report


def asked(players: int = 6, seats: int = 6, **offer: Any) -> ClusterOptions:
    """Return options of a fast headless run of so many bots with these fields."""
    return ClusterOptions(players=players, seats=seats, within_s=60.0, offer=offer)


def test_without_an_offer_it_is_a_sit_and_go_of_all_bots(house: Redis) -> None:
    made = headless.create(asked(players=8))
    assert (made.start, made.players_min, made.players_max) == ("sit_and_go", 8, 8)
    assert made.state == "registering"


@pytest.mark.rule("T-05")
def test_any_option_can_be_offered_and_stands_in_the_report(house: Redis) -> None:
    offer: dict[str, Any] = {
        "start": "scheduled",
        "late_ends": "at_level",
        "late_value": 3,
        "entries_max": 2,
    }
    made = headless.create(asked(**offer, structure_name="deep", rebuys_max=1, rebuy_until_level=2))
    assert (made.structure_name, made.players_max, made.rebuys_max) == ("deep", 18, 1)
    said = report.build(made.pk)["options"]
    assert said.items() >= offer.items()
    json.dumps(said)


@pytest.mark.rule("K-08")
def test_a_satellite_gets_a_target_to_lead_to(house: Redis) -> None:
    made = headless.create(asked(format="satellite", buy_in=100, fee=0))
    assert made.target is not None and made.target.price == 300
    assert made.target.state == "registering"


@pytest.mark.rule("L-01")
def test_custom_levels_are_played(house: Redis) -> None:
    levels = [{"type": "level", "small_blind": 1, "big_blind": 2, "lasts_hands": 5}]
    made = headless.create(asked(structure=levels, starting_stack=100))
    assert (made.levels().levels[0].lasts_hands, made.starting_stack) == (5, 100)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"formatt": "spin"}, "formatt is no option of a tournament"),
        ({"format": "spin"}, "exactly 3 players"),
        ({"structure_name": "none"}, "There are: T100"),
        ({"structure": []}, "at least one level"),
        ({"structure": [{"type": "level", "small_blind": 2, "big_blind": 1, "lasts_ms": 1}]},
         "The big blind is at least the small blind"),
        ({"buy_in": "ten"}, "buy_in: Enter a whole number."),
        ({"guarantee": 2 * 10**9}, "its promotions hold 10,000,000.00"),
        ({"format": "satellite", "guarantee": 2 * 10**9}, "its promotions hold"),
    ],
)  # fmt: skip
def test_offers_that_cannot_be_played_are_refused(
    house: Redis, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(Refusal) as refused:
        headless.create(asked(**wrong))
    assert message in line_of(refused.value)
    assert not Tournament.objects.exists()


def test_an_offer_is_a_json_object_or_a_file_with_one(tmp_path: Path) -> None:
    file = tmp_path / "offer.json"
    file.write_text('{"buy_in": 5}')
    assert offer_of('{"buy_in": 5}') == offer_of(f"@{file}") == {"buy_in": 5}
    for wrong in ("buy_in=5", "[1]", "5", f"@{tmp_path}/none.json", ""):
        with pytest.raises(ArgumentTypeError, match="no JSON object"):
            offer_of(wrong)
