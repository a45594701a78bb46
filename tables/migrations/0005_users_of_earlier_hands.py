"""Name the players of hands that were finished before hands named them."""

from typing import Any

from django.db import migrations

from tables.dealer import record

ROWS_AT_ONCE = 500


def name_users(apps: Any, schema_editor: Any) -> None:
    """Fill `users` from the records, in batches of their own transactions; safe to repeat."""
    hands = apps.get_model("tables", "Hand").objects.filter(users__isnull=True).order_by("pk")
    while rows := list(hands.only("record")[:ROWS_AT_ONCE]):
        for row in rows:
            row.users = record.decode(bytes(row.record)).users()
        apps.get_model("tables", "Hand").objects.bulk_update(rows, ["users"])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("tables", "0004_hand_users"),
    ]

    operations = [migrations.RunPython(name_users, migrations.RunPython.noop)]
