from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0037_resized")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="sharing",
            field=models.PositiveBigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="shares_fees",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
