"""PostgreSQL itself keeps the laws of the log, whoever writes to it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from tables.fairlog.migrations import _laws

# A seal that is open now is logged, so that its fate follows it; what ended before is in the
# genesis.
OPEN_SEALS = """
INSERT INTO fairlog_logleaf (deck_id, kind)
SELECT id, 1 FROM tables_sealeddeck WHERE fate IS NULL ORDER BY id
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("fairlog", "0001_log")]

    operations: ClassVar = [
        migrations.RunSQL(OPEN_SEALS, migrations.RunSQL.noop),
        migrations.RunSQL(_laws.LOG, _laws.NO_LOG),
    ]
