"""Audit rows are only ever added, whoever writes to the database."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    """The trigger of the ledger on audit rows, too."""

    dependencies: ClassVar = [
        ("tournaments", "0024_deal_by_chips"),
        ("accounts", "0006_seals"),
    ]

    operations: ClassVar = [
        migrations.RunSQL(
            "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON tournaments_auditrow"
            " FOR EACH ROW EXECUTE FUNCTION ledger_append_only();",
            reverse_sql="DROP TRIGGER audit_append_only ON tournaments_auditrow;",
        ),
    ]
