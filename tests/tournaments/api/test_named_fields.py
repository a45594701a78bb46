"""A request without its form is told which of its parameters and fields are wrong."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables.ring.pages.floor import player
from tests.tournaments.api.asking import get, post, refused, token

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"amount": "all"}, ["amount"]),
        ({}, ["amount"]),
        ({"amount": 100, "straddle": True, "table": "x"}, ["table", "straddle"]),
        ({"amount": 100, "y" * 9_999: 1}, ["y" * 80]),
        ({"amount": 100} | {f"f{n}": n for n in range(99)}, [f"f{n}" for n in range(20)]),
        ([], None),
        ("{", None),
    ],
)
def test_wrong_fields_of_a_body_are_named(body: Any, fields: list[str] | None) -> None:
    answer = post("/ring-games/1/sessions", token(player("Anna"), "play"), body, key="k")
    refused(answer, 400, "invalid_request")
    assert answer.json().get("fields") == fields


def test_wrong_parameters_are_named() -> None:
    answer = get("/hands", token(player("Anna"), "hands:own"), since="soon", tournament="-1")
    refused(answer, 400, "invalid_request")
    assert sorted(answer.json()["fields"]) == ["since", "tournament"]
