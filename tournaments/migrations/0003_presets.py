"""The structures that come with the room, and the permission to run tournaments."""

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
    """Runs after the rows exist."""

    dependencies = [("tournaments", "0002_rounds")]

    operations = [
        migrations.AlterModelOptions(
            name="tournament",
            options={
                "ordering": ["-pk"],
                "permissions": [
                    ("run_tournament", "Can open, start, pause, resume and cancel"),
                ],
                "verbose_name": "tournament",
                "verbose_name_plural": "tournaments",
            },
        ),
        migrations.RunPython(add_presets, migrations.RunPython.noop),
    ]
