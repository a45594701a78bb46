"""Figures of dealt cards in boxes; `manage.py recount_conduct` counts those from before anew."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

FIGURES = (
    *("hands", "ranks", "suits", "pairs", "suited", "premium", "board_ranks", "board_suits"),
    *("all_ins", "won", "due", "spread"),
)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("dealt", "0001_dealt")]

    operations: ClassVar = [
        # Rows in plain are counted anew: a migration has no key to box them with.
        migrations.RunSQL("TRUNCATE dealt_dealtday", migrations.RunSQL.noop),
        *(migrations.RemoveField("dealtday", name) for name in FIGURES),
        migrations.AddField(
            "dealtday", "month", models.PositiveIntegerField(default=0), preserve_default=False
        ),
        migrations.AddField(
            "dealtday", "key", models.BinaryField(default=b""), preserve_default=False
        ),
        migrations.AddField(
            "dealtday", "box", models.BinaryField(default=b""), preserve_default=False
        ),
    ]
