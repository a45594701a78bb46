"""The table of rights in the docs is that of the answers; `make api-rights` writes it."""

from __future__ import annotations

import os

from django.conf import settings
from redis import Redis

from tests.tournaments.api import rights, rights_table


def test_the_table_of_rights_in_the_docs_is_current(house: Redis) -> None:
    scene = rights.make_scene()
    assert set(rights_table.requests(scene)) == rights_table.routes()
    rows = rights_table.answers(scene)
    assert all(cells[0] == "401 `invalid_token`" for cells in rows.values())
    page = settings.BASE_DIR / rights_table.PAGE
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(rights_table.BEGIN)
    _, tail = rest.split(rights_table.END)
    current = head + rights_table.BEGIN + rights_table.table(rows) + rights_table.END + tail
    if os.environ.get("API_RIGHTS_WRITE"):
        page.write_text(current, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == current, "make api-rights writes the table"
