"""Blind structures of tests."""

from __future__ import annotations

import msgspec

from tournaments.engine.structure import BlindStructure, Break, validate_structure


def counted(structure: BlindStructure, *, hands: int) -> BlindStructure:
    """Return the stakes with every level lasting a number of hands."""
    items = tuple(
        item
        if isinstance(item, Break)
        else msgspec.structs.replace(item, lasts_ms=0, lasts_hands=hands)
        for item in structure.items
    )
    return validate_structure(BlindStructure(items=items))
