from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0038_sharing")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="paying",
            field=models.PositiveBigIntegerField(blank=True, editable=False, null=True),
        ),
    ]
