"""The structures that come with the room, and the permission to run tournaments."""

from __future__ import annotations

from django.db import migrations

from tournaments.migrations import _presets


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
        migrations.RunPython(_presets.add_presets, migrations.RunPython.noop),
    ]
