"""Prove that hands of before have keys below those of months, while play goes on."""

from __future__ import annotations

from django.db import migrations

from tables.migrations import _hand_months


class Migration(migrations.Migration):
    atomic = False

    expands = "keys that an older process takes from the sequence of before are below 10^10"

    dependencies = [
        ("tables", "0011_hand_archive"),
    ]

    operations = [
        migrations.RunSQL(_hand_months.BOUND),
        migrations.RunSQL("SET statement_timeout = 0"),
        migrations.RunSQL(_hand_months.VALID),
        migrations.RunSQL("RESET statement_timeout"),
    ]
