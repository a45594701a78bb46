"""Figures of dealt cards of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
It leaves out the emptying of 0002: a new database has no rows in plain.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("dealt", "0001_dealt"), ("dealt", "0002_boxed")]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                ("month", models.PositiveIntegerField()),
                ("key", models.BinaryField()),
                ("box", models.BinaryField()),
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
