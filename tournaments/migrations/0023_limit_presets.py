"""The presets of split and spread limit for rooms that are older, where their names are free."""

from __future__ import annotations

from django.db import migrations

from tournaments.migrations import _presets


class Migration(migrations.Migration):
    """Once more what `0013_presets_again` did: split, spread and stud_spread are new (B-03, B-04)."""

    dependencies = [("tournaments", "0022_private_tournaments")]

    operations = [migrations.RunPython(_presets.add_presets, migrations.RunPython.noop)]
