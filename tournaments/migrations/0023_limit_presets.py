"""The presets of split and spread limit for rooms that are older, where their names are free."""

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
    """Once more what `0013_presets_again` did: split, spread and stud_spread are new (B-03, B-04)."""

    dependencies = [("tournaments", "0022_private_tournaments")]

    operations = [migrations.RunPython(add_presets, migrations.RunPython.noop)]
