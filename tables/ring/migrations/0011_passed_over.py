"""Mark of waiting players who could not pay at the last boundary: no seat is kept for them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ring", "0010_hand_options"),
    ]

    operations = [
        migrations.AddField(
            model_name="waitingplayer",
            name="passed_over",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
