"""Account kinds of ring games."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_welcome_counts"),
    ]

    operations = [
        migrations.AlterField(
            model_name="account",
            name="kind",
            field=models.CharField(
                choices=[
                    ("player", "player"),
                    ("bonus", "bonus of a player"),
                    ("pool", "prize pool"),
                    ("bounty", "bounties"),
                    ("fee", "fees"),
                    ("ticket", "ticket liability"),
                    ("room", "room"),
                    ("promotion", "promotions of the room"),
                    ("reserve", "set aside for a tournament"),
                    ("bank", "source of play money"),
                    ("ring", "chips at a ring table"),
                    ("jackpot", "jackpot pool"),
                ],
                max_length=16,
                verbose_name="kind",
            ),
        ),
    ]
