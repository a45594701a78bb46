"""Words of the rights that a waiting step asks for, so that the second person reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.utils.text import capfirst

from accounts.admin.held_rights import FLAGS, LISTS
from accounts.admin.permission_names import permission_words
from accounts.approvals.models import ApprovalRequest
from accounts.models import User

GIVES, TAKES = "+", "−"


def rights_in_words(rows: Iterable[ApprovalRequest]) -> dict[int, list[str]]:
    """Return what each step gives (+) and takes (−), by the number of the step."""
    asked = {row.pk: row.details["rights"] for row in rows if "rights" in row.details}
    names = {
        "groups": _named(Group.objects.all(), "groups", asked.values()),
        "user_permissions": _named(
            Permission.objects.select_related("content_type"), "user_permissions", asked.values()
        ),
    }
    return {pk: _words(rights, names) for pk, rights in asked.items()}


def _words(rights: dict[str, Any], names: dict[str, dict[int, str]]) -> list[str]:
    found = [
        f"{GIVES if rights[name] else TAKES} {_label(name)}" for name in FLAGS if name in rights
    ]
    for name in LISTS:
        for sign, numbers in _parts(rights.get(name, [])):
            known = names[name]
            # Deleted since the step was asked for: an approval does nothing about it.
            found += [f"{sign} {known[number]}" for number in numbers if number in known]
    return found


def _parts(change: Any) -> list[tuple[str, list[int]]]:
    """Return numbers with their sign; a step of an earlier release holds the whole list ("=")."""
    if isinstance(change, dict):
        return [(GIVES, change["add"]), (TAKES, change["remove"])]
    return [("=", change)]


def _named(rows: Any, name: str, asked: Iterable[dict[str, Any]]) -> dict[int, str]:
    """Return the words of the groups or permissions that these steps name."""
    numbers = {
        number
        for rights in asked
        for _sign, part in _parts(rights.get(name, []))
        for number in part
    }
    found = rows.filter(pk__in=numbers)
    if name == "groups":
        return {row.pk: f"{_label(name)}: {row.name}" for row in found}
    return {row.pk: permission_words(row) for row in found}


def _label(name: str) -> str:
    # The name is that of a column, not of a relation from elsewhere.
    return capfirst(str(User._meta.get_field(name).verbose_name))  # type: ignore[union-attr]
