from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0041_labels")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="start_zone",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                editable=False,
                max_length=60,
                verbose_name="time zone",
            ),
        ),
    ]
