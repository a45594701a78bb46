"""Sales end at levels that the structure has, and an offered game of stud has antes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from redis import Redis

from tests.tournaments import cast
from tournaments.models import Structure, Tournament
from tournaments.refusals import BadSpec

LEVELS = 2
STAKES = {"type": "level", "lasts_ms": 600_000}
LATE = {"late_ends": "at_level"}
REBUYS = {"rebuys_max": 1, "rebuy_price": 100}
ADD_ON = REBUYS | {"add_on": True}


def scheduled(**fields: Any) -> dict[str, Any]:
    """Fields of a tournament that starts tomorrow."""
    return {"start": "scheduled", "starts_at": timezone.now() + timedelta(days=1), **fields}


def short() -> Structure:
    """A structure of two levels."""
    items = [STAKES | {"small_blind": small, "big_blind": 2 * small} for small in (5, 10)]
    made: Structure = Structure.objects.create(name="Short", items=items, starting_stack=1_000)
    return made


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("late_value", LATE | {"late_value": LEVELS + 1}),
        ("rebuy_until_level", REBUYS | {"rebuy_until_level": LEVELS + 1}),
        ("add_on", ADD_ON | {"rebuy_until_level": LEVELS}),
    ],
)
@pytest.mark.rule("E-01", "E-04", "E-05", "T-05")
def test_sales_that_no_level_of_the_structure_ends_are_not_offered(
    house: Redis, field: str, wrong: dict[str, Any]
) -> None:
    levels = short()
    with pytest.raises(BadSpec) as refused:
        cast.offer(structure=levels, **scheduled(**wrong))
    assert refused.value.field == field
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    "right",
    [
        LATE | {"late_value": LEVELS},
        {"late_ends": "at_left", "late_value": LEVELS + 1},
        REBUYS | {"rebuy_until_level": LEVELS},
        ADD_ON | {"rebuy_until_level": LEVELS - 1},
        {"rebuy_until_level": LEVELS + 1},
    ],
)
@pytest.mark.rule("E-01", "E-04", "E-05", "T-05")
def test_sales_through_a_level_of_the_structure_are_offered(
    house: Redis, right: dict[str, Any]
) -> None:
    assert cast.offer(structure=short(), **scheduled(**right)).state == "announced"


@pytest.mark.rule("E-01", "T-05")
def test_late_registration_that_is_over_at_the_start_of_any_field_is_not_offered(
    house: Redis,
) -> None:
    ends = {"late_ends": "at_left", "players_max": 6}
    with pytest.raises(BadSpec, match="never be open") as refused:
        cast.offer(**scheduled(late_value=6, **ends))
    assert refused.value.field == "late_value"
    assert cast.offer(**scheduled(late_value=5, **ends)).state == "announced"


@pytest.mark.rule("E-03", "T-05")
def test_entries_that_would_merge_at_the_start_of_any_field_are_not_offered(house: Redis) -> None:
    several = {"players_max": 6, "entries_max": 2, "several_at_once": True}
    for merge_at in (6, 7):
        with pytest.raises(BadSpec, match="would merge at once") as refused:
            cast.offer(**several, merge_at=merge_at)
        assert refused.value.field == "merge_at"
    assert cast.offer(**several, merge_at=5).state == "announced"


@pytest.mark.rule("D-01")
def test_an_offered_game_of_stud_without_antes_is_refused(house: Redis) -> None:
    stud = STAKES | {"small_blind": 0, "big_blind": 0, "bring_in": 5, "small_bet": 20}
    antes = {"ante": 2, "ante_kind": "per_seat"}
    row = Structure(name="Stud", items=[stud | antes, stud], starting_stack=1_000)
    with pytest.raises(BadSpec, match="every seat pays an ante"):
        cast.offer(structure=row, variant="stud")
    row.items = [stud | antes]
    assert cast.offer(structure=row, variant="stud").state == "announced"
