"""Warnings of players, each with the case that decided it."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("conduct", "0002_hands_before"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="ConductWarning",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "words",
                    models.CharField(
                        blank=True, max_length=300, verbose_name="words to the player"
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made at")),
                (
                    "read_at",
                    models.DateTimeField(editable=False, null=True, verbose_name="read at"),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="by",
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="warnings",
                        to="conduct.conductcase",
                        verbose_name="case",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "warning",
                "verbose_name_plural": "warnings",
                "indexes": [
                    models.Index(
                        condition=models.Q(("read_at", None)),
                        fields=["user"],
                        name="unread_warnings",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("case", "user"), name="one_warning_of_case")
                ],
            },
        ),
    ]
