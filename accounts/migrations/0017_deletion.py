"""Deleted accounts: when, and the names that nobody gets again."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from accounts.migrations import _laws


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0016_second_factor")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="RetiredName",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ],
            options={"verbose_name": "retired name", "verbose_name_plural": "retired names"},
        ),
        migrations.AddField(
            model_name="user",
            name="deleted_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="deleted at"),
        ),
        migrations.RunSQL(_laws.RETIRED_NAMES, reverse_sql=_laws.NO_RETIRED_NAMES),
    ]
