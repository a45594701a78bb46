"""Let roles that take dumps read each month of hands from the moment it is made."""

from __future__ import annotations

from django.db import migrations

from tables.migrations import _hand_months


class Migration(migrations.Migration):
    expands = "a function of the same name and answer; roles get a right to read more, none less"

    dependencies = [
        ("tables", "0015_labels"),
    ]

    operations = [
        migrations.RunSQL(_hand_months.READABLE, _hand_months.UNREADABLE),
        migrations.RunSQL(_hand_months.READABLE_NOW, migrations.RunSQL.noop),
    ]
