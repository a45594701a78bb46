from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill_time_banks(apps: Any, schema_editor: Any) -> None:
    """Give players of pools the whole time bank of their game."""
    sessions = apps.get_model("ring", "RingSession").objects.filter(table=None)
    games = apps.get_model("ring", "RingGame").objects.filter(pk=OuterRef("game"))
    sessions.exclude(state="left").update(bank_ms=Subquery(games.values("bank_ms")))


class Migration(migrations.Migration):
    dependencies = [
        ("ring", "0005_rapid"),
    ]

    operations = [
        migrations.AddField(
            model_name="ringsession",
            name="bank_ms",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="ringsession",
            name="showdown",
            field=models.CharField(default="auto", max_length=4),
        ),
        migrations.AddField(
            model_name="ringsession",
            name="lost_connection",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(fill_time_banks, migrations.RunPython.noop),
    ]
