"""PostgreSQL itself keeps the laws of the ledger, whoever writes to it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from accounts.migrations import _laws


class Migration(migrations.Migration):
    """Append-only rows, transfers that sum to zero, balances that equal what is booked."""

    dependencies: ClassVar = [("accounts", "0002_ledger")]

    operations: ClassVar = [
        migrations.RunSQL(_laws.LEDGER, reverse_sql=_laws.NO_LEDGER),
    ]
