"""Pledges of players in rapid pools, for the next hand that deals them in."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ring", "0007_club_games")]

    operations: ClassVar = [
        migrations.AddField(
            "ringsession",
            "pledge",
            models.BinaryField(blank=True, db_default=b"", default=b"", max_length=32),
        )
    ]
