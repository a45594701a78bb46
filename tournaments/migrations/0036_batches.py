from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0035_webhook_hands")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="opening",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="tournament",
            name="refunding",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
