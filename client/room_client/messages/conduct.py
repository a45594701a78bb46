"""Notices of warnings to their players. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec


class PlayerWarned(msgspec.Struct, frozen=True, tag_field="type", tag="warned"):
    """Staff have warned you for your conduct; your page of warnings says why."""

    warning: int
