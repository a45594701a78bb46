"""Rows of ring games."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("tables", "0003_told_after_shown"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Jackpot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("monte_carlo", "Monte Carlo jackpot"),
                            ("bad_beat", "Bad beat jackpot"),
                            ("smart", "Smart jackpot"),
                        ],
                        max_length=16,
                        unique=True,
                        verbose_name="kind",
                    ),
                ),
                ("enabled", models.BooleanField(default=True, verbose_name="enabled")),
                ("stored_terms", models.JSONField(verbose_name="terms")),
            ],
            options={
                "verbose_name": "jackpot",
                "verbose_name_plural": "jackpots",
            },
        ),
        migrations.CreateModel(
            name="RakeTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60, unique=True, verbose_name="name")),
            ],
            options={
                "verbose_name": "rake table",
                "verbose_name_plural": "rake tables",
            },
        ),
        migrations.CreateModel(
            name="RingGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("variant", models.CharField(default="holdem", max_length=20, verbose_name="game")),
                (
                    "limit",
                    models.CharField(default="no_limit", max_length=20, verbose_name="limit"),
                ),
                ("small_blind", models.BigIntegerField(default=0, verbose_name="small blind")),
                ("big_blind", models.BigIntegerField(default=0, verbose_name="big blind")),
                ("ante", models.BigIntegerField(default=0, verbose_name="ante")),
                (
                    "ante_kind",
                    models.CharField(
                        choices=[
                            ("none", "no ante"),
                            ("per_seat", "each seat"),
                            ("big_blind", "big blind"),
                        ],
                        default="none",
                        max_length=10,
                        verbose_name="ante paid by",
                    ),
                ),
                ("bring_in", models.BigIntegerField(default=0, verbose_name="bring-in")),
                ("small_bet", models.BigIntegerField(default=0, verbose_name="small bet")),
                ("big_bet", models.BigIntegerField(default=0, verbose_name="big bet")),
                ("seats_max", models.PositiveSmallIntegerField(default=6, verbose_name="seats")),
                ("buy_in_min", models.BigIntegerField(verbose_name="smallest buy-in")),
                ("buy_in_max", models.BigIntegerField(verbose_name="largest buy-in")),
                (
                    "action_ms",
                    models.PositiveIntegerField(default=15000, verbose_name="time to act"),
                ),
                ("bank_ms", models.PositiveIntegerField(default=60000, verbose_name="time bank")),
                (
                    "disconnect_ms",
                    models.PositiveIntegerField(
                        default=60000, verbose_name="time after a lost connection"
                    ),
                ),
                (
                    "sit_out_ms",
                    models.PositiveIntegerField(
                        default=900000, verbose_name="longest time to sit out"
                    ),
                ),
                (
                    "rebuy_ms",
                    models.PositiveIntegerField(default=60000, verbose_name="time to re-buy"),
                ),
                (
                    "return_ms",
                    models.PositiveIntegerField(
                        default=3600000, verbose_name="time to come back with the stack"
                    ),
                ),
                (
                    "offer_ms",
                    models.PositiveIntegerField(
                        default=60000, verbose_name="time to take an offered seat"
                    ),
                ),
                ("hand_pause_ms", models.PositiveIntegerField(default=1000, verbose_name="pause")),
                (
                    "showdown_pause_ms",
                    models.PositiveIntegerField(default=3000, verbose_name="showdown"),
                ),
                (
                    "street_pause_ms",
                    models.PositiveIntegerField(default=800, verbose_name="pause before a street"),
                ),
                ("straddle", models.BooleanField(default=False, verbose_name="straddle")),
                ("face_up", models.BooleanField(default=True, verbose_name="all-in hands face up")),
                (
                    "s0_order",
                    models.BooleanField(
                        default=False, verbose_name="rounds start left of the button"
                    ),
                ),
                (
                    "currency",
                    models.CharField(default="EUR", max_length=3, verbose_name="currency"),
                ),
                (
                    "no_flop_no_drop",
                    models.BooleanField(default=True, verbose_name="no flop, no drop"),
                ),
                (
                    "rake_per_street",
                    models.BooleanField(default=False, verbose_name="rake after each street"),
                ),
                (
                    "password",
                    models.CharField(
                        blank=True, default="", max_length=128, verbose_name="password"
                    ),
                ),
                ("entry_level", models.BooleanField(default=False, verbose_name="entry level")),
                (
                    "tables_min",
                    models.PositiveSmallIntegerField(default=1, verbose_name="fewest tables"),
                ),
                (
                    "tables_max",
                    models.PositiveSmallIntegerField(default=1, verbose_name="most tables"),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("closing", "closes after this hand"),
                            ("closed", "closed"),
                        ],
                        db_index=True,
                        default="open",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("frozen", models.BooleanField(default=False, verbose_name="frozen")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "jackpots",
                    models.ManyToManyField(blank=True, to="ring.jackpot", verbose_name="jackpots"),
                ),
                (
                    "rake_table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="ring.raketable",
                        verbose_name="rake table",
                    ),
                ),
            ],
            options={
                "verbose_name": "ring game",
                "verbose_name_plural": "ring games",
            },
        ),
        migrations.CreateModel(
            name="RingSession",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=30)),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[("arriving", "arriving"), ("seated", "seated"), ("left", "left")],
                        default="arriving",
                        max_length=10,
                    ),
                ),
                ("coming", models.BigIntegerField(default=0)),
                ("bought", models.BigIntegerField(default=0, help_text="all buy-ins and top-ups")),
                ("purchases", models.PositiveIntegerField(default=0)),
                ("leaving", models.BooleanField(default=False)),
                ("left_with", models.BigIntegerField(default=0)),
                ("began_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("absent_since", models.DateTimeField(blank=True, null=True)),
                ("rebuy_until", models.DateTimeField(blank=True, null=True)),
                ("is_new", models.BooleanField(default=True)),
                ("posts_now", models.BooleanField(default=False)),
                ("owes_small", models.BooleanField(default=False)),
                ("owes_big", models.BooleanField(default=False)),
                ("straddles", models.BooleanField(default=False)),
                ("skips_big_blind", models.BooleanField(default=False)),
                ("auto_top_up", models.BooleanField(default=False)),
                ("after_hand", models.PositiveIntegerField(blank=True, null=True)),
                ("after_dealt", models.BooleanField(default=False)),
                ("after_owes_small", models.BooleanField(default=False)),
                ("after_owes_big", models.BooleanField(default=False)),
                ("hands", models.PositiveIntegerField(default=0)),
                ("rake_paid", models.BigIntegerField(default=0)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sessions",
                        to="ring.ringgame",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ring_sessions",
                        to="tables.table",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ring_sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "ring session",
                "verbose_name_plural": "ring sessions",
            },
        ),
        migrations.CreateModel(
            name="WaitingPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(auto_now_add=True)),
                ("offered_seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("offered_until", models.DateTimeField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="waiting",
                        to="ring.ringgame",
                    ),
                ),
                (
                    "offered_table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ring_offers",
                        to="tables.table",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tables.table",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ring_waiting",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "waiting player",
                "verbose_name_plural": "waiting players",
            },
        ),
        migrations.CreateModel(
            name="JackpotWin",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=30)),
                ("role", models.CharField(max_length=8)),
                ("amount", models.BigIntegerField()),
                ("pool", models.BigIntegerField()),
                ("released_at", models.DateTimeField(db_index=True)),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jackpot_wins",
                        to="tables.hand",
                    ),
                ),
                (
                    "jackpot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="wins",
                        to="ring.jackpot",
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
                "verbose_name": "jackpot win",
                "verbose_name_plural": "jackpot wins",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("jackpot", "hand", "user"), name="jackpot_won_once_by_hand"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gt", 0)), name="jackpot_win_positive"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RakeTableRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "variant",
                    models.CharField(blank=True, default="", max_length=20, verbose_name="game"),
                ),
                (
                    "currency",
                    models.CharField(blank=True, default="", max_length=3, verbose_name="currency"),
                ),
                (
                    "limit",
                    models.CharField(blank=True, default="", max_length=20, verbose_name="limit"),
                ),
                (
                    "players_min",
                    models.PositiveSmallIntegerField(default=2, verbose_name="fewest players"),
                ),
                (
                    "players_max",
                    models.PositiveSmallIntegerField(default=10, verbose_name="most players"),
                ),
                (
                    "small_blind_over",
                    models.BigIntegerField(default=-1, verbose_name="small blind above"),
                ),
                (
                    "small_blind_upto",
                    models.BigIntegerField(blank=True, null=True, verbose_name="small blind up to"),
                ),
                ("basis_points", models.PositiveIntegerField(verbose_name="share")),
                ("minimum", models.BigIntegerField(default=0, verbose_name="minimum")),
                ("maximum", models.BigIntegerField(verbose_name="maximum")),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rows",
                        to="ring.raketable",
                        verbose_name="rake table",
                    ),
                ),
            ],
            options={
                "verbose_name": "row of a rake table",
                "verbose_name_plural": "rows of a rake table",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("basis_points__lte", 10000)),
                        name="rake_share_upto_whole",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="ringgame",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("buy_in_min__gt", 0), ("buy_in_min__lte", models.F("buy_in_max"))
                ),
                name="ring_buy_in_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="ringgame",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("tables_min__gte", 1), ("tables_min__lte", models.F("tables_max"))
                ),
                name="ring_tables_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="ringgame",
            constraint=models.CheckConstraint(
                condition=models.Q(("seats_max__gte", 2), ("seats_max__lte", 10)),
                name="ring_seats_range",
            ),
        ),
        migrations.AddIndex(
            model_name="ringsession",
            index=models.Index(fields=["user", "state"], name="ring_ringse_user_id_f7fa08_idx"),
        ),
        migrations.AddConstraint(
            model_name="ringsession",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "left"), _negated=True),
                fields=("table", "user"),
                name="ring_player_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="ringsession",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "left"), _negated=True),
                fields=("table", "seat"),
                name="ring_seat_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="ringsession",
            constraint=models.CheckConstraint(
                condition=models.Q(("coming__gte", 0)), name="ring_coming_not_negative"
            ),
        ),
        migrations.AddConstraint(
            model_name="ringsession",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "left"), _negated=True), ("coming", 0), _connector="OR"
                ),
                name="ring_left_is_paid_out",
            ),
        ),
        migrations.AddConstraint(
            model_name="waitingplayer",
            constraint=models.UniqueConstraint(fields=("game", "user"), name="ring_waits_once"),
        ),
        migrations.AddConstraint(
            model_name="waitingplayer",
            constraint=models.UniqueConstraint(
                fields=("offered_table", "offered_seat"), name="ring_seat_offered_once"
            ),
        ),
    ]
