"""Presets that came after a room was made, stud's among them, where their names are free."""

from __future__ import annotations

from django.db import migrations

from tournaments.migrations import _presets


class Migration(migrations.Migration):
    """Once more what `0003_presets` did, for rooms that have it behind them."""

    dependencies = [("tournaments", "0012_rulings")]

    operations = [migrations.RunPython(_presets.add_presets, migrations.RunPython.noop)]
