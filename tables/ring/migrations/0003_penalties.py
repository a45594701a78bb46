"""Penalties, and audit rows of ring games, which are only ever added."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Tables of penalties and audit rows, the latter under the trigger of the ledger."""

    dependencies: ClassVar = [
        ("accounts", "0006_seals"),
        ("ring", "0002_presets"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="RingAuditRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("action", models.CharField(max_length=30, verbose_name="action")),
                ("reason", models.CharField(blank=True, max_length=300, verbose_name="reason")),
                ("details", models.JSONField(default=dict, verbose_name="details")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="actor",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit",
                        to="ring.ringgame",
                        verbose_name="ring game",
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit",
                        to="ring.ringsession",
                    ),
                ),
            ],
            options={
                "verbose_name": "audit row of a ring game",
                "verbose_name_plural": "audit rows of ring games",
            },
        ),
        migrations.CreateModel(
            name="Penalty",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.BigIntegerField(verbose_name="amount")),
                ("reason", models.CharField(max_length=300, verbose_name="reason")),
                ("ordered_at", models.DateTimeField(auto_now_add=True, verbose_name="ordered at")),
                ("planned_hand", models.PositiveIntegerField(blank=True, null=True)),
                ("planned", models.BigIntegerField(default=0)),
                (
                    "taken_hand",
                    models.PositiveIntegerField(
                        blank=True, null=True, verbose_name="taken in hand"
                    ),
                ),
                ("taken", models.BigIntegerField(default=0, verbose_name="taken")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="ordered by",
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="penalties",
                        to="ring.ringsession",
                        verbose_name="session",
                    ),
                ),
            ],
            options={
                "verbose_name": "penalty",
                "verbose_name_plural": "penalties",
                "indexes": [
                    models.Index(
                        condition=models.Q(("taken_hand", None)),
                        fields=["session"],
                        name="ring_penalty_open",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("amount__gt", 0)), name="ring_penalty_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("taken__gte", 0), ("taken__lte", models.F("amount"))),
                        name="ring_penalty_taken_in_range",
                    ),
                ],
            },
        ),
        migrations.RunSQL(
            "CREATE TRIGGER ring_audit_append_only BEFORE UPDATE OR DELETE ON ring_ringauditrow"
            " FOR EACH ROW EXECUTE FUNCTION ledger_append_only();",
            reverse_sql="DROP TRIGGER ring_audit_append_only ON ring_ringauditrow;",
        ),
    ]
