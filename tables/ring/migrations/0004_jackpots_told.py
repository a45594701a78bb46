"""Jackpots are told once, after their cards were shown; those of earlier hands count as told."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Column and index of wins that are still to be told."""

    dependencies: ClassVar = [("ring", "0003_penalties")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="jackpotwin",
            name="told",
            field=models.BooleanField(default=True),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="told",
            field=models.BooleanField(default=False),
        ),
        migrations.AddIndex(
            model_name="jackpotwin",
            index=models.Index(
                condition=models.Q(("told", False)),
                fields=["released_at"],
                name="jackpot_win_untold",
            ),
        ),
    ]
