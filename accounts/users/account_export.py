"""Everything the room holds about a player, as JSON and CSV in a zip file."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import (
    Account,
    EmailAddress,
    LoginSession,
    Membership,
    OwnLimit,
    Passkey,
    Posting,
    User,
)
from config import limits

Section = Callable[[User], Iterable[Mapping[str, Any]]]

_sections: dict[str, Section] = {}


def register(name: str, section: Section) -> None:
    """Register the rows of another app under a file name without ending."""
    assert name not in _sections, name
    _sections[name] = section


def zipped(user: User) -> bytes:
    """Return the zip file: `account.json` with all sections, and a CSV file of each.

    A section holds its newest EXPORTED_ROWS_MAX rows; money in minor units, times in UTC.
    """
    sections = {name: list(rows(user)) for name, rows in (_OWN | _sections).items()}
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        text = json.dumps(sections, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        packed.writestr("account.json", text)
        for name, rows in sections.items():
            packed.writestr(f"{name}.csv", _csv(rows))
    return held.getvalue()


def _csv(rows: list[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Return a value that a spreadsheet takes for no formula."""
    is_formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if is_formula else value


def _profile(user: User) -> Iterable[Mapping[str, Any]]:
    columns = ("id", "name", "email", "language", "date_joined", "last_login", "is_pro", "is_bot")
    found: Iterable[Mapping[str, Any]] = User.objects.filter(pk=user.pk).values(*columns)
    return found


def _addresses(user: User) -> Iterable[Mapping[str, Any]]:
    rows = EmailAddress.objects.filter(user=user).order_by("pk")
    return rows.values("address", "is_primary", "confirmed_at")


def _sessions(user: User) -> Iterable[Mapping[str, Any]]:
    columns = ("device", "address", "began_at", "seen_at")
    found: Iterable[Mapping[str, Any]] = LoginSession.objects.filter(user=user).values(*columns)
    return found


def _passkeys(user: User) -> Iterable[Mapping[str, Any]]:
    return Passkey.objects.filter(user=user).values("name", "made_at", "used_at")


def _clubs(user: User) -> Iterable[Mapping[str, Any]]:
    return Membership.objects.filter(user=user).values("club__name", "role")


def _limits(user: User) -> Iterable[Mapping[str, Any]]:
    columns = ("entries_a_day", "money_a_week", "wanted", "wanted_at", "excluded_until")
    found: Iterable[Mapping[str, Any]] = OwnLimit.objects.filter(user=user).values(*columns)
    return found


def _accounts(user: User) -> Iterable[Mapping[str, Any]]:
    return Account.objects.filter(user=user).values("kind", "ref", "balance")


def _movements(user: User) -> Iterable[Mapping[str, Any]]:
    columns = ("transfer__created", "transfer__kind", "transfer__memo", "account__kind")
    rows = Posting.objects.filter(account__user=user).order_by("-pk")
    found: Iterable[Mapping[str, Any]] = rows.values(*columns, "amount", "balance_after")[
        : limits.EXPORTED_ROWS_MAX
    ]
    return found


_OWN: dict[str, Section] = {
    "profile": _profile,
    "addresses": _addresses,
    "sessions": _sessions,
    "passkeys": _passkeys,
    "clubs": _clubs,
    "own_limits": _limits,
    "accounts": _accounts,
    "movements": _movements,
}
