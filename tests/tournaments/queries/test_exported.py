"""Facts of a tournament that exported hands name."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from tests.tournaments.cast import offer
from tournaments.prizes import room_bounties
from tournaments.queries.exported import tournament_facts

pytestmark = pytest.mark.django_db


@pytest.mark.rule("N-01", "N-03", "N-04", "E-02", "E-03")
@pytest.mark.parametrize(
    ("fields", "flags"),
    [
        ({}, ()),
        ({"bounty": 5_00}, ("Bounty",)),
        ({"pro_bounty": 5_00}, ("Bounty",)),
        ({"bounty": 5_00, "progressive_bp": 5_000}, ("Bounty", "Progressive-Bounty")),
        ({"progressive_bp": 5_000}, ()),
        ({"entries_max": 3}, ("Re-Entry",)),
        ({"entries_max": 3, "several_at_once": True}, ("Re-Entry", "Multi-Entry")),
    ],
)
def test_flags_tell_the_kind_of_a_tournament(
    fields: dict[str, Any], flags: tuple[str, ...]
) -> None:
    """The specification of Open Hand History tells what each of them means."""
    tournament = offer()
    for name, value in fields.items():
        setattr(tournament, name, value)
    tournament.save()
    assert tournament_facts(tournament.pk).flags == ("SNG", *flags)


@pytest.mark.rule("N-02")
def test_a_bounty_of_the_room_on_a_player_is_a_flag() -> None:
    tournament = offer()
    room_bounties.put(tournament.pk, User.objects.create_user("Ada"), 7_00)
    assert tournament_facts(tournament.pk).flags == ("SNG", "Bounty")
