from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0036_batches")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="resized",
            field=models.JSONField(
                db_default=models.Value([], models.JSONField()), default=list, editable=False
            ),
        ),
    ]
