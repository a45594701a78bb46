"""The right to rule about players says that it seats them, too."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BEFORE, AFTER = "Can move and disqualify players", "Can seat, move and disqualify players"


def rename(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Rename the right of a room that has it; a new one gets it with its name of today."""
    rows = apps.get_model("auth", "Permission").objects
    rows.filter(codename="rule_players", name=BEFORE).update(name=AFTER)


def rename_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give the right the name it had."""
    rows = apps.get_model("auth", "Permission").objects
    rows.filter(codename="rule_players", name=AFTER).update(name=BEFORE)


class Migration(migrations.Migration):
    """The words of a permission."""

    dependencies = [
        ("tournaments", "0026_prize_tickets"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="tournament",
            options={
                "ordering": ["-pk"],
                "permissions": [
                    ("run_tournament", "Can open, start, pause, resume and cancel"),
                    ("rule_players", "Can seat, move and disqualify players"),
                    ("message_players", "Can send a message to all players"),
                ],
                "verbose_name": "tournament",
                "verbose_name_plural": "tournaments",
            },
        ),
        migrations.RunPython(rename, rename_back),
    ]
