from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("statistics", "0001_statistics")]

    operations = [
        migrations.AlterField(
            model_name="playercounts",
            name="director",
            field=models.CharField(max_length=20, verbose_name="directed by"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="game",
            field=models.BigIntegerField(
                help_text="key of the tournament or ring game", verbose_name="game number"
            ),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="net",
            field=models.BigIntegerField(default=0, verbose_name="chips won"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="played_ms",
            field=models.BigIntegerField(default=0, verbose_name="time played (ms)"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="raised",
            field=models.PositiveIntegerField(default=0, verbose_name="raised before the flop"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="saw_second",
            field=models.PositiveIntegerField(default=0, verbose_name="saw the flop"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="showdowns",
            field=models.PositiveIntegerField(default=0, verbose_name="showdowns"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="showdowns_won",
            field=models.PositiveIntegerField(default=0, verbose_name="showdowns won"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="three_bet_chances",
            field=models.PositiveIntegerField(default=0, verbose_name="chances to re-raise"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="three_bets",
            field=models.PositiveIntegerField(default=0, verbose_name="re-raised"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="voluntary",
            field=models.PositiveIntegerField(default=0, verbose_name="hands played by choice"),
        ),
        migrations.AlterField(
            model_name="playercounts",
            name="won",
            field=models.PositiveIntegerField(default=0, verbose_name="hands won"),
        ),
    ]
