"""Faces of those who sit at a table, for its page: only who comes later is asked for."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from msgspec import to_builtins

from accounts.faces.faces import Face
from accounts.faces.models import PlayerFace
from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.models import Seat, Table


def seated_faces(table: Table) -> dict[str, Any]:
    """Return the `users` at a table and the `faces` of those that have one; bots are marked."""
    rows = _SEATED.rows(table.pk)
    faces = [Face(*row) for row in rows if any(row[1:])]
    return {"users": [user for user, *_ in rows], "faces": to_builtins(faces)}


def _of_face(column: str) -> Coalesce:
    face = PlayerFace.objects.filter(user=OuterRef("user")).values(column)
    return Coalesce(Subquery(face), Value(""))


_SEATED = BuiltOnce(
    lambda table: (
        Seat.objects.filter(table=table)
        .order_by("user")
        .values_list("user", _of_face("picture"), _of_face("country"), "user__is_bot")
    ),
    ANY_KEY,
)
