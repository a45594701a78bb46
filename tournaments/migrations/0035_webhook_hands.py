from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0034_club_templates")]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="tells_hands",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Each finished hand as spectators saw it (JSON only).",
                verbose_name="tells hands",
            ),
        ),
    ]
