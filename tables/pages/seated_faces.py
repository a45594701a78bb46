"""Faces of those who sit at a table, for its page: only who comes later is asked for."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from accounts.faces.faces import face_rows, faces_in
from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.models import Seat, Table

_SEATED = BuiltOnce(
    lambda table: face_rows(Seat.objects.filter(table=table), "user", "user__is_bot"), ANY_KEY
)


def seated_faces(table: Table) -> dict[str, Any]:
    """Return the `users` at a table and the `faces` of those that have one."""
    rows = _SEATED.rows(table.pk)
    return {"users": [user for user, *_ in rows], "faces": to_builtins(faces_in(rows))}
