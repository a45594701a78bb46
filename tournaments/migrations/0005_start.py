"""Split the old format into the way a tournament starts and the format it is played in."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_announcement_age")]

    operations = [
        migrations.RemoveConstraint(model_name="tournament", name="scheduled_has_a_time"),
        migrations.RenameField(model_name="tournament", old_name="format", new_name="start"),
        migrations.AlterField(
            model_name="tournament",
            name="start",
            field=models.CharField(
                choices=[("scheduled", "scheduled"), ("sit_and_go", "Sit & Go")],
                max_length=20,
                verbose_name="start",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=Q(start="sit_and_go") | Q(starts_at__isnull=False),
                name="scheduled_has_a_time",
            ),
        ),
    ]
