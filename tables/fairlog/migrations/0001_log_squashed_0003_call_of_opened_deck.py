"""Log of decks of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
It leaves out the seals that were open when the log began (0002): a new database has none.
"""

import django.db.models.deletion
from django.db import migrations, models

from config.postgres.new_models import CreateModels
from tables.fairlog.migrations import _laws


class Migration(migrations.Migration):
    replaces = [
        ("fairlog", "0001_log"),
        ("fairlog", "0002_laws"),
        ("fairlog", "0003_call_of_opened_deck"),
    ]

    initial = True

    dependencies = [
        ("tables", "0009_void_hands_of_table"),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name="LogDay",
                fields=[
                    (
                        "day",
                        models.DateField(primary_key=True, serialize=False, verbose_name="day"),
                    ),
                    ("size", models.BigIntegerField(default=0, verbose_name="leaves")),
                    ("root", models.BinaryField(default=b"")),
                    ("note", models.TextField(default="")),
                    ("played", models.PositiveIntegerField(default=0, verbose_name="played")),
                    ("void", models.PositiveIntegerField(default=0, verbose_name="void")),
                    ("unplayed", models.PositiveIntegerField(default=0, verbose_name="unplayed")),
                    ("in_time", models.PositiveIntegerField(default=0, verbose_name="cut in time")),
                    ("late", models.PositiveIntegerField(default=0, verbose_name="cut too late")),
                    ("silent", models.PositiveIntegerField(default=0, verbose_name="silent")),
                    (
                        "unpledged",
                        models.PositiveIntegerField(default=0, verbose_name="without a pledge"),
                    ),
                    (
                        "uncut",
                        models.PositiveIntegerField(
                            default=0, verbose_name="hands that nobody cut"
                        ),
                    ),
                ],
                options={
                    "verbose_name": "day of the log",
                    "verbose_name_plural": "days of the log",
                },
            ),
            migrations.CreateModel(
                name="OpenedDeck",
                fields=[
                    (
                        "deck",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            primary_key=True,
                            related_name="opened",
                            serialize=False,
                            to="tables.sealeddeck",
                        ),
                    ),
                    ("secret", models.BinaryField(max_length=32)),
                    ("called", models.BinaryField(null=True)),
                ],
                options={
                    "verbose_name": "opened deck",
                    "verbose_name_plural": "opened decks",
                },
            ),
            migrations.CreateModel(
                name="LogTile",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("level", models.PositiveSmallIntegerField()),
                    ("number", models.BigIntegerField()),
                    ("hashes", models.BinaryField()),
                ],
                options={
                    "verbose_name": "tile of the log",
                    "verbose_name_plural": "tiles of the log",
                    "constraints": [
                        models.UniqueConstraint(fields=("level", "number"), name="tile_stored_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="LogLeaf",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "kind",
                        models.PositiveSmallIntegerField(
                            choices=[(0, "GENESIS"), (1, "SEAL"), (2, "FATE"), (3, "KEYS")]
                        ),
                    ),
                    (
                        "index",
                        models.BigIntegerField(
                            help_text="place in the log, from 0", null=True, unique=True
                        ),
                    ),
                    ("leaf", models.BinaryField(null=True)),
                    (
                        "deck",
                        models.ForeignKey(
                            db_constraint=False,
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.DO_NOTHING,
                            related_name="leaves",
                            to="tables.sealeddeck",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "leaf of the log",
                    "verbose_name_plural": "leaves of the log",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("index", None)),
                            fields=["id"],
                            name="leaves_pending",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(fields=("deck", "kind"), name="deck_logged_once"),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("index", None), ("leaf", None)),
                                models.Q(("index__gte", 0), ("leaf__isnull", False)),
                                _connector="OR",
                            ),
                            name="leaf_has_index_and_bytes",
                        ),
                    ],
                },
            ),
        ),
        migrations.RunSQL(_laws.LOG, _laws.NO_LOG),
    ]
