"""Conduct of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
It leaves out 0002, which lets earlier hands wait to be counted: a new database has none.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.postgres.new_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("conduct", "0001_conduct"),
        ("conduct", "0002_hands_before"),
        ("conduct", "0003_warnings"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tables", "0009_void_hands_of_table"),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name="UncountedHand",
                fields=[
                    ("hand", models.BigIntegerField(primary_key=True, serialize=False)),
                ],
            ),
            migrations.CreateModel(
                name="ConductCase",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "sign",
                        models.CharField(
                            choices=[
                                ("dumping", "chip dumping"),
                                ("soft_play", "soft play"),
                                ("shared_browser", "shared browser"),
                                ("clockwork", "times like clockwork"),
                                ("tireless", "play around the clock"),
                                ("seeing", "calls that fit hidden cards"),
                                ("reported", "reported by players"),
                            ],
                            max_length=20,
                            verbose_name="sign",
                        ),
                    ),
                    (
                        "score",
                        models.FloatField(
                            help_text="1 is the threshold of its sign", verbose_name="score"
                        ),
                    ),
                    ("figures", models.JSONField(default=dict)),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("open", "open"),
                                ("dismissed", "dismissed"),
                                ("warned", "warned"),
                                ("banned", "banned"),
                            ],
                            default="open",
                            max_length=10,
                            verbose_name="state",
                        ),
                    ),
                    (
                        "opened_at",
                        models.DateTimeField(auto_now_add=True, verbose_name="opened at"),
                    ),
                    ("scored_at", models.DateTimeField(auto_now=True, verbose_name="looked at")),
                    ("decided_at", models.DateTimeField(null=True, verbose_name="decided at")),
                    (
                        "other",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="other player",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="player",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "case",
                    "verbose_name_plural": "cases",
                    "permissions": [("decide_cases", "Can decide cases of conduct")],
                    "indexes": [models.Index(fields=["state", "-score"], name="cases_by_score")],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("state", "open")),
                            fields=("sign", "user", "other"),
                            name="one_open_case_of_pair",
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(("other", None), ("state", "open")),
                            fields=("sign", "user"),
                            name="one_open_case_of_player",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("decided_at", None), ("state", "open")),
                                models.Q(
                                    models.Q(("state", "open"), _negated=True),
                                    ("decided_at__isnull", False),
                                ),
                                _connector="OR",
                            ),
                            name="case_decided_with_its_time",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="ConductWarning",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "words",
                        models.CharField(
                            blank=True, max_length=300, verbose_name="words to the player"
                        ),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made at")),
                    (
                        "read_at",
                        models.DateTimeField(editable=False, null=True, verbose_name="read at"),
                    ),
                    (
                        "by",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="by",
                        ),
                    ),
                    (
                        "case",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="warnings",
                            to="conduct.conductcase",
                            verbose_name="case",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="player",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "warning",
                    "verbose_name_plural": "warnings",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("read_at", None)),
                            fields=["user"],
                            name="unread_warnings",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(fields=("case", "user"), name="one_warning_of_case")
                    ],
                },
            ),
            migrations.CreateModel(
                name="LoginNetwork",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("network", models.CharField(max_length=32)),
                    ("logins", models.PositiveIntegerField(default=0)),
                    ("last_at", models.DateTimeField()),
                    (
                        "user",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "network of a log-in",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("user", "network"), name="login_network_once"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="PairConduct",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("month", models.PositiveIntegerField()),
                    ("meetings", models.PositiveIntegerField(default=0)),
                    ("flow", models.BigIntegerField(default=0)),
                    ("capped", models.BigIntegerField(default=0)),
                    ("squares", models.BigIntegerField(default=0)),
                    ("duels", models.PositiveIntegerField(default=0)),
                    ("first_quiet", models.PositiveIntegerField(default=0)),
                    ("second_quiet", models.PositiveIntegerField(default=0)),
                    ("both_quiet", models.PositiveIntegerField(default=0)),
                    ("is_new", models.BooleanField(default=True)),
                    (
                        "first",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "second",
                        models.ForeignKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "conduct of a pair",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("is_new", True)),
                            fields=["id"],
                            name="conduct_new_pairs",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("first", "second", "month"), name="pair_once_a_month"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("first__lt", models.F("second"))),
                            name="pair_in_order",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="PlayerConduct",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("month", models.PositiveIntegerField()),
                    ("hands", models.PositiveIntegerField(default=0)),
                    ("meetings", models.PositiveIntegerField(default=0)),
                    ("flow", models.BigIntegerField(default=0)),
                    ("capped", models.BigIntegerField(default=0)),
                    ("squares", models.BigIntegerField(default=0)),
                    ("duels", models.PositiveIntegerField(default=0)),
                    ("quiet_duels", models.PositiveIntegerField(default=0)),
                    (
                        "times",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.IntegerField(), size=None
                        ),
                    ),
                    (
                        "calls",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.IntegerField(), size=None
                        ),
                    ),
                    ("is_new", models.BooleanField(default=True)),
                    (
                        "user",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "conduct of a player",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("is_new", True)),
                            fields=["id"],
                            name="conduct_new_players",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("user", "month"), name="conduct_once_a_month"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="PlayerDay",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("day", models.DateField()),
                    ("hours", models.PositiveIntegerField(default=0)),
                    (
                        "user",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "day of play",
                    "constraints": [
                        models.UniqueConstraint(fields=("user", "day"), name="day_of_play_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="PlayerReport",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("hand", models.PositiveIntegerField(null=True, verbose_name="hand")),
                    (
                        "reason",
                        models.CharField(
                            choices=[
                                ("collusion", "plays together with another"),
                                ("bot", "plays like a program"),
                                ("accounts", "plays with several accounts"),
                                ("manners", "insults or threatens"),
                                ("other", "something else"),
                            ],
                            max_length=20,
                            verbose_name="reason",
                        ),
                    ),
                    (
                        "words",
                        models.CharField(blank=True, max_length=200, verbose_name="in own words"),
                    ),
                    (
                        "made_at",
                        models.DateTimeField(
                            auto_now_add=True, db_index=True, verbose_name="made at"
                        ),
                    ),
                    (
                        "accused",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="player",
                        ),
                    ),
                    (
                        "by",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="by",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to="tables.table",
                            verbose_name="table",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "report of a player",
                    "verbose_name_plural": "reports of players",
                    "indexes": [
                        models.Index(fields=["accused", "-made_at"], name="reports_of_accused")
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("by", models.F("accused")), _negated=True),
                            name="nobody_reports_oneself",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="SharedBrowser",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("logins", models.PositiveIntegerField(default=0)),
                    ("last_at", models.DateTimeField()),
                    (
                        "first",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "second",
                        models.ForeignKey(
                            db_constraint=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "shared browser",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("first", "second"), name="shared_browser_once"
                        )
                    ],
                },
            ),
        ),
    ]
