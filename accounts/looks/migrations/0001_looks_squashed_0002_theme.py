"""Looks of tables of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("looks", "0001_looks"), ("looks", "0002_theme")]

    initial = True

    dependencies = [
        ("accounts", "0018_passkeys"),
    ]

    operations = [
        migrations.CreateModel(
            name="TableLook",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "theme",
                    models.CharField(
                        choices=[("device", "Like my device"), ("night", "Night"), ("day", "Day")],
                        default="device",
                        max_length=8,
                        verbose_name="Theme",
                    ),
                ),
                (
                    "felt",
                    models.CharField(
                        choices=[
                            ("green", "Green"),
                            ("blue", "Blue"),
                            ("red", "Red"),
                            ("grey", "Grey"),
                        ],
                        default="green",
                        max_length=8,
                        verbose_name="Felt",
                    ),
                ),
                (
                    "deck",
                    models.CharField(
                        choices=[("four", "Four colours"), ("two", "Two colours")],
                        default="four",
                        max_length=8,
                        verbose_name="Deck",
                    ),
                ),
                (
                    "size",
                    models.CharField(
                        choices=[("normal", "Normal"), ("large", "Large")],
                        default="normal",
                        max_length=8,
                        verbose_name="Size",
                    ),
                ),
            ],
            options={
                "verbose_name": "look of tables",
                "verbose_name_plural": "looks of tables",
            },
        ),
    ]
