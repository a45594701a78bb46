"""Tables, hands and decks of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
It leaves out 0005, which names the players of earlier hands: a new database has none.
"""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.postgres.new_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("tables", "0001_tables"),
        ("tables", "0002_showdown"),
        ("tables", "0003_told_after_shown"),
        ("tables", "0004_hand_users"),
        ("tables", "0005_users_of_earlier_hands"),
        ("tables", "0006_sealed_decks"),
        ("tables", "0007_pledge"),
        ("tables", "0008_call_key"),
        ("tables", "0009_void_hands_of_table"),
        ("tables", "0010_escrow"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name="CallKey",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("public", models.BinaryField(max_length=32, unique=True)),
                    ("first_used_at", models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    "verbose_name": "call key",
                    "verbose_name_plural": "call keys",
                },
            ),
            migrations.CreateModel(
                name="Table",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("director", models.CharField(max_length=20)),
                    (
                        "game",
                        models.BigIntegerField(help_text="key of the tournament or ring game"),
                    ),
                    (
                        "number",
                        models.PositiveIntegerField(help_text="number people see, counted from 1"),
                    ),
                    ("seats_max", models.PositiveSmallIntegerField()),
                    (
                        "status",
                        models.CharField(
                            choices=[("open", "open"), ("closed", "closed")],
                            default="open",
                            max_length=10,
                        ),
                    ),
                    ("epoch", models.BigIntegerField(default=1)),
                    (
                        "hand",
                        models.PositiveIntegerField(
                            default=0, help_text="number of the last settled hand"
                        ),
                    ),
                    ("button", models.PositiveSmallIntegerField(blank=True, null=True)),
                    ("small_blind", models.PositiveSmallIntegerField(blank=True, null=True)),
                    ("big_blind", models.PositiveSmallIntegerField(blank=True, null=True)),
                    ("dead_small_blind", models.PositiveSmallIntegerField(blank=True, null=True)),
                    (
                        "round",
                        models.PositiveIntegerField(
                            default=0, help_text="last finished common round"
                        ),
                    ),
                    ("granted_hand", models.PositiveIntegerField(default=0)),
                    (
                        "grant",
                        models.BinaryField(
                            blank=True, help_text="answer for the granted hand", null=True
                        ),
                    ),
                    ("opened_at", models.DateTimeField(auto_now_add=True)),
                    ("closed_at", models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    "verbose_name": "table",
                    "verbose_name_plural": "tables",
                    "indexes": [
                        models.Index(
                            fields=["director", "game", "status"],
                            name="tables_tabl_directo_44d873_idx",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("director", "game", "number"), name="table_number_once_in_game"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("granted_hand__gte", models.F("hand"))),
                            name="grant_not_before_hand",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Hand",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("number", models.PositiveIntegerField()),
                    ("epoch", models.BigIntegerField()),
                    ("digest", models.CharField(max_length=64)),
                    ("record", models.BinaryField()),
                    ("level", models.PositiveSmallIntegerField()),
                    ("players", models.PositiveSmallIntegerField()),
                    ("actions", models.PositiveIntegerField()),
                    ("pot", models.BigIntegerField()),
                    ("finished_at", models.DateTimeField(auto_now_add=True)),
                    (
                        "released_at",
                        models.DateTimeField(
                            help_text="when its result was to be told, on the room's clock",
                            null=True,
                        ),
                    ),
                    (
                        "users",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.BigIntegerField(),
                            editable=False,
                            help_text="keys of the players who were dealt in",
                            null=True,
                            size=None,
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="hands",
                            to="tables.table",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "hand",
                    "verbose_name_plural": "hands",
                    "permissions": [("see_hole_cards", "Can see the hole cards of finished hands")],
                    "indexes": [
                        django.contrib.postgres.indexes.GinIndex(
                            fields=["users"], gin_pending_list_limit=256, name="hand_of_user"
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("table", "number"), name="hand_settles_once"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="SealedDeck",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("epoch", models.BigIntegerField()),
                    ("hand", models.PositiveIntegerField()),
                    ("seal", models.BinaryField(max_length=32, unique=True)),
                    ("sealed_ms", models.BigIntegerField()),
                    (
                        "escrow",
                        models.BinaryField(
                            help_text="secret of the deck, for the auditor alone",
                            max_length=80,
                            null=True,
                        ),
                    ),
                    (
                        "fate",
                        models.PositiveSmallIntegerField(
                            choices=[
                                (1, "played"),
                                (2, "void in play"),
                                (3, "void before cards"),
                                (4, "unplayed"),
                            ],
                            null=True,
                            verbose_name="fate",
                        ),
                    ),
                    ("reason", models.PositiveSmallIntegerField(default=0, verbose_name="reason")),
                    ("ended_ms", models.BigIntegerField(default=0)),
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="sealed_decks",
                            to="tables.table",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "sealed deck",
                    "verbose_name_plural": "sealed decks",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("fate", 2)),
                            fields=["table"],
                            name="void_hands_of_table",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("table", "epoch", "hand"), name="hand_sealed_once"
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(("fate", None)),
                            fields=("table",),
                            name="table_has_one_open_seal",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Seat",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("seat", models.PositiveSmallIntegerField()),
                    ("entry", models.BigIntegerField(unique=True)),
                    ("name", models.CharField(max_length=30)),
                    ("chips", models.BigIntegerField()),
                    ("bank_ms", models.PositiveIntegerField(default=0)),
                    ("absent", models.BooleanField(default=False)),
                    (
                        "showdown",
                        models.CharField(
                            default="auto",
                            help_text="what becomes of beaten hands; told to nobody",
                            max_length=4,
                        ),
                    ),
                    (
                        "pledge",
                        models.BinaryField(blank=True, db_default=b"", default=b"", max_length=32),
                    ),
                    ("newcomer", models.BooleanField(default=True)),
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="seats",
                            to="tables.table",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                        ),
                    ),
                ],
                options={
                    "verbose_name": "seat",
                    "verbose_name_plural": "seats",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("table", "seat"), name="seat_holds_one_entry"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("chips__gte", 0)), name="seat_chips_not_negative"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="ShardGeneration",
                fields=[
                    ("shard", models.PositiveIntegerField(primary_key=True, serialize=False)),
                    ("generation", models.CharField(max_length=40)),
                    ("adopted_at", models.DateTimeField(auto_now=True)),
                ],
            ),
            migrations.CreateModel(
                name="DecidedHand",
                fields=[
                    (
                        "table",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            related_name="decided_hand",
                            serialize=False,
                            to="tables.table",
                        ),
                    ),
                    ("epoch", models.BigIntegerField()),
                    ("number", models.PositiveIntegerField()),
                    ("state", models.BinaryField()),
                    ("decided_at", models.DateTimeField()),
                ],
            ),
        ),
    ]
