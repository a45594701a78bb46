"""Hands that were settled before wait to be counted like those that come."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

WAITING = """
INSERT INTO conduct_uncountedhand (hand)
SELECT id FROM tables_hand WHERE finished_at > statement_timestamp() - interval '180 days'
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("conduct", "0001_conduct")]

    operations: ClassVar = [migrations.RunSQL(WAITING, migrations.RunSQL.noop)]
