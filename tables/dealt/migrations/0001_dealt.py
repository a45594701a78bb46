"""Table of the cards that players were dealt, by day."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies: ClassVar = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="DealtDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("cards", models.PositiveSmallIntegerField()),
                ("hands", models.PositiveIntegerField(default=0)),
                (
                    "ranks",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), size=None
                    ),
                ),
                (
                    "suits",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), size=None
                    ),
                ),
                ("pairs", models.PositiveIntegerField(default=0)),
                ("suited", models.PositiveIntegerField(default=0)),
                ("premium", models.PositiveIntegerField(default=0)),
                (
                    "board_ranks",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), size=None
                    ),
                ),
                (
                    "board_suits",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), size=None
                    ),
                ),
                ("all_ins", models.PositiveIntegerField(default=0)),
                ("won", models.BigIntegerField(default=0)),
                ("due", models.BigIntegerField(default=0)),
                ("spread", models.BigIntegerField(default=0)),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "cards dealt on a day",
                "verbose_name_plural": "cards dealt by day",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "day", "cards"), name="dealt_once_a_day"
                    )
                ],
            },
        ),
    ]
