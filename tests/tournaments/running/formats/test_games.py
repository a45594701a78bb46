"""Tournaments of every game: valid terms, and play to the end."""

from __future__ import annotations

import random

import pytest
from redis import Redis

from accounts.refusals import words_of
from tables.engine.variants import VARIANTS
from tables.templatetags.games import GAMES, LIMITS
from tests.tournaments import cast, course
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.refusals import BadSpec
from tournaments.words import game


@pytest.mark.parametrize(
    ("variant", "limit"),
    [(name, limit) for name, variant in VARIANTS.items() for limit in variant.limits],
)
@pytest.mark.rule("T-05")
def test_every_game_can_be_offered_with_its_limits(house: Redis, variant: str, limit: str) -> None:
    levels = cast.structure("stud" if VARIANTS[variant].brings_in else "turbo")
    made = cast.offer(structure=levels, variant=variant, limit=limit)
    assert (made.variant, made.limit) == (variant, limit)
    assert game(variant, limit) == f"{LIMITS[limit]} {GAMES[variant]}"


@pytest.mark.parametrize(
    ("levels", "wanted", "allowed"),
    [
        ("turbo", {"variant": "razz"}, {"field": "variant", "variants": list(VARIANTS)}),
        (
            "turbo",
            {"limit": "half_pot"},
            {"field": "limit", "limits": list(VARIANTS["holdem"].limits)},
        ),
        (
            "turbo",
            {"variant": "omaha", "limit": "spread_limit"},
            {"field": "limit", "limits": ["no_limit", "pot_limit", "fixed_limit"]},
        ),
        (
            "stud",
            {"variant": "stud", "seats_per_table": 9},
            {"field": "seats_per_table", "seats_max": 8},
        ),
        (
            "turbo",
            {"variant": "omaha5", "seats_per_table": 10},
            {"field": "seats_per_table", "seats_max": 8},
        ),
        ("turbo", {"variant": "stud"}, {"field": "structure"}),
        ("stud", {"variant": "omaha"}, {"field": "structure"}),
    ],
)
@pytest.mark.rule("T-05")
def test_contradicting_game_options_are_refused_and_nothing_is_created(
    house: Redis, levels: str, wanted: dict[str, object], allowed: dict[str, object]
) -> None:
    with pytest.raises(BadSpec) as refused:
        cast.offer(structure=cast.structure(levels), **wanted)
    assert words_of(refused.value).endswith(".")
    assert {"field": refused.value.field, **refused.value.allowed} == allowed
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.rule("T-07")
def test_a_tournament_of_every_game_is_played_to_its_end(house: Redis, variant: str) -> None:
    limits = VARIANTS[variant].limits
    chance = random.Random(variant)
    tournament = course.offer(
        5, 3, variant=variant, limit=chance.choice(limits), starting_stack=150
    )
    course.fill(tournament)
    course.play(house, tournament, chance, lambda now: now.state == State.FINISHED)
    tournament.refresh_from_db()
    stored = tournament.entries.values_list("place", flat=True)
    places = sorted(place for place in stored if place is not None)
    assert places[0] == 1 and len(places) == len(stored) == 5
    assert places.count(1) == 1
