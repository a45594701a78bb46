"""Everything the room holds about a player, as JSON and CSV in a zip file."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from accounts.users import exported_rows

Section = Callable[[User], Iterable[Mapping[str, Any]]]

_sections: dict[str, Section] = {}
_files: dict[str, Callable[[User], bytes | None]] = {}


def register(name: str, section: Section) -> None:
    """Register the rows of another app under a file name without ending."""
    assert name not in _sections, name
    _sections[name] = section


def register_file(name: str, read: Callable[[User], bytes | None]) -> None:
    """Register a file of another app under its name; `read` returns None where there is none."""
    assert name not in _files, name
    _files[name] = read


def sections() -> dict[str, Section]:
    """Return the sections of all apps by file name without ending."""
    return exported_rows.SECTIONS | _sections


def zipped(user: User) -> bytes:
    """Return the zip file: `account.json` with all sections, a CSV file of each, own pictures.

    A section holds its newest EXPORTED_ROWS_MAX rows; money in minor units, times in UTC.
    """
    found = {name: list(rows(user)) for name, rows in sections().items()}
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        text = json.dumps(found, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        packed.writestr("account.json", text)
        for name, rows in found.items():
            packed.writestr(f"{name}.csv", _csv(rows))
        for name, read in _files.items():
            if (content := read(user)) is not None:
                packed.writestr(name, content)
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
