"""OpenAPI document of the API, as it is checked in."""

from __future__ import annotations

import json
from typing import Any

from tournaments.api.routes import api

PAGE = "docs/openapi.json"

_PROBLEM = {
    "title": "Problem",
    "description": "A refusal as problem details (RFC 9457); programs read its `code`.",
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "code": {"type": "string", "minLength": 1},
        "detail": {"type": "string", "minLength": 1},
        "fields": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "allowed": {"type": "object", "minProperties": 1},
    },
    "required": ["type", "title", "status", "code", "detail"],
    "additionalProperties": False,
}
_CONTENT = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
_WAIT = {
    "description": "Seconds after which to try again",
    "schema": {"type": "integer", "minimum": 1},
}
_RESPONSES = {
    "Refused": {
        "description": "Refused; with status 429 the header says when to try again",
        "content": _CONTENT,
        "headers": {"Retry-After": _WAIT},
    },
    "Away": {
        "description": "The room is busy, or one of its servers does not answer",
        "content": _CONTENT,
        "headers": {"Retry-After": {**_WAIT, "required": True}},
    },
}
_BY_STATUS = {
    "4XX": {"$ref": "#/components/responses/Refused"},
    "503": {"$ref": "#/components/responses/Away"},
}


def schema() -> dict[str, Any]:
    """Return the document: routes and answers, and the refusals that each route may answer."""
    document: dict[str, Any] = api.get_openapi_schema(path_prefix="/api/v1/")
    document["components"]["schemas"]["Problem"] = _PROBLEM
    document["components"]["responses"] = _RESPONSES
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"] |= _BY_STATUS
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    # Routes match digits alone.
                    parameter["schema"]["minimum"] = 0
    return document


def text() -> str:
    """Return the document as JSON."""
    return json.dumps(schema(), indent=1, ensure_ascii=False, default=str) + "\n"
