"""Tournaments of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
It leaves out the new words of a permission (0027): a new database gets it with its words of
today.
"""

import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tournaments.models.webhook
from config.postgres.new_models import CreateModels
from tournaments.migrations import _presets


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", "0001_tournaments"),
        ("tournaments", "0002_rounds"),
        ("tournaments", "0003_presets"),
        ("tournaments", "0004_announcement_age"),
        ("tournaments", "0005_start"),
        ("tournaments", "0006_whole_rulebook"),
        ("tournaments", "0007_buying_windows"),
        ("tournaments", "0008_templates"),
        ("tournaments", "0009_formats"),
        ("tournaments", "0010_tickets"),
        ("tournaments", "0011_offers_given"),
        ("tournaments", "0012_rulings"),
        ("tournaments", "0013_presets_again"),
        ("tournaments", "0014_merged_chips"),
        ("tournaments", "0015_leaving"),
        ("tournaments", "0016_showdown"),
        ("tournaments", "0017_occasion_words"),
        ("tournaments", "0018_private_templates"),
        ("tournaments", "0019_told_hands"),
        ("tournaments", "0020_featured_table"),
        ("tournaments", "0021_hand_options"),
        ("tournaments", "0022_private_tournaments"),
        ("tournaments", "0023_limit_presets"),
        ("tournaments", "0024_deal_by_chips"),
        ("tournaments", "0025_audit_append_only"),
        ("tournaments", "0026_prize_tickets"),
        ("tournaments", "0027_seat_right"),
        ("tournaments", "0028_webhooks"),
        ("tournaments", "0029_clubs"),
        ("tournaments", "0030_pledge"),
        ("tournaments", "0031_webhook_notices"),
        ("tournaments", "0032_bots"),
        ("tournaments", "0033_cards_up"),
        ("tournaments", "0034_club_templates"),
    ]

    initial = True

    dependencies = [
        ("accounts", "0019_club_picture"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("tables", "0002_showdown"),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name="StreamHead",
                fields=[
                    ("stream", models.CharField(max_length=60, primary_key=True, serialize=False)),
                    ("seq", models.PositiveBigIntegerField(default=0)),
                ],
            ),
            migrations.CreateModel(
                name="Structure",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=60, unique=True, verbose_name="name")),
                    ("items", models.JSONField(verbose_name="levels and breaks")),
                    (
                        "starting_stack",
                        models.PositiveBigIntegerField(verbose_name="starting stack"),
                    ),
                ],
                options={
                    "verbose_name": "structure",
                    "verbose_name_plural": "structures",
                    "ordering": ["name"],
                },
            ),
            migrations.CreateModel(
                name="Announcement",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("stream", models.CharField(max_length=60, verbose_name="stream")),
                    ("seq", models.PositiveBigIntegerField(verbose_name="number")),
                    ("payload", models.BinaryField(verbose_name="event")),
                    ("published", models.BooleanField(default=False, verbose_name="published")),
                    ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                ],
                options={
                    "verbose_name": "announcement",
                    "verbose_name_plural": "announcements",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("published", False)),
                            fields=["stream", "seq"],
                            name="announcement_unpublished",
                        ),
                        django.contrib.postgres.indexes.BrinIndex(
                            fields=["at"], name="announcement_age"
                        ),
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("stream", "seq"), name="announcement_number_once"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Template",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=80, unique=True, verbose_name="name")),
                    ("offer", models.JSONField(default=dict, verbose_name="offer")),
                    (
                        "password",
                        models.CharField(
                            blank=True,
                            editable=False,
                            help_text="hash of the one its tournaments are private with",
                            max_length=128,
                            verbose_name="password",
                        ),
                    ),
                    (
                        "schedule",
                        models.CharField(
                            choices=[
                                ("none", "by hand only"),
                                ("daily", "every day"),
                                ("weekly", "on days of the week"),
                                ("refill", "a new Sit & Go when one starts"),
                            ],
                            default="none",
                            max_length=10,
                            verbose_name="schedule",
                        ),
                    ),
                    (
                        "weekdays",
                        models.JSONField(
                            blank=True,
                            default=list,
                            help_text="0 is Monday, 6 is Sunday",
                            verbose_name="days",
                        ),
                    ),
                    ("at_time", models.TimeField(blank=True, null=True, verbose_name="at")),
                    (
                        "zone",
                        models.CharField(default="UTC", max_length=40, verbose_name="time zone"),
                    ),
                    (
                        "announce_h",
                        models.PositiveSmallIntegerField(
                            default=24, help_text="hours", verbose_name="announced before"
                        ),
                    ),
                    ("is_active", models.BooleanField(default=True, verbose_name="active")),
                    (
                        "refused",
                        models.CharField(
                            blank=True,
                            editable=False,
                            help_text="why the schedule could not open its last one",
                            max_length=300,
                            verbose_name="refused",
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(auto_now_add=True, verbose_name="created at"),
                    ),
                    (
                        "structure",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            to="tournaments.structure",
                            verbose_name="structure",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "template",
                    "verbose_name_plural": "templates",
                    "ordering": ["name"],
                },
            ),
            migrations.CreateModel(
                name="Ticket",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "key",
                        models.CharField(
                            editable=False, help_text="of its issue", max_length=100, unique=True
                        ),
                    ),
                    (
                        "value",
                        models.PositiveBigIntegerField(
                            validators=[django.core.validators.MinValueValidator(1)],
                            verbose_name="value",
                        ),
                    ),
                    (
                        "scope",
                        models.CharField(
                            help_text="activity it pays for", max_length=40, verbose_name="for"
                        ),
                    ),
                    ("valid_from", models.DateTimeField(verbose_name="valid from")),
                    ("valid_until", models.DateTimeField(verbose_name="valid until")),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("valid", "valid"),
                                ("used", "used"),
                                ("expired", "expired"),
                                ("exchanged", "exchanged"),
                                ("withdrawn", "withdrawn"),
                            ],
                            default="valid",
                            editable=False,
                            max_length=10,
                            verbose_name="state",
                        ),
                    ),
                    (
                        "exchangeable",
                        models.BooleanField(default=False, verbose_name="exchangeable for money"),
                    ),
                    (
                        "source",
                        models.CharField(
                            choices=[
                                ("admin", "the room"),
                                ("prize", "a prize"),
                                ("promotion", "a promotion"),
                            ],
                            max_length=10,
                            verbose_name="issued by",
                        ),
                    ),
                    ("reason", models.CharField(blank=True, max_length=300, verbose_name="reason")),
                    (
                        "issued_at",
                        models.DateTimeField(auto_now_add=True, verbose_name="issued at"),
                    ),
                    (
                        "closed_at",
                        models.DateTimeField(
                            blank=True, editable=False, null=True, verbose_name="closed at"
                        ),
                    ),
                    (
                        "owner",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="tickets",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "won_in",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="tickets_won",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "ticket",
                    "verbose_name_plural": "tickets",
                    "ordering": ["-pk"],
                    "indexes": [
                        models.Index(
                            fields=["owner", "state"], name="tournaments_owner_i_799f88_idx"
                        ),
                        models.Index(
                            fields=["state", "valid_until"], name="tournaments_state_a84d6d_idx"
                        ),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("valid_until__gt", models.F("valid_from"))),
                            name="ticket_window_not_empty",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("value__gt", 0)), name="ticket_is_worth_something"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Tournament",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "watched_by",
                        models.CharField(
                            choices=[
                                ("everybody", "everybody"),
                                ("members", "members of the club"),
                                ("invited", "invited players"),
                            ],
                            default="everybody",
                            editable=False,
                            max_length=10,
                            verbose_name="watched by",
                        ),
                    ),
                    (
                        "entered_by",
                        models.CharField(
                            choices=[
                                ("everybody", "everybody"),
                                ("members", "members of the club"),
                                ("invited", "invited players"),
                            ],
                            default="everybody",
                            editable=False,
                            max_length=10,
                            verbose_name="entered by",
                        ),
                    ),
                    (
                        "bots",
                        models.CharField(
                            choices=[
                                ("none", "people alone"),
                                ("allowed", "people and bots"),
                                ("only", "bots alone"),
                            ],
                            default="none",
                            help_text="Bots of users; their names begin with “bot-”.",
                            max_length=10,
                            verbose_name="bots",
                        ),
                    ),
                    (
                        "bot_action_ms",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="0: as long as people have.",
                            validators=[django.core.validators.MaxValueValidator(120000)],
                            verbose_name="action time of bots (ms)",
                        ),
                    ),
                    (
                        "bounty",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="Part of the price on each head (N-01); 0: none.",
                            verbose_name="bounty",
                        ),
                    ),
                    (
                        "progressive_bp",
                        models.PositiveIntegerField(
                            default=10000,
                            help_text="Basis points; below 10,000 the rest goes on the winner's head (N-04).",
                            validators=[django.core.validators.MaxValueValidator(10000)],
                            verbose_name="paid at once",
                        ),
                    ),
                    (
                        "bounty_odd_to_cash",
                        models.BooleanField(
                            default=True, verbose_name="odd unit of a bounty in cash"
                        ),
                    ),
                    (
                        "bounties_at_end",
                        models.BooleanField(
                            default=False,
                            help_text="N-06",
                            verbose_name="bounties are paid at the end",
                        ),
                    ),
                    (
                        "pro_bounty",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="Paid by the room on PRO players (N-03).",
                            verbose_name="PRO bounty",
                        ),
                    ),
                    (
                        "bounty_players",
                        models.JSONField(
                            blank=True,
                            default=dict,
                            help_text="Players whose knock-out the room pays for, and how much (N-02).",
                            verbose_name="bounty players",
                        ),
                    ),
                    (
                        "late_ends",
                        models.CharField(
                            choices=[
                                ("never_open", "there is none"),
                                ("at_level", "after a level"),
                                ("at_time", "after a time"),
                                ("at_left", "when so many are left"),
                                ("at_first_out", "when the first player is out"),
                            ],
                            default="never_open",
                            max_length=20,
                            verbose_name="late registration ends",
                        ),
                    ),
                    (
                        "late_value",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="What late registration ends at.",
                            verbose_name="level, time (ms) or number",
                        ),
                    ),
                    (
                        "entries_max",
                        models.PositiveSmallIntegerField(
                            default=1,
                            help_text="More than one: re-entry, or several at once (E-02, E-03).",
                            verbose_name="entries per player",
                        ),
                    ),
                    (
                        "several_at_once",
                        models.BooleanField(default=False, verbose_name="several entries at once"),
                    ),
                    (
                        "merge_at",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="Number of different players at which entries merge; 0: one table (E-03).",
                            verbose_name="merge at",
                        ),
                    ),
                    (
                        "offer_ms",
                        models.PositiveIntegerField(
                            default=20000, verbose_name="time for an offer (ms)"
                        ),
                    ),
                    (
                        "rebuys_max",
                        models.PositiveSmallIntegerField(
                            default=0,
                            help_text="0: no re-buys (E-04).",
                            verbose_name="re-buys per player",
                        ),
                    ),
                    (
                        "rebuy_threshold",
                        models.CharField(
                            choices=[
                                ("zero", "none"),
                                ("half", "half a starting stack"),
                                ("full", "a starting stack"),
                            ],
                            default="zero",
                            max_length=10,
                            verbose_name="re-buy with at most",
                        ),
                    ),
                    (
                        "rebuy_until_level",
                        models.PositiveSmallIntegerField(
                            default=0, verbose_name="re-buys through level"
                        ),
                    ),
                    (
                        "rebuy_price",
                        models.PositiveBigIntegerField(default=0, verbose_name="price of a re-buy"),
                    ),
                    (
                        "rebuy_fee",
                        models.PositiveBigIntegerField(default=0, verbose_name="fee of a re-buy"),
                    ),
                    (
                        "rebuy_chips",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="0: a starting stack.",
                            verbose_name="chips of a re-buy",
                        ),
                    ),
                    ("add_on", models.BooleanField(default=False, verbose_name="add-on")),
                    (
                        "add_on_price",
                        models.PositiveBigIntegerField(
                            default=0, verbose_name="price of the add-on"
                        ),
                    ),
                    (
                        "add_on_fee",
                        models.PositiveBigIntegerField(default=0, verbose_name="fee of the add-on"),
                    ),
                    (
                        "add_on_chips",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="0: a starting stack (E-05).",
                            verbose_name="chips of the add-on",
                        ),
                    ),
                    (
                        "cash_value",
                        models.BooleanField(
                            default=False,
                            help_text="Bought one to one; leaving books the stack back, no re-buy (A-04).",
                            verbose_name="chips have cash value",
                        ),
                    ),
                    (
                        "entries_open",
                        models.BooleanField(
                            default=False,
                            editable=False,
                            help_text="late registration lasts (E-01)",
                        ),
                    ),
                    (
                        "rebuys_open",
                        models.BooleanField(
                            default=False,
                            editable=False,
                            help_text="the re-buy period lasts (E-04)",
                        ),
                    ),
                    (
                        "add_on_until_ms",
                        models.PositiveBigIntegerField(
                            blank=True,
                            editable=False,
                            help_text="end of the add-on window, once open",
                            null=True,
                        ),
                    ),
                    (
                        "reentries",
                        models.PositiveIntegerField(
                            default=0,
                            editable=False,
                            help_text="entries that took the place of one that was out",
                        ),
                    ),
                    (
                        "cards_up",
                        models.CharField(
                            choices=[
                                ("off", "nobody"),
                                ("everybody", "everybody who may watch"),
                                ("commentators", "commentators only"),
                            ],
                            default="off",
                            help_text="Settled hands are told again with all hole cards, after the delay.",
                            max_length=12,
                            verbose_name="cards shown with a delay to",
                        ),
                    ),
                    (
                        "cards_up_delay_ms",
                        models.PositiveIntegerField(
                            default=300000, verbose_name="delay of the cards (ms)"
                        ),
                    ),
                    (
                        "cards_up_final_ms",
                        models.PositiveIntegerField(
                            default=1800000, verbose_name="delay at the final table (ms)"
                        ),
                    ),
                    (
                        "cards_up_consent",
                        models.CharField(
                            choices=[
                                ("not_asked", "nobody is asked"),
                                ("hides", "who refuses keeps the cards hidden"),
                                ("needed", "who refuses cannot enter"),
                            ],
                            default="not_asked",
                            help_text="Asked at the registration.",
                            max_length=10,
                            verbose_name="consent of the players",
                        ),
                    ),
                    (
                        "format",
                        models.CharField(
                            choices=[
                                ("freezeout", "freezeout"),
                                ("heads_up", "heads-up"),
                                ("spin", "spin"),
                                ("fifty_fifty", "Fifty50"),
                                ("double_or_nothing", "double or nothing"),
                                ("shootout", "shootout"),
                                ("satellite", "satellite"),
                            ],
                            default="freezeout",
                            max_length=20,
                            verbose_name="format",
                        ),
                    ),
                    (
                        "play_time_ms",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="0: played to the end (T-11).",
                            verbose_name="play time (ms)",
                        ),
                    ),
                    (
                        "time_up",
                        models.CharField(
                            choices=[
                                ("table", "by the payout table"),
                                ("proportional", "by chips"),
                            ],
                            default="table",
                            max_length=20,
                            verbose_name="paid when time is up",
                        ),
                    ),
                    (
                        "deals_allowed",
                        models.BooleanField(
                            default=False,
                            help_text="At the final table (Y-01).",
                            verbose_name="deals allowed",
                        ),
                    ),
                    (
                        "deal_by_chips",
                        models.CharField(
                            choices=[
                                ("within_prizes", "the lowest prize each, up to the first prize"),
                                ("by_chips_alone", "by chips alone"),
                            ],
                            default="within_prizes",
                            help_text="What everybody has before the rest goes by chips (Y-02).",
                            max_length=20,
                            verbose_name="deal by chips",
                        ),
                    ),
                    (
                        "deal_kinds",
                        models.JSONField(
                            blank=True,
                            default=list,
                            help_text="What a proposal may choose; none chosen: all (Y-02).",
                            verbose_name="kinds of deals",
                        ),
                    ),
                    (
                        "deal_vote_ms",
                        models.PositiveIntegerField(
                            default=60000, verbose_name="time to vote on a deal (ms)"
                        ),
                    ),
                    (
                        "spin_odds",
                        models.JSONField(
                            blank=True,
                            default=dict,
                            help_text="Multiplier to how often of 100,000; empty: the room's own (F-05).",
                            verbose_name="odds of the spin",
                        ),
                    ),
                    (
                        "spin_splits",
                        models.JSONField(
                            blank=True,
                            default=dict,
                            help_text="Multiplier to basis points by place; empty: the winner takes all.",
                            verbose_name="splits of the spin",
                        ),
                    ),
                    (
                        "spin",
                        models.JSONField(
                            blank=True,
                            editable=False,
                            help_text="record of the drum",
                            null=True,
                            verbose_name="drawn",
                        ),
                    ),
                    (
                        "time_over",
                        models.BooleanField(
                            default=False,
                            editable=False,
                            help_text="the play time is up: no more hands (T-11)",
                        ),
                    ),
                    (
                        "chips_at_end",
                        models.PositiveBigIntegerField(
                            blank=True,
                            editable=False,
                            help_text="counted when it finished",
                            null=True,
                        ),
                    ),
                    (
                        "stage",
                        models.PositiveSmallIntegerField(
                            default=0,
                            editable=False,
                            help_text="round of a shootout, counted from 1 (F-04)",
                        ),
                    ),
                    (
                        "first_button",
                        models.CharField(
                            choices=[("cards", "the highest card"), ("random", "a fair lot")],
                            default="cards",
                            help_text="How each table finds it (C-04).",
                            max_length=10,
                            verbose_name="first button",
                        ),
                    ),
                    (
                        "s0_order",
                        models.BooleanField(
                            default=False,
                            help_text="Heads-up the button posts the big blind (H-11).",
                            verbose_name="every round starts left of the button",
                        ),
                    ),
                    (
                        "cap_lift",
                        models.CharField(
                            choices=[
                                ("last_street", "on the last round, for two players"),
                                ("event", "when the event is down to two"),
                            ],
                            default="last_street",
                            help_text="Fixed limit only (B-03).",
                            max_length=12,
                            verbose_name="cap on raises lifted",
                        ),
                    ),
                    (
                        "muck_secret",
                        models.BooleanField(
                            default=False,
                            help_text="Nobody may look them up after the hand (S-03).",
                            verbose_name="mucked hands stay secret",
                        ),
                    ),
                    (
                        "payout_table",
                        models.JSONField(
                            blank=True,
                            help_text="Rows of entrants and shares in basis points; instead of a preset (Z-02).",
                            null=True,
                            verbose_name="own payout table",
                        ),
                    ),
                    (
                        "special_prize",
                        models.CharField(
                            blank=True,
                            help_text="Named; for the winner (Z-03).",
                            max_length=120,
                            verbose_name="special prize",
                        ),
                    ),
                    (
                        "second_prize",
                        models.CharField(blank=True, max_length=120, verbose_name="second prize"),
                    ),
                    (
                        "second_prize_places",
                        models.PositiveIntegerField(
                            default=0, verbose_name="places with a second prize"
                        ),
                    ),
                    (
                        "methods",
                        models.CharField(
                            choices=[
                                ("money", "money only"),
                                ("ticket", "ticket only"),
                                ("money_and_tickets", "money and tickets"),
                            ],
                            default="money",
                            max_length=20,
                            verbose_name="payment",
                        ),
                    ),
                    (
                        "activity",
                        models.CharField(
                            blank=True,
                            help_text="Tickets of this scope pay here (K-01).",
                            max_length=40,
                            verbose_name="activity",
                        ),
                    ),
                    (
                        "surplus_to",
                        models.CharField(
                            choices=[("account", "to the account"), ("bonus", "to the bonus")],
                            default="account",
                            max_length=10,
                            verbose_name="a ticket's surplus",
                        ),
                    ),
                    (
                        "ticket_back",
                        models.CharField(
                            choices=[("ticket", "the ticket"), ("money", "its worth in money")],
                            default="ticket",
                            max_length=10,
                            verbose_name="unregistering gives back",
                        ),
                    ),
                    (
                        "ticket_value",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="Of a satellite to no single tournament: prizes are tickets of it (K-07).",
                            verbose_name="value of a ticket",
                        ),
                    ),
                    (
                        "ticket_scope",
                        models.CharField(
                            blank=True,
                            help_text="Tournaments of this activity take them (K-01).",
                            max_length=40,
                            verbose_name="activity of the tickets",
                        ),
                    ),
                    (
                        "ticket_days",
                        models.PositiveIntegerField(
                            default=90,
                            help_text="From the day they are won.",
                            validators=[
                                django.core.validators.MinValueValidator(1),
                                django.core.validators.MaxValueValidator(3650),
                            ],
                            verbose_name="tickets are valid for (days)",
                        ),
                    ),
                    (
                        "ticket_exchangeable",
                        models.BooleanField(
                            default=False,
                            help_text="K-06",
                            verbose_name="tickets can be exchanged for money",
                        ),
                    ),
                    (
                        "winners_cash",
                        models.BooleanField(default=True, verbose_name="pays the rest in money"),
                    ),
                    (
                        "worth_if_registered",
                        models.BooleanField(
                            default=True,
                            verbose_name="money instead of a ticket to who is registered for the target already",
                        ),
                    ),
                    ("name", models.CharField(max_length=80, verbose_name="name")),
                    (
                        "start",
                        models.CharField(
                            choices=[("scheduled", "scheduled"), ("sit_and_go", "Sit & Go")],
                            max_length=20,
                            verbose_name="start",
                        ),
                    ),
                    (
                        "variant",
                        models.CharField(default="holdem", max_length=20, verbose_name="variant"),
                    ),
                    (
                        "limit",
                        models.CharField(default="no_limit", max_length=20, verbose_name="limit"),
                    ),
                    ("structure_name", models.CharField(max_length=60, verbose_name="structure")),
                    ("structure", models.JSONField(verbose_name="levels and breaks")),
                    (
                        "starting_stack",
                        models.PositiveBigIntegerField(
                            validators=[
                                django.core.validators.MinValueValidator(1),
                                django.core.validators.MaxValueValidator(1000000000),
                            ],
                            verbose_name="starting stack",
                        ),
                    ),
                    (
                        "seats_per_table",
                        models.PositiveSmallIntegerField(
                            default=9,
                            validators=[
                                django.core.validators.MinValueValidator(2),
                                django.core.validators.MaxValueValidator(10),
                            ],
                            verbose_name="seats per table",
                        ),
                    ),
                    (
                        "tables_max",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="At most so many are in play at once; 0: as many as are needed (T-05).",
                            verbose_name="number of tables",
                        ),
                    ),
                    (
                        "players_min",
                        models.PositiveIntegerField(
                            default=2,
                            validators=[django.core.validators.MinValueValidator(2)],
                            verbose_name="minimum players",
                        ),
                    ),
                    (
                        "players_max",
                        models.PositiveIntegerField(
                            default=3000,
                            validators=[
                                django.core.validators.MinValueValidator(2),
                                django.core.validators.MaxValueValidator(100000),
                            ],
                            verbose_name="maximum players",
                        ),
                    ),
                    (
                        "starts_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="starts at"),
                    ),
                    (
                        "password",
                        models.CharField(
                            blank=True, editable=False, max_length=128, verbose_name="password"
                        ),
                    ),
                    (
                        "seen_by",
                        models.CharField(
                            choices=[
                                ("known", "who is entered or knows the password"),
                                ("entered", "who is entered"),
                                ("everybody", "everybody"),
                            ],
                            default="known",
                            help_text="Counts for private tournaments; the lobby shows their row to everybody.",
                            max_length=10,
                            verbose_name="seen and watched by",
                        ),
                    ),
                    (
                        "repeats",
                        models.BooleanField(
                            default=False,
                            help_text="When it starts or is cancelled, the next one like it is opened.",
                            verbose_name="repeats",
                        ),
                    ),
                    (
                        "repeat_every_s",
                        models.PositiveIntegerField(
                            default=0,
                            help_text="Seconds; scheduled tournaments only.",
                            verbose_name="repeats after",
                        ),
                    ),
                    (
                        "occasion",
                        models.CharField(
                            blank=True,
                            editable=False,
                            help_text="what it was made for by a template or form; given once",
                            max_length=80,
                            null=True,
                            unique=True,
                        ),
                    ),
                    ("buy_in", models.PositiveBigIntegerField(default=0, verbose_name="buy-in")),
                    ("fee", models.PositiveBigIntegerField(default=0, verbose_name="fee")),
                    (
                        "added",
                        models.PositiveBigIntegerField(default=0, verbose_name="added by the room"),
                    ),
                    (
                        "guarantee",
                        models.PositiveBigIntegerField(default=0, verbose_name="guarantee"),
                    ),
                    (
                        "payout_preset",
                        models.CharField(default="classic", max_length=30, verbose_name="payouts"),
                    ),
                    (
                        "action_ms",
                        models.PositiveIntegerField(default=15000, verbose_name="action time (ms)"),
                    ),
                    (
                        "bank_ms",
                        models.PositiveIntegerField(default=60000, verbose_name="time bank (ms)"),
                    ),
                    (
                        "hand_pause_ms",
                        models.PositiveIntegerField(default=1000, verbose_name="pause (ms)"),
                    ),
                    (
                        "showdown_pause_ms",
                        models.PositiveIntegerField(
                            default=3000, verbose_name="pause after a showdown (ms)"
                        ),
                    ),
                    (
                        "street_pause_ms",
                        models.PositiveIntegerField(
                            default=1000, verbose_name="pause between streets of an all-in (ms)"
                        ),
                    ),
                    (
                        "bubble_places",
                        models.PositiveSmallIntegerField(
                            default=1,
                            help_text="Number of places before the money; 0 switches it off.",
                            verbose_name="hand-for-hand before the money",
                        ),
                    ),
                    (
                        "bubble_final",
                        models.PositiveSmallIntegerField(
                            default=0,
                            help_text="Number of places before the final table; 0 switches it off.",
                            verbose_name="hand-for-hand before the final table",
                        ),
                    ),
                    (
                        "bubble_charge_ms",
                        models.PositiveIntegerField(
                            default=60000, verbose_name="time charged per hand-for-hand hand (ms)"
                        ),
                    ),
                    (
                        "tie_rule",
                        models.CharField(
                            choices=[
                                ("by_stack", "the larger stack"),
                                ("share", "the places are shared"),
                            ],
                            default="by_stack",
                            max_length=10,
                            verbose_name="out in the same round",
                        ),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("announced", "announced"),
                                ("registering", "registering"),
                                ("running", "running"),
                                ("paused", "paused"),
                                ("frozen", "frozen"),
                                ("finished", "finished"),
                                ("cancelled", "cancelled"),
                            ],
                            default="announced",
                            editable=False,
                            max_length=20,
                            verbose_name="state",
                        ),
                    ),
                    (
                        "entrants",
                        models.PositiveIntegerField(
                            default=0, editable=False, verbose_name="entrants"
                        ),
                    ),
                    (
                        "left",
                        models.PositiveIntegerField(default=0, editable=False, verbose_name="left"),
                    ),
                    ("knocked_out", models.PositiveIntegerField(default=0, editable=False)),
                    ("tables_opened", models.PositiveIntegerField(default=0, editable=False)),
                    ("balance_version", models.PositiveBigIntegerField(default=0, editable=False)),
                    (
                        "round",
                        models.PositiveIntegerField(
                            default=0,
                            editable=False,
                            help_text="number of the hand-for-hand round; 0 before any",
                        ),
                    ),
                    ("hand_for_hand", models.BooleanField(default=False, editable=False)),
                    (
                        "round_open",
                        models.BooleanField(
                            default=False,
                            editable=False,
                            help_text="tables may deal their hand of the round",
                        ),
                    ),
                    (
                        "rulings",
                        models.PositiveIntegerField(
                            default=0,
                            editable=False,
                            help_text="how often the room ruled about a player",
                        ),
                    ),
                    ("final_table", models.BooleanField(default=False, editable=False)),
                    (
                        "entries_made",
                        models.PositiveIntegerField(
                            default=0, editable=False, help_text="with those that unregistered"
                        ),
                    ),
                    (
                        "pool",
                        models.PositiveBigIntegerField(
                            blank=True,
                            editable=False,
                            help_text="once it is fixed",
                            null=True,
                            verbose_name="prize pool",
                        ),
                    ),
                    (
                        "prizes",
                        models.JSONField(
                            default=list,
                            editable=False,
                            help_text="by place, once the pool is fixed",
                            verbose_name="prizes",
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(auto_now_add=True, verbose_name="created at"),
                    ),
                    (
                        "finished_at",
                        models.DateTimeField(
                            blank=True, editable=False, null=True, verbose_name="finished at"
                        ),
                    ),
                    (
                        "started_ms",
                        models.PositiveBigIntegerField(blank=True, editable=False, null=True),
                    ),
                    ("stopped_ms", models.PositiveBigIntegerField(default=0, editable=False)),
                    ("charged_ms", models.PositiveBigIntegerField(default=0, editable=False)),
                    (
                        "stopped_since_ms",
                        models.PositiveBigIntegerField(blank=True, editable=False, null=True),
                    ),
                    ("stops", models.JSONField(default=list, editable=False)),
                    (
                        "heartbeat_ms",
                        models.PositiveBigIntegerField(blank=True, editable=False, null=True),
                    ),
                    ("mark_index", models.PositiveSmallIntegerField(default=0, editable=False)),
                    ("mark_elapsed_ms", models.PositiveBigIntegerField(default=0, editable=False)),
                    ("mark_hands", models.PositiveIntegerField(default=0, editable=False)),
                    (
                        "told_index",
                        models.IntegerField(
                            default=-1,
                            editable=False,
                            help_text="item of the structure last announced",
                        ),
                    ),
                    (
                        "told_hands",
                        models.PositiveIntegerField(
                            editable=False,
                            help_text="hands left of a level by hands, as they were last told",
                            null=True,
                        ),
                    ),
                    (
                        "lobby_told",
                        models.CharField(
                            editable=False,
                            help_text="digest of the row the lobby last saw",
                            max_length=32,
                        ),
                    ),
                    (
                        "club",
                        models.ForeignKey(
                            blank=True,
                            editable=False,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="tournaments",
                            to="accounts.club",
                            verbose_name="club",
                        ),
                    ),
                    (
                        "featured",
                        models.ForeignKey(
                            editable=False,
                            help_text="the table the room shows to spectators, as long as it is open",
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="tables.table",
                        ),
                    ),
                    (
                        "follows",
                        models.OneToOneField(
                            blank=True,
                            editable=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="successor",
                            to="tournaments.tournament",
                            verbose_name="follows",
                        ),
                    ),
                    (
                        "target",
                        models.ForeignKey(
                            blank=True,
                            help_text="The tournament its tickets pay for (K-08).",
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="satellites",
                            to="tournaments.tournament",
                            verbose_name="satellite to",
                        ),
                    ),
                    (
                        "template",
                        models.ForeignKey(
                            blank=True,
                            editable=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="tournaments",
                            to="tournaments.template",
                            verbose_name="template",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "tournament",
                    "verbose_name_plural": "tournaments",
                    "ordering": ["-pk"],
                    "permissions": [
                        ("run_tournament", "Can open, start, pause, resume and cancel"),
                        ("rule_players", "Can seat, move and disqualify players"),
                        ("message_players", "Can send a message to all players"),
                    ],
                    "indexes": [
                        models.Index(
                            fields=["state", "starts_at"], name="tournaments_state_84db62_idx"
                        )
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("players_max__gte", models.F("players_min"))),
                            name="players_max_not_below_min",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                (
                                    "entrants__lte",
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("players_max"), "+", models.F("reentries")
                                    ),
                                )
                            ),
                            name="entrants_not_above_max",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("left__lte", models.F("entrants"))),
                            name="left_of_entrants",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("seats_per_table__gte", 2), ("seats_per_table__lte", 10)
                            ),
                            name="seats_per_table_in_range",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("start", "sit_and_go"),
                                ("starts_at__isnull", False),
                                _connector="OR",
                            ),
                            name="scheduled_has_a_time",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Entry",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "name",
                        models.CharField(
                            help_text="as shown at the tables", max_length=30, verbose_name="name"
                        ),
                    ),
                    (
                        "number",
                        models.PositiveIntegerField(help_text="counted from 1 in its tournament"),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("registered", "registered"),
                                ("seated", "in play"),
                                ("pending", "may buy again"),
                                ("out", "out"),
                                ("merged", "merged"),
                                ("disqualified", "disqualified"),
                                ("won", "won"),
                                ("unregistered", "unregistered"),
                                ("refunded", "refunded"),
                            ],
                            default="registered",
                            max_length=20,
                            verbose_name="state",
                        ),
                    ),
                    (
                        "paid_buy_in",
                        models.PositiveBigIntegerField(default=0, verbose_name="buy-in paid"),
                    ),
                    (
                        "paid_fee",
                        models.PositiveBigIntegerField(default=0, verbose_name="fee paid"),
                    ),
                    (
                        "paid_bounty",
                        models.PositiveBigIntegerField(default=0, verbose_name="bounty part paid"),
                    ),
                    (
                        "paid_bonus",
                        models.PositiveBigIntegerField(
                            default=0, help_text="K-03", verbose_name="of it from the bonus"
                        ),
                    ),
                    (
                        "slot",
                        models.PositiveSmallIntegerField(
                            default=0,
                            help_text="0, or counted from 1 among a player's entries at once (E-03)",
                        ),
                    ),
                    (
                        "chips_bought",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="all chips it brought into play: stack, re-buys, add-on",
                        ),
                    ),
                    ("rebuys", models.PositiveSmallIntegerField(default=0, verbose_name="re-buys")),
                    (
                        "add_ons",
                        models.PositiveSmallIntegerField(default=0, verbose_name="add-ons"),
                    ),
                    (
                        "head",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="cents, still to be won (N-04)",
                            verbose_name="bounty on the head",
                        ),
                    ),
                    (
                        "bounties_won",
                        models.PositiveBigIntegerField(default=0, verbose_name="bounties won"),
                    ),
                    (
                        "dead_chips",
                        models.PositiveBigIntegerField(
                            default=0,
                            help_text="chips that left play with who was disqualified or left (T-15)",
                        ),
                    ),
                    (
                        "place",
                        models.PositiveIntegerField(blank=True, null=True, verbose_name="place"),
                    ),
                    ("prize", models.PositiveBigIntegerField(default=0, verbose_name="prize")),
                    (
                        "moved",
                        models.PositiveIntegerField(
                            default=0, help_text="times moved to another table"
                        ),
                    ),
                    (
                        "shows_cards",
                        models.BooleanField(
                            default=True,
                            help_text="in cards-up streams of its settled hands; the answer at the registration",
                            verbose_name="cards may be shown",
                        ),
                    ),
                    (
                        "registered_at",
                        models.DateTimeField(auto_now_add=True, verbose_name="registered at"),
                    ),
                    ("out_at", models.DateTimeField(blank=True, null=True, verbose_name="out at")),
                    (
                        "merged_into",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="absorbed",
                            to="tournaments.entry",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                        ),
                    ),
                    (
                        "ticket",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="entries",
                            to="tournaments.ticket",
                            verbose_name="paid with",
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="entries",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "entry",
                    "verbose_name_plural": "entries",
                    "indexes": [
                        models.Index(
                            fields=["tournament", "state"], name="tournaments_tournam_af00f3_idx"
                        ),
                        models.Index(
                            fields=["tournament", "place"], name="tournaments_tournam_85416a_idx"
                        ),
                        models.Index(
                            fields=["user", "state"], name="tournaments_user_id_111202_idx"
                        ),
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("state__in", ["registered", "seated", "pending"])),
                            fields=("tournament", "user", "slot"),
                            name="one_live_entry_per_user",
                        ),
                        models.UniqueConstraint(
                            fields=("tournament", "number"), name="entry_number_once_in_tournament"
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(
                                ("state__in", ["unregistered", "refunded"]), _negated=True
                            ),
                            fields=("ticket",),
                            name="a_ticket_pays_for_one_entry",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="Ruling",
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
                                ("move", "moved by the room"),
                                ("disqualify", "disqualified"),
                                ("leave", "leaves with the stack"),
                            ],
                            max_length=12,
                            verbose_name="kind",
                        ),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[("open", "open"), ("done", "done"), ("void", "void")],
                            default="open",
                            max_length=10,
                            verbose_name="state",
                        ),
                    ),
                    ("reason", models.CharField(max_length=300, verbose_name="reason")),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made at")),
                    (
                        "closed_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="closed at"),
                    ),
                    (
                        "actor",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "entry",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="room_rulings",
                            to="tournaments.entry",
                        ),
                    ),
                    (
                        "to_table",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="room_rulings",
                            to="tables.table",
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="room_rulings",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "ruling",
                    "verbose_name_plural": "rulings",
                    "ordering": ["-pk"],
                    "indexes": [
                        models.Index(
                            fields=["tournament", "state"], name="tournaments_tournam_5ed523_idx"
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("state", "open")),
                            fields=("entry",),
                            name="one_open_ruling_per_entry",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="RoomBounty",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "amount",
                        models.PositiveBigIntegerField(
                            validators=[django.core.validators.MinValueValidator(1)],
                            verbose_name="amount",
                        ),
                    ),
                    (
                        "paid",
                        models.BooleanField(default=False, editable=False, verbose_name="paid"),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="room_bounties",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "bounty of the room",
                    "verbose_name_plural": "bounties of the room",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("tournament", "user"), name="one_room_bounty_per_player"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Offer",
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
                                ("rebuy", "re-buy"),
                                ("reentry", "re-entry"),
                                ("add_on", "add-on"),
                                ("merge", "merged entries"),
                            ],
                            max_length=10,
                            verbose_name="kind",
                        ),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("open", "open"),
                                ("accepted", "accepted"),
                                ("done", "done"),
                                ("declined", "declined"),
                                ("expired", "expired"),
                            ],
                            default="open",
                            max_length=10,
                            verbose_name="state",
                        ),
                    ),
                    ("price", models.PositiveBigIntegerField(verbose_name="price")),
                    ("fee", models.PositiveBigIntegerField(default=0, verbose_name="fee")),
                    ("chips", models.PositiveBigIntegerField(verbose_name="chips")),
                    ("given_table", models.PositiveBigIntegerField(blank=True, null=True)),
                    ("given_hand", models.PositiveIntegerField(blank=True, null=True)),
                    (
                        "until_ms",
                        models.PositiveBigIntegerField(
                            help_text="ms since the epoch", verbose_name="open until"
                        ),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made at")),
                    (
                        "closed_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="closed at"),
                    ),
                    (
                        "entry",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="offers",
                            to="tournaments.entry",
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="offers",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "offer",
                    "verbose_name_plural": "offers",
                    "indexes": [
                        models.Index(
                            fields=["tournament", "state"], name="tournaments_tournam_9bcfc5_idx"
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("state__in", ["open", "accepted"])),
                            fields=("entry", "kind"),
                            name="one_open_offer_per_entry",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Move",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "reason",
                        models.CharField(
                            choices=[
                                ("balance", "balancing"),
                                ("closing", "table closed"),
                                ("final", "final table"),
                                ("late", "late registration"),
                                ("round", "next round"),
                                ("room", "by the room"),
                            ],
                            max_length=10,
                            verbose_name="reason",
                        ),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("open", "open"),
                                ("left", "on the way"),
                                ("seated", "seated"),
                                ("void", "void"),
                            ],
                            max_length=10,
                            verbose_name="state",
                        ),
                    ),
                    ("from_seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                    ("to_seat", models.PositiveSmallIntegerField()),
                    ("chips", models.PositiveBigIntegerField(default=0)),
                    ("bank_ms", models.PositiveIntegerField(default=0)),
                    ("absent", models.BooleanField(default=False)),
                    ("showdown", models.CharField(default="auto", max_length=4)),
                    (
                        "pledge",
                        models.BinaryField(blank=True, db_default=b"", default=b"", max_length=32),
                    ),
                    ("hand", models.PositiveIntegerField(default=0)),
                    (
                        "version",
                        models.PositiveBigIntegerField(help_text="balance version that decided it"),
                    ),
                    ("decided_at", models.DateTimeField(auto_now_add=True)),
                    ("seated_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "entry",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="moves",
                            to="tournaments.entry",
                        ),
                    ),
                    (
                        "from_table",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="moves_away",
                            to="tables.table",
                        ),
                    ),
                    (
                        "to_table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="moves_here",
                            to="tables.table",
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="moves",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "move",
                    "verbose_name_plural": "moves",
                    "indexes": [
                        models.Index(
                            fields=["tournament", "state"], name="tournaments_tournam_240792_idx"
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("state__in", ["open", "left"])),
                            fields=("entry",),
                            name="one_open_move_per_entry",
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(("state__in", ["open", "left"])),
                            fields=("to_table", "to_seat"),
                            name="one_open_move_per_seat",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="KnockOut",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "order",
                        models.PositiveIntegerField(
                            help_text="counted from 1; one number per table's hand"
                        ),
                    ),
                    (
                        "round",
                        models.PositiveIntegerField(help_text="hand-for-hand round; 0 outside"),
                    ),
                    ("hand", models.PositiveIntegerField()),
                    ("stack", models.PositiveBigIntegerField()),
                    ("button_distance", models.PositiveSmallIntegerField()),
                    ("winners", models.JSONField(default=list)),
                    (
                        "bounties",
                        models.JSONField(
                            default=list,
                            help_text="[entry, cents paid at once, cents on its head] (N-04)",
                        ),
                    ),
                    ("placed", models.BooleanField(default=False)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "entry",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="knock_out",
                            to="tournaments.entry",
                        ),
                    ),
                    (
                        "table",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="knock_outs",
                            to="tables.table",
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="knock_outs",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "knock-out",
                    "verbose_name_plural": "knock-outs",
                    "ordering": [models.OrderBy(models.F("order"))],
                    "indexes": [
                        models.Index(
                            fields=["tournament", "placed"], name="tournaments_tournam_f61f9c_idx"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Guest",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="guests",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "guest",
                    "verbose_name_plural": "guests",
                    "constraints": [
                        models.UniqueConstraint(fields=("tournament", "user"), name="guest_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="Deal",
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
                                ("equal", "equal shares"),
                                ("chips", "by chips"),
                                ("icm", "ICM"),
                            ],
                            max_length=10,
                            verbose_name="kind",
                        ),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("asked", "after this hand"),
                                ("open", "vote"),
                                ("agreed", "agreed"),
                                ("refused", "refused"),
                            ],
                            default="asked",
                            max_length=10,
                            verbose_name="state",
                        ),
                    ),
                    ("stacks", models.JSONField(default=list, verbose_name="stacks")),
                    ("shares", models.JSONField(default=list, verbose_name="shares")),
                    (
                        "until_ms",
                        models.PositiveBigIntegerField(default=0, verbose_name="vote ends"),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made at")),
                    (
                        "closed_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="closed at"),
                    ),
                    (
                        "proposed_by",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="deals_proposed",
                            to="tournaments.entry",
                            verbose_name="proposed by",
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="deals",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "deal",
                    "verbose_name_plural": "deals",
                    "ordering": ["-pk"],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("state__in", ["asked", "open"])),
                            fields=("tournament",),
                            name="one_deal_at_a_time",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="ClubTemplate",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=80, verbose_name="name")),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="created at")),
                    (
                        "club",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="templates",
                            to="accounts.club",
                            verbose_name="club",
                        ),
                    ),
                    (
                        "made_by",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="by",
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
                    "verbose_name": "template of a club",
                    "verbose_name_plural": "templates of clubs",
                    "ordering": ["name"],
                    "constraints": [
                        models.UniqueConstraint(fields=("club", "name"), name="club_template_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="AuditRow",
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
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="audit",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "audit row",
                    "verbose_name_plural": "audit rows",
                    "ordering": ["-pk"],
                },
            ),
            migrations.CreateModel(
                name="Admission",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("at", models.DateTimeField(auto_now_add=True)),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="admissions",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="admissions",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(fields=("user", "tournament"), name="admitted_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="Vote",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("yes", models.BooleanField(verbose_name="yes")),
                    ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                    (
                        "deal",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="votes",
                            to="tournaments.deal",
                        ),
                    ),
                    (
                        "entry",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="votes",
                            to="tournaments.entry",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "vote",
                    "verbose_name_plural": "votes",
                    "constraints": [
                        models.UniqueConstraint(fields=("deal", "entry"), name="one_vote_per_entry")
                    ],
                },
            ),
            migrations.CreateModel(
                name="Webhook",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=60, verbose_name="name")),
                    (
                        "address",
                        models.CharField(
                            max_length=500,
                            validators=[django.core.validators.MaxLengthValidator(500)],
                            verbose_name="address",
                        ),
                    ),
                    (
                        "form",
                        models.CharField(
                            choices=[
                                ("json", "JSON, signed"),
                                ("discord", "Discord"),
                                ("slack", "Slack, Mattermost, Rocket.Chat"),
                                ("telegram", "Telegram"),
                            ],
                            default="json",
                            max_length=10,
                            verbose_name="form",
                        ),
                    ),
                    (
                        "scope",
                        models.CharField(
                            choices=[
                                ("results", "start, final table, end"),
                                ("course", "also breaks, players out and bounties"),
                                ("all", "every event (JSON only)"),
                            ],
                            default="course",
                            max_length=10,
                            verbose_name="told",
                        ),
                    ),
                    (
                        "tells_new",
                        models.BooleanField(default=False, verbose_name="tells new tournaments"),
                    ),
                    (
                        "tells_starts",
                        models.BooleanField(
                            default=False,
                            help_text="15 and 5 minutes before.",
                            verbose_name="tells starts",
                        ),
                    ),
                    (
                        "language",
                        models.CharField(
                            choices=[("de", "German"), ("en", "English")],
                            default="en",
                            max_length=5,
                            verbose_name="language",
                        ),
                    ),
                    (
                        "secret",
                        models.CharField(
                            default=tournaments.models.webhook.new_secret,
                            editable=False,
                            max_length=60,
                            verbose_name="secret",
                        ),
                    ),
                    ("is_active", models.BooleanField(default=True, verbose_name="active")),
                    (
                        "stopped_why",
                        models.CharField(
                            blank=True,
                            editable=False,
                            max_length=200,
                            verbose_name="stopped because",
                        ),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made at")),
                    (
                        "accepted_at",
                        models.DateTimeField(
                            editable=False, null=True, verbose_name="last accepted at"
                        ),
                    ),
                    (
                        "made_by",
                        models.ForeignKey(
                            editable=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="made by",
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            blank=True,
                            help_text="Empty: every tournament that everybody may see.",
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            to="tournaments.tournament",
                            verbose_name="tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "webhook",
                    "verbose_name_plural": "webhooks",
                },
            ),
            migrations.CreateModel(
                name="WebhookCursor",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("stream", models.CharField(max_length=60)),
                    ("seq", models.PositiveBigIntegerField()),
                    (
                        "webhook",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, to="tournaments.webhook"
                        ),
                    ),
                ],
                options={
                    "verbose_name": "webhook cursor",
                    "verbose_name_plural": "webhook cursors",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("webhook", "stream"), name="webhook_cursor_once"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="WebhookDelivery",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("stream", models.CharField(max_length=60, verbose_name="stream")),
                    ("seq", models.PositiveBigIntegerField(verbose_name="number")),
                    ("event", models.CharField(max_length=40, verbose_name="event")),
                    ("body", models.TextField(verbose_name="body")),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("waiting", "waiting"),
                                ("accepted", "accepted"),
                                ("dead", "dead letter"),
                            ],
                            default="waiting",
                            max_length=10,
                            verbose_name="state",
                        ),
                    ),
                    (
                        "attempts",
                        models.PositiveSmallIntegerField(default=0, verbose_name="attempts"),
                    ),
                    (
                        "due_at",
                        models.DateTimeField(
                            default=django.utils.timezone.now, verbose_name="due at"
                        ),
                    ),
                    ("error", models.CharField(blank=True, max_length=200, verbose_name="error")),
                    ("ended_at", models.DateTimeField(null=True, verbose_name="ended at")),
                    (
                        "webhook",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            to="tournaments.webhook",
                            verbose_name="webhook",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "webhook delivery",
                    "verbose_name_plural": "webhook deliveries",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("state", "waiting")),
                            fields=["webhook", "id"],
                            name="webhook_delivery_waiting",
                        )
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("webhook", "stream", "seq"), name="webhook_delivery_once"
                        )
                    ],
                },
            ),
        ),
        migrations.RunSQL(
            "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON tournaments_auditrow"
            " FOR EACH ROW EXECUTE FUNCTION ledger_append_only();",
            reverse_sql="DROP TRIGGER audit_append_only ON tournaments_auditrow;",
        ),
        migrations.RunPython(_presets.add_presets, migrations.RunPython.noop),
    ]
