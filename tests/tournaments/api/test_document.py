"""The OpenAPI document: what the room answers beside the answers of its routes stands in it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from jsonschema import Draft202012Validator

from config.door.refusals import problem_details
from tournaments.api import document


def _responses() -> dict[str, dict[str, Any]]:
    """The answers of each route by status, as "GET /path"."""
    return {
        f"{method.upper()} {path}": {
            str(status): answer for status, answer in operation["responses"].items()
        }
        for path, operations in document.schema()["paths"].items()
        for method, operation in operations.items()
    }


def test_a_busy_room_is_an_answer_that_each_route_may_give() -> None:
    components = document.schema()["components"]
    for route, responses in _responses().items():
        name = responses["503"]["$ref"].rpartition("/")[2]
        answer = components["responses"][name]
        assert answer["headers"]["Retry-After"]["required"], route
        assert list(answer["content"]) == ["application/problem+json"], route
    told = problem_details(int(HTTPStatus.SERVICE_UNAVAILABLE), "busy", "Try again.")
    Draft202012Validator(components["schemas"]["Problem"]).validate(told)


def test_a_page_of_hands_tells_the_next_cursor_as_the_document_says() -> None:
    named = {
        route
        for route, responses in _responses().items()
        if "Next-Cursor" in responses.get("200", {}).get("headers", {})
    }
    assert named == {
        "GET /api/v1/hands/export",
        "GET /api/v1/tournaments/{pk}/hands/export",
    }
