"""Make the table of hands the first partition of one that has a partition for each month."""

from __future__ import annotations

from django.db import migrations

from tables.migrations import _hand_months


class Migration(migrations.Migration):
    expands = "name, columns and rights of the table stay; a row without a key gets one as before"

    dependencies = [
        ("tables", "0012_hands_before_months"),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'"),
        migrations.RunSQL(_hand_months.KEYS),
        migrations.RunSQL(_hand_months.PARENT),
        migrations.RunSQL(_hand_months.MONTHS),
        # PostgreSQL holds it within each partition; over all of them the row of the table does.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(model_name="hand", name="hand_settles_once")
            ]
        ),
    ]
