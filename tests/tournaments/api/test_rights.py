"""The table of rights in the docs is that of the answers; `make api-rights` writes it."""

from __future__ import annotations

import os
import re

from django.conf import settings
from redis import Redis

from accounts.users import access_tokens
from tests.tournaments.api import rights, rights_table
from tests.tournaments.api.asking import token
from tests.tournaments.club_scene import person


def test_the_table_of_rights_in_the_docs_is_current(house: Redis) -> None:
    scene = rights.make_scene()
    assert set(rights_table.requests(scene)) == rights_table.routes()
    assert tuple(scene.tokens) == rights.KINDS
    rows = rights_table.answers(scene, scene.tokens)
    assert all(cells[0] == "401 `invalid_token`" for cells in rows.values())
    page = settings.BASE_DIR / rights_table.PAGE
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(rights_table.BEGIN)
    _, tail = rest.split(rights_table.END)
    current = head + rights_table.BEGIN + rights_table.table(rows) + rights_table.END + tail
    if os.environ.get("API_RIGHTS_WRITE"):
        page.write_text(current, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == current, "make api-rights writes the table"


def test_each_route_is_opened_by_the_right_that_the_docs_name(house: Redis) -> None:
    scene = rights.make_scene()
    opened: dict[str, list[str]] = {route: [] for route in rights_table.routes()}
    for number, scope in enumerate(access_tokens.SCOPES):
        text = token(person(f"Stan {number}"), scope)  # one alone would ask too often
        for route, answer in rights_table.answers(scene, {scope: text}).items():
            if answer != ["403 `missing_scope`"]:
                opened[route].append(scope)
    assert opened == documented()


def documented() -> dict[str, list[str]]:
    """Return each route of the docs with its right."""
    text = (settings.BASE_DIR / rights_table.PAGE).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([A-Z]+) /api/v1(/\S+)` \| `([a-z:]+)` \|", text, re.MULTILINE)
    return {
        f"{method} {path.replace('<id>', '{pk}').replace('<', '{').replace('>', '}')}": [scope]
        for method, path, scope in rows
    }
