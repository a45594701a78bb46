"""Structures that come with the room, as migrations add them."""

from __future__ import annotations

import msgspec
from django.apps.registry import Apps

from tournaments.engine.presets import PRESETS


def add_presets(apps: Apps, schema_editor: object) -> None:
    """Add every preset whose name is free (L-02)."""
    structures = apps.get_model("tournaments", "Structure")
    for preset in PRESETS.values():
        items = msgspec.to_builtins(preset.structure)["items"]
        structures.objects.get_or_create(
            name=preset.name,
            defaults={"items": items, "starting_stack": preset.starting_stack},
        )
