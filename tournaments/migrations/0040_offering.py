from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0039_paying")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="offering",
            field=models.PositiveBigIntegerField(blank=True, editable=False, null=True),
        ),
    ]
