"""Ring games of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
It leaves out the time banks that 0006 gives to players of pools: a new database has none.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.postgres.new_models import CreateModels
from tables.ring.migrations import _presets

FIRST_KEY = 10**12
FIRST_STAY_KEY = 2 * 10**12


class Migration(migrations.Migration):
    replaces = [
        ("ring", "0001_ring"),
        ("ring", "0002_presets"),
        ("ring", "0003_penalties"),
        ("ring", "0004_jackpots_told"),
        ("ring", "0005_rapid"),
        ("ring", "0006_rapid_carried"),
        ("ring", "0007_club_games"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0019_club_picture"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tables", "0006_sealed_decks"),
    ]

    operations = [
        CreateModels(
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
                name="RapidWaiting",
                fields=[
                    (
                        "table",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            related_name="rapid_waiting",
                            serialize=False,
                            to="tables.table",
                        ),
                    ),
                    ("game", models.BigIntegerField(db_index=True)),
                ],
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
                    (
                        "variant",
                        models.CharField(default="holdem", max_length=20, verbose_name="game"),
                    ),
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
                    (
                        "seats_max",
                        models.PositiveSmallIntegerField(default=6, verbose_name="seats"),
                    ),
                    ("buy_in_min", models.BigIntegerField(verbose_name="smallest buy-in")),
                    ("buy_in_max", models.BigIntegerField(verbose_name="largest buy-in")),
                    (
                        "action_ms",
                        models.PositiveIntegerField(default=15000, verbose_name="time to act"),
                    ),
                    (
                        "bank_ms",
                        models.PositiveIntegerField(default=60000, verbose_name="time bank"),
                    ),
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
                    (
                        "hand_pause_ms",
                        models.PositiveIntegerField(default=1000, verbose_name="pause"),
                    ),
                    (
                        "showdown_pause_ms",
                        models.PositiveIntegerField(default=3000, verbose_name="showdown"),
                    ),
                    (
                        "street_pause_ms",
                        models.PositiveIntegerField(
                            default=800, verbose_name="pause before a street"
                        ),
                    ),
                    ("straddle", models.BooleanField(default=False, verbose_name="straddle")),
                    (
                        "face_up",
                        models.BooleanField(default=True, verbose_name="all-in hands face up"),
                    ),
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
                    ("rapid", models.BooleanField(default=False, verbose_name="rapid pool")),
                    (
                        "pool_min",
                        models.PositiveSmallIntegerField(
                            default=4, verbose_name="fewest players of a rapid pool"
                        ),
                    ),
                    (
                        "wait_ms",
                        models.PositiveIntegerField(
                            default=2000, verbose_name="longest wait for a full rapid hand"
                        ),
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
                        "watched_by",
                        models.CharField(
                            choices=[
                                ("everybody", "everybody"),
                                ("members", "members of the club"),
                            ],
                            db_default="everybody",
                            default="everybody",
                            editable=False,
                            max_length=10,
                            verbose_name="watched by",
                        ),
                    ),
                    (
                        "club",
                        models.ForeignKey(
                            blank=True,
                            editable=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="ring_games",
                            to="accounts.club",
                            verbose_name="club",
                        ),
                    ),
                    (
                        "jackpots",
                        models.ManyToManyField(
                            blank=True, to="ring.jackpot", verbose_name="jackpots"
                        ),
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
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(
                                ("buy_in_min__gt", 0), ("buy_in_min__lte", models.F("buy_in_max"))
                            ),
                            name="ring_buy_in_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("tables_min__gte", 1), ("tables_min__lte", models.F("tables_max"))
                            ),
                            name="ring_tables_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("seats_max__gte", 2), ("seats_max__lte", 10)),
                            name="ring_seats_range",
                        ),
                    ],
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
                    ("seat", models.PositiveSmallIntegerField(default=0)),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("arriving", "arriving"),
                                ("seated", "seated"),
                                ("left", "left"),
                            ],
                            default="arriving",
                            max_length=10,
                        ),
                    ),
                    ("coming", models.BigIntegerField(default=0)),
                    (
                        "bought",
                        models.BigIntegerField(default=0, help_text="all buy-ins and top-ups"),
                    ),
                    ("purchases", models.PositiveIntegerField(default=0)),
                    ("leaving", models.BooleanField(default=False)),
                    ("left_with", models.BigIntegerField(default=0)),
                    ("began_at", models.DateTimeField(auto_now_add=True)),
                    ("ended_at", models.DateTimeField(blank=True, null=True)),
                    ("absent_since", models.DateTimeField(blank=True, null=True)),
                    ("lost_connection", models.BooleanField(default=False)),
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
                        "stack",
                        models.BigIntegerField(
                            default=0, help_text="chips of a rapid pool in no hand"
                        ),
                    ),
                    ("bank_ms", models.PositiveIntegerField(default=0)),
                    ("showdown", models.CharField(default="auto", max_length=4)),
                    ("ready_at", models.DateTimeField(blank=True, null=True)),
                    ("due_at", models.DateTimeField(blank=True, null=True)),
                    ("since_big", models.PositiveIntegerField(blank=True, null=True)),
                    ("since_small", models.PositiveIntegerField(blank=True, null=True)),
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
                            blank=True,
                            null=True,
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
                    "indexes": [
                        models.Index(
                            fields=["user", "state"], name="ring_ringse_user_id_f7fa08_idx"
                        ),
                        models.Index(
                            condition=models.Q(("ready_at", None), _negated=True),
                            fields=["game", "ready_at"],
                            name="rapid_ready",
                        ),
                        models.Index(
                            condition=models.Q(("due_at", None), _negated=True),
                            fields=["game", "due_at"],
                            name="rapid_due",
                        ),
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("state", "left"), _negated=True),
                            fields=("table", "user"),
                            name="ring_player_once",
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(("state", "left"), _negated=True),
                            fields=("table", "seat"),
                            name="ring_seat_once",
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(
                                models.Q(("state", "left"), _negated=True), ("table", None)
                            ),
                            fields=("game", "user"),
                            name="rapid_player_once",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("coming__gte", 0)), name="ring_coming_not_negative"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("stack__gte", 0)), name="rapid_stack_not_negative"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                models.Q(("state", "left"), _negated=True),
                                models.Q(("coming", 0), ("stack", 0)),
                                _connector="OR",
                            ),
                            name="ring_left_is_paid_out",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="RingAuditRow",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("action", models.CharField(max_length=30, verbose_name="action")),
                    ("reason", models.CharField(blank=True, max_length=300, verbose_name="reason")),
                    ("details", models.JSONField(default=dict, verbose_name="details")),
                    ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                    (
                        "actor",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="actor",
                        ),
                    ),
                    (
                        "game",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="audit",
                            to="ring.ringgame",
                            verbose_name="ring game",
                        ),
                    ),
                    (
                        "session",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="audit",
                            to="ring.ringsession",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "audit row of a ring game",
                    "verbose_name_plural": "audit rows of ring games",
                },
            ),
            migrations.CreateModel(
                name="RapidStay",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("hand", models.PositiveIntegerField()),
                    ("seat", models.PositiveSmallIntegerField()),
                    ("chips", models.BigIntegerField()),
                    ("big_blind", models.BooleanField(default=False)),
                    ("small_blind", models.BooleanField(default=False)),
                    ("freed_chips", models.BigIntegerField(blank=True, null=True)),
                    ("ended", models.BooleanField(default=False)),
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="rapid_stays",
                            to="tables.table",
                        ),
                    ),
                    (
                        "session",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="stays",
                            to="ring.ringsession",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "hand of a rapid player",
                    "verbose_name_plural": "hands of rapid players",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("ended", False)),
                            fields=["table"],
                            name="rapid_hand_in_play",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("ended", False), ("freed_chips", None)),
                            fields=("session",),
                            name="rapid_one_hand_at_once",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("freed_chips", None),
                                models.Q(
                                    ("freed_chips__gte", 0), ("freed_chips__lte", models.F("chips"))
                                ),
                                _connector="OR",
                            ),
                            name="rapid_freed_chips_range",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Penalty",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("amount", models.BigIntegerField(verbose_name="amount")),
                    ("reason", models.CharField(max_length=300, verbose_name="reason")),
                    (
                        "ordered_at",
                        models.DateTimeField(auto_now_add=True, verbose_name="ordered at"),
                    ),
                    ("planned_hand", models.PositiveIntegerField(blank=True, null=True)),
                    ("planned", models.BigIntegerField(default=0)),
                    (
                        "taken_hand",
                        models.PositiveIntegerField(
                            blank=True, null=True, verbose_name="taken in hand"
                        ),
                    ),
                    ("taken", models.BigIntegerField(default=0, verbose_name="taken")),
                    (
                        "by",
                        models.ForeignKey(
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="ordered by",
                        ),
                    ),
                    (
                        "session",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="penalties",
                            to="ring.ringsession",
                            verbose_name="session",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "penalty",
                    "verbose_name_plural": "penalties",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("taken_hand", None)),
                            fields=["session"],
                            name="ring_penalty_open",
                        )
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("amount__gt", 0)), name="ring_penalty_positive"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("taken__gte", 0), ("taken__lte", models.F("amount"))
                            ),
                            name="ring_penalty_taken_in_range",
                        ),
                    ],
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
                    "constraints": [
                        models.UniqueConstraint(fields=("game", "user"), name="ring_waits_once"),
                        models.UniqueConstraint(
                            fields=("offered_table", "offered_seat"), name="ring_seat_offered_once"
                        ),
                    ],
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
                    ("told", models.BooleanField(default=False)),
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
                    "indexes": [
                        models.Index(
                            condition=models.Q(("told", False)),
                            fields=["released_at"],
                            name="jackpot_win_untold",
                        )
                    ],
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
                        models.CharField(
                            blank=True, default="", max_length=20, verbose_name="game"
                        ),
                    ),
                    (
                        "currency",
                        models.CharField(
                            blank=True, default="", max_length=3, verbose_name="currency"
                        ),
                    ),
                    (
                        "limit",
                        models.CharField(
                            blank=True, default="", max_length=20, verbose_name="limit"
                        ),
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
                        models.BigIntegerField(
                            blank=True, null=True, verbose_name="small blind up to"
                        ),
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
        ),
        migrations.RunSQL(
            "CREATE TRIGGER ring_audit_append_only BEFORE UPDATE OR DELETE ON ring_ringauditrow"
            " FOR EACH ROW EXECUTE FUNCTION ledger_append_only();",
            reverse_sql="DROP TRIGGER ring_audit_append_only ON ring_ringauditrow;",
        ),
        # Keys of sessions and stays lie apart from the entries of tournaments, which count from 1.
        migrations.RunSQL(
            f"ALTER TABLE ring_ringsession ALTER COLUMN id SET START WITH {FIRST_KEY} RESTART",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(
            f"ALTER TABLE ring_rapidstay ALTER COLUMN id SET START WITH {FIRST_STAY_KEY} RESTART",
            migrations.RunSQL.noop,
        ),
        migrations.RunPython(_presets.write, migrations.RunPython.noop),
    ]
