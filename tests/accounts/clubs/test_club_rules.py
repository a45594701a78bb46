"""Rules of clubs: names, texts, roles and invitations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from accounts.clubs import rules
from accounts.clubs.rules import LinkFacts

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, None),
        ({"used": 2}, None),
        ({"used": 3}, "used_up"),
        ({"expires_at": NOON}, "expired"),
        ({"expires_at": NOON + timedelta(microseconds=1)}, None),
        ({"revoked": True, "expires_at": NOON, "used": 3}, "revoked"),
    ],
)
def test_a_link_admits_until_revoked_expired_or_used_up(
    change: dict[str, object], fault: str | None
) -> None:
    facts: dict[str, object] = {
        "uses_max": 3,
        "used": 0,
        "expires_at": NOON + timedelta(days=1),
        "revoked": False,
    }
    assert rules.link_fault(LinkFacts(**(facts | change)), NOON) == fault  # type: ignore[arg-type]


def test_rights_grow_with_the_role() -> None:
    roles = (None, "member", "manager", "owner")
    assert [rules.may_manage(role) for role in roles] == [False, False, True, True]
    assert [rules.may_change_roles(role) for role in roles] == [False, False, False, True]
    subjects = ("member", "manager", "owner")
    removes = {role: [rules.may_remove(role, subject) for subject in subjects] for role in roles}
    assert removes == {
        None: [False, False, False],
        "member": [False, False, False],
        "manager": [True, False, False],
        "owner": [True, True, True],
    }


def test_only_the_last_owner_cannot_go() -> None:
    assert not rules.leaves_an_owner("owner", 1)
    assert rules.leaves_an_owner("owner", 2)
    assert rules.leaves_an_owner("manager", 1)


@pytest.mark.parametrize(
    "name", ["River Rats", "Jörg's Tisch", "Club 99", "A & B", "St. Pauli", "No Limit!"]
)
def test_ordinary_names_are_allowed(name: str) -> None:
    assert rules.allowed_name(rules.normal_name(name))


@pytest.mark.parametrize(
    "name",
    ["<b>Rats</b>", "Rats\u202e", "Сlub", "a  -", "- a", "{{ name }}", "Rats\n<script>", "", "…"],
)
def test_names_with_markup_look_alikes_or_hidden_signs_are_refused(name: str) -> None:
    assert not rules.allowed_name(rules.normal_name(name))


def test_names_alike_share_their_address() -> None:
    spellings = ("River Rats", "river  rats", "RIVER-RATS", "River.Rats!")
    assert {rules.slug_of(rules.normal_name(name)) for name in spellings} == {"river-rats"}
    assert rules.slug_of("Jörg's Straße") == "joerg-s-strasse"
    assert rules.slug_of("Élan") == "elan"
    assert rules.slug_of("ĸ") == ""


def test_colours_are_six_digits() -> None:
    typed = ("#1a2b3c", "#1A2B3C", "red", "#12345", "#1234567", '#12345"', "")
    assert [rules.allowed_colour(colour) for colour in typed] == [True] + [False] * 6
