"""Settings of the sources that ring games lacked: first button by lot, secret mucked hands."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ring", "0009_labels"),
    ]

    operations = [
        migrations.AddField(
            model_name="ringgame",
            name="button_by_lot",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="How each table finds it (C-04).",
                verbose_name="first button by lot",
            ),
        ),
        migrations.AddField(
            model_name="ringgame",
            name="muck_secret",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Nobody may look them up after the hand (S-03).",
                verbose_name="mucked hands stay secret",
            ),
        ),
    ]
