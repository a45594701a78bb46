"""Values as text of TOML, for the flat documents that exports write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import time

Value = str | int | bool | time | list[str] | list[int]


def document(fields: Mapping[str, Value | None]) -> str:
    """Return one `key = value` line a field in their order; fields that are None are left out."""
    lines = (f"{key} = {text(value)}\n" for key, value in fields.items() if value is not None)
    return "".join(lines)


def text(value: Value) -> str:
    """Return a value as TOML; strings are basic strings on one line with every escape."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON escapes as TOML does, but for DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{_joined(value)}]"
    return str(value)


def _joined(values: Iterable[str | int]) -> str:
    return ", ".join(text(value) for value in values)
