"""Presets that came after a room was made, stud's among them, where their names are free."""

from __future__ import annotations

import msgspec
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from tournaments.engine.presets import PRESETS


def add_presets(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add every preset whose name is free (L-02)."""
    structures = apps.get_model("tournaments", "Structure")
    for preset in PRESETS.values():
        items = msgspec.to_builtins(preset.structure)["items"]
        structures.objects.get_or_create(
            name=preset.name,
            defaults={"items": items, "starting_stack": preset.starting_stack},
        )


class Migration(migrations.Migration):
    """Once more what `0003_presets` did, for rooms that have it behind them."""

    dependencies = [("tournaments", "0012_rulings")]

    operations = [migrations.RunPython(add_presets, migrations.RunPython.noop)]
