"""Ladders of bots of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.postgres.new_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("bot_ladder", "0001_ladders"), ("bot_ladder", "0002_duplicates")]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0032_bots"),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name="BotLadder",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=60, unique=True, verbose_name="name")),
                    (
                        "is_open",
                        models.BooleanField(
                            default=True,
                            help_text="A closed ladder stays to be seen and rates nothing.",
                            verbose_name="open",
                        ),
                    ),
                    (
                        "duplicate",
                        models.BooleanField(
                            default=False,
                            help_text="In research rooms: each Sit & Go is played once from every seat with the same cards, and all of them are rated as one game.",
                            verbose_name="duplicate deals",
                        ),
                    ),
                    (
                        "rated",
                        models.PositiveIntegerField(
                            default=0, editable=False, verbose_name="rated games"
                        ),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="created at")),
                    (
                        "templates",
                        models.ManyToManyField(
                            help_text="All tournaments of these templates for bots alone are rated.",
                            related_name="ladders",
                            to="tournaments.template",
                            verbose_name="templates",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "ladder",
                    "verbose_name_plural": "ladders",
                    "ordering": ["name"],
                },
            ),
            migrations.CreateModel(
                name="RatedBot",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "decisions",
                        models.PositiveBigIntegerField(default=0, verbose_name="decisions"),
                    ),
                    (
                        "time_outs",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="turns that its clock ended",
                            verbose_name="time-outs",
                        ),
                    ),
                    (
                        "crashes",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="turns that ended while its connection was lost",
                            verbose_name="crashes",
                        ),
                    ),
                    (
                        "missed",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="turns of hands that it was absent from",
                            verbose_name="missed",
                        ),
                    ),
                    ("mu", models.FloatField(verbose_name="mu")),
                    ("sigma", models.FloatField(verbose_name="sigma")),
                    ("games", models.PositiveIntegerField(verbose_name="games")),
                    ("wins", models.PositiveIntegerField(default=0, verbose_name="wins")),
                    ("places", models.FloatField(default=0, verbose_name="sum of places")),
                    (
                        "ladder",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="bots",
                            to="bot_ladder.botladder",
                            verbose_name="ladder",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="bot",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "rated bot",
                    "verbose_name_plural": "rated bots",
                    "ordering": ["-mu", "pk"],
                    "indexes": [
                        models.Index(
                            fields=["ladder", "-mu"], name="bot_ladder__ladder__522563_idx"
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("ladder", "user"), name="bot_once_in_ladder"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="RatedGame",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("number", models.PositiveIntegerField(verbose_name="number")),
                    ("players", models.PositiveIntegerField(verbose_name="players")),
                    ("rated_at", models.DateTimeField(auto_now_add=True, verbose_name="rated at")),
                    (
                        "ladder",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="games",
                            to="bot_ladder.botladder",
                            verbose_name="ladder",
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tournaments.tournament",
                            verbose_name="tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "rated game",
                    "verbose_name_plural": "rated games",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("ladder", "tournament"), name="tournament_rated_once_in_ladder"
                        ),
                        models.UniqueConstraint(
                            fields=("ladder", "number"), name="rated_game_number_once_in_ladder"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="RatedResult",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "decisions",
                        models.PositiveBigIntegerField(default=0, verbose_name="decisions"),
                    ),
                    (
                        "time_outs",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="turns that its clock ended",
                            verbose_name="time-outs",
                        ),
                    ),
                    (
                        "crashes",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="turns that ended while its connection was lost",
                            verbose_name="crashes",
                        ),
                    ),
                    (
                        "missed",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="turns of hands that it was absent from",
                            verbose_name="missed",
                        ),
                    ),
                    ("place", models.FloatField(verbose_name="place")),
                    ("mu", models.FloatField(verbose_name="mu")),
                    ("sigma", models.FloatField(verbose_name="sigma")),
                    (
                        "bot",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="results",
                            to="bot_ladder.ratedbot",
                            verbose_name="rated bot",
                        ),
                    ),
                    (
                        "game",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="results",
                            to="bot_ladder.ratedgame",
                            verbose_name="rated game",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "rated result",
                    "verbose_name_plural": "rated results",
                    "indexes": [
                        models.Index(fields=["bot", "game"], name="bot_ladder__bot_id_6ea916_idx")
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("game", "bot"), name="bot_rated_once_in_game"
                        )
                    ],
                },
            ),
        ),
    ]
