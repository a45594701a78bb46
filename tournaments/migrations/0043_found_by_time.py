from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0042_start_zone")]

    operations = [
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(fields=["started_ms"], name="tournament_by_start"),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(fields=["finished_at"], name="tournament_by_end"),
        ),
    ]
