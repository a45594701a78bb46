"""Rake tables and jackpots of the rules, and the first key of a session."""

from __future__ import annotations

from django.db import migrations

from tables.ring.migrations import _presets

FIRST_KEY = 10**12


class Migration(migrations.Migration):
    """Presets; keys of sessions begin at 10**12, apart from the entries of tournaments."""

    dependencies = [("ring", "0001_ring")]

    operations = [
        migrations.RunPython(_presets.write, migrations.RunPython.noop),
        migrations.RunSQL(
            f"ALTER TABLE ring_ringsession ALTER COLUMN id SET START WITH {FIRST_KEY} RESTART",
            migrations.RunSQL.noop,
        ),
    ]
