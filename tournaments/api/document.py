"""OpenAPI document of the API, as it is checked in."""

from __future__ import annotations

import json

from tournaments.api.routes import api

PAGE = "docs/openapi.json"


def text() -> str:
    """Return the document as JSON."""
    schema = api.get_openapi_schema(path_prefix="/api/v1/")
    return json.dumps(schema, indent=1, ensure_ascii=False, default=str) + "\n"
