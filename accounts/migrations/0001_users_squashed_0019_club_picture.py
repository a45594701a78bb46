"""Users, ledger, clubs and log-ins of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
It leaves out what 0014 does for sessions that were open before: a new database has none.
"""

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import accounts.models.user
from accounts.migrations import _laws
from config.postgres.new_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("accounts", "0001_users"),
        ("accounts", "0002_ledger"),
        ("accounts", "0003_ledger_laws"),
        ("accounts", "0004_bonus"),
        ("accounts", "0005_promotions"),
        ("accounts", "0006_seals"),
        ("accounts", "0007_password_links"),
        ("accounts", "0008_welcome_counts"),
        ("accounts", "0009_ring"),
        ("accounts", "0010_clubs"),
        ("accounts", "0011_email_addresses"),
        ("accounts", "0012_access_tokens"),
        ("accounts", "0013_api_answers"),
        ("accounts", "0014_login_sessions"),
        ("accounts", "0015_own_limits"),
        ("accounts", "0016_second_factor"),
        ("accounts", "0017_deletion"),
        ("accounts", "0018_passkeys"),
        ("accounts", "0019_club_picture"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name="User",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("password", models.CharField(max_length=128, verbose_name="password")),
                    (
                        "last_login",
                        models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                    ),
                    (
                        "is_superuser",
                        models.BooleanField(
                            default=False,
                            help_text="Designates that this user has all permissions without explicitly assigning them.",
                            verbose_name="superuser status",
                        ),
                    ),
                    (
                        "email",
                        models.EmailField(blank=True, max_length=254, verbose_name="email address"),
                    ),
                    (
                        "is_staff",
                        models.BooleanField(
                            default=False,
                            help_text="Designates whether the user can log into this admin site.",
                            verbose_name="staff status",
                        ),
                    ),
                    (
                        "is_active",
                        models.BooleanField(
                            default=True,
                            help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                            verbose_name="active",
                        ),
                    ),
                    (
                        "date_joined",
                        models.DateTimeField(
                            default=django.utils.timezone.now, verbose_name="date joined"
                        ),
                    ),
                    ("name", models.CharField(max_length=20, unique=True, verbose_name="name")),
                    (
                        "name_key",
                        accounts.models.user.NameKeyField(
                            blank=True,
                            editable=False,
                            max_length=60,
                            unique=True,
                            verbose_name="name, folded",
                        ),
                    ),
                    (
                        "is_pro",
                        models.BooleanField(
                            default=False,
                            help_text="Carries a PRO bounty where the room pays one.",
                            verbose_name="PRO",
                        ),
                    ),
                    ("is_bot", models.BooleanField(default=False, verbose_name="bot")),
                    (
                        "language",
                        models.CharField(
                            blank=True,
                            default="",
                            help_text="Empty: as the browser.",
                            max_length=8,
                            verbose_name="language",
                        ),
                    ),
                    (
                        "deleted_at",
                        models.DateTimeField(editable=False, null=True, verbose_name="deleted at"),
                    ),
                    (
                        "groups",
                        models.ManyToManyField(
                            blank=True,
                            help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                            related_name="user_set",
                            related_query_name="user",
                            to="auth.group",
                            verbose_name="groups",
                        ),
                    ),
                    (
                        "user_permissions",
                        models.ManyToManyField(
                            blank=True,
                            help_text="Specific permissions for this user.",
                            related_name="user_set",
                            related_query_name="user",
                            to="auth.permission",
                            verbose_name="user permissions",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "user",
                    "verbose_name_plural": "users",
                },
                managers=[
                    ("objects", accounts.models.user.UserManager()),
                ],
            ),
            migrations.CreateModel(
                name="RetiredName",
                fields=[
                    ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ],
                options={
                    "verbose_name": "retired name",
                    "verbose_name_plural": "retired names",
                },
            ),
            migrations.CreateModel(
                name="SealProgress",
                fields=[
                    ("chain", models.CharField(max_length=20, primary_key=True, serialize=False)),
                    ("seen_upto", models.BigIntegerField(default=0)),
                    ("ready_upto", models.BigIntegerField(default=0)),
                    ("ready_xid", models.BigIntegerField(default=0)),
                    ("at", models.DateTimeField(null=True)),
                ],
            ),
            migrations.CreateModel(
                name="Transfer",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("key", models.CharField(max_length=128, unique=True, verbose_name="key")),
                    ("kind", models.CharField(db_index=True, max_length=32, verbose_name="kind")),
                    (
                        "memo",
                        models.CharField(
                            blank=True, default="", max_length=200, verbose_name="memo"
                        ),
                    ),
                    (
                        "created",
                        models.DateTimeField(
                            db_default=django.db.models.functions.datetime.Now(),
                            editable=False,
                            verbose_name="time",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "transfer",
                    "verbose_name_plural": "transfers",
                },
            ),
            migrations.CreateModel(
                name="AccessToken",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=60, verbose_name="name")),
                    ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                    ("mark", models.CharField(editable=False, max_length=64)),
                    ("scopes", models.JSONField(verbose_name="rights")),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                    ("expires_at", models.DateTimeField(verbose_name="expires")),
                    ("used_at", models.DateTimeField(null=True, verbose_name="last use")),
                    ("revoked_at", models.DateTimeField(null=True, verbose_name="revoked")),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="access_tokens",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "access token",
                    "verbose_name_plural": "access tokens",
                },
            ),
            migrations.CreateModel(
                name="Account",
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
                    (
                        "ref",
                        models.CharField(
                            blank=True,
                            db_index=True,
                            default="",
                            max_length=64,
                            verbose_name="belongs to",
                        ),
                    ),
                    ("balance", models.BigIntegerField(default=0, verbose_name="balance")),
                    ("floor", models.BigIntegerField(default=0, verbose_name="lowest balance")),
                    (
                        "user",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="ledger_accounts",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="user",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "account",
                    "verbose_name_plural": "accounts",
                    "permissions": [
                        ("credit_money", "Can credit play money"),
                        ("fund_promotions", "Can give money to the promotions of the room"),
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("user__isnull", True)),
                            fields=("kind", "ref"),
                            name="account_one_of_the_house",
                        ),
                        models.UniqueConstraint(
                            condition=models.Q(("user__isnull", False)),
                            fields=("user", "kind", "ref"),
                            name="account_one_of_a_user",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("balance__gte", models.F("floor"))),
                            name="account_above_floor",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("balance__gte", -4611686018427387904),
                                ("balance__lte", 4611686018427387904),
                            ),
                            name="account_within_bounds",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="ApiAnswer",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("key", models.CharField(max_length=64, verbose_name="key")),
                    (
                        "digest",
                        models.CharField(help_text="of method, address and body", max_length=64),
                    ),
                    ("answer", models.JSONField(null=True, verbose_name="answer")),
                    (
                        "made_at",
                        models.DateTimeField(auto_now_add=True, db_index=True, verbose_name="time"),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "answer of the API",
                    "verbose_name_plural": "answers of the API",
                    "constraints": [
                        models.UniqueConstraint(fields=("user", "key"), name="api_answer_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="Club",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=40, verbose_name="name")),
                    ("slug", models.SlugField(max_length=80, unique=True, verbose_name="address")),
                    ("name_key", models.CharField(editable=False, max_length=80, unique=True)),
                    (
                        "description",
                        models.TextField(blank=True, max_length=1000, verbose_name="description"),
                    ),
                    (
                        "colour",
                        models.CharField(
                            max_length=7,
                            validators=[django.core.validators.RegexValidator("^#[0-9a-f]{6}$")],
                            verbose_name="first colour",
                        ),
                    ),
                    (
                        "second_colour",
                        models.CharField(
                            max_length=7,
                            validators=[django.core.validators.RegexValidator("^#[0-9a-f]{6}$")],
                            verbose_name="second colour",
                        ),
                    ),
                    (
                        "picture",
                        models.CharField(
                            blank=True,
                            db_default="",
                            help_text="key of its file; empty: the colours",
                            max_length=32,
                            verbose_name="picture",
                        ),
                    ),
                    (
                        "takes_requests",
                        models.BooleanField(default=True, verbose_name="takes requests to join"),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="created at")),
                ],
                options={
                    "verbose_name": "club",
                    "verbose_name_plural": "clubs",
                    "ordering": ["name"],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("picture", ""), _negated=True),
                            fields=("picture",),
                            name="club_picture_once",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="ClubAnnouncement",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("text", models.TextField(max_length=1000, verbose_name="text")),
                    ("token", models.CharField(editable=False, max_length=32, unique=True)),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                    (
                        "withdrawn_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="withdrawn"),
                    ),
                    (
                        "author",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "club",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="announcements",
                            to="accounts.club",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "announcement of a club",
                    "verbose_name_plural": "announcements of clubs",
                },
            ),
            migrations.CreateModel(
                name="ClubAuditRow",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("action", models.CharField(max_length=30, verbose_name="action")),
                    ("details", models.JSONField(default=dict, verbose_name="details")),
                    ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                    (
                        "actor",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "club",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="audit",
                            to="accounts.club",
                        ),
                    ),
                    (
                        "subject",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "audit row of a club",
                    "verbose_name_plural": "audit rows of clubs",
                    "indexes": [
                        models.Index(
                            fields=["club", "subject", "action"], name="club_audit_of_a_subject"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="InvitationLink",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                    ("uses_max", models.PositiveIntegerField(verbose_name="uses")),
                    ("used", models.PositiveIntegerField(default=0, verbose_name="used")),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                    ("expires_at", models.DateTimeField(verbose_name="expires")),
                    (
                        "revoked_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="revoked"),
                    ),
                    (
                        "club",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="links",
                            to="accounts.club",
                        ),
                    ),
                    (
                        "made_by",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "invitation link",
                    "verbose_name_plural": "invitation links",
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("used__lte", models.F("uses_max"))),
                            name="link_not_used_too_often",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="JoinRequest",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "text",
                        models.CharField(
                            blank=True, max_length=200, verbose_name="words to the managers"
                        ),
                    ),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("open", "open"),
                                ("accepted", "accepted"),
                                ("refused", "refused"),
                                ("joined", "joined by a link"),
                            ],
                            default="open",
                            max_length=10,
                            verbose_name="state",
                        ),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                    (
                        "answered_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="answered"),
                    ),
                    (
                        "club",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="requests",
                            to="accounts.club",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="join_requests",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "request to join a club",
                    "verbose_name_plural": "requests to join clubs",
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("state", "open")),
                            fields=("club", "user"),
                            name="one_open_request_per_club",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="LoginSession",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("device", models.CharField(blank=True, max_length=40)),
                    ("address", models.CharField(blank=True, max_length=45)),
                    ("began_at", models.DateTimeField(auto_now_add=True)),
                    ("seen_at", models.DateTimeField()),
                    ("is_new", models.BooleanField(default=False)),
                    (
                        "session",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="login",
                            to="sessions.session",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="login_sessions",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
            ),
            migrations.CreateModel(
                name="Mail",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("address", models.EmailField(max_length=254, verbose_name="e-mail address")),
                    ("subject", models.CharField(max_length=200, verbose_name="subject")),
                    ("body", models.TextField(verbose_name="text")),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("waiting", "waiting"),
                                ("sent", "sent"),
                                ("dead", "given up"),
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
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                    (
                        "due_at",
                        models.DateTimeField(
                            default=django.utils.timezone.now, verbose_name="due at"
                        ),
                    ),
                    ("error", models.CharField(blank=True, max_length=200, verbose_name="error")),
                ],
                options={
                    "verbose_name": "mail",
                    "verbose_name_plural": "mails",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("state", "waiting")),
                            fields=["due_at"],
                            name="mail_waiting",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Membership",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "role",
                        models.CharField(
                            choices=[
                                ("owner", "owner"),
                                ("manager", "manager"),
                                ("member", "member"),
                            ],
                            default="member",
                            max_length=10,
                            verbose_name="role",
                        ),
                    ),
                    ("since", models.DateTimeField(auto_now_add=True, verbose_name="member since")),
                    (
                        "club",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="memberships",
                            to="accounts.club",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="memberships",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "membership",
                    "verbose_name_plural": "memberships",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("club", "user"), name="membership_once_per_club"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="OwnLimit",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    (
                        "entries_a_day",
                        models.PositiveIntegerField(null=True, verbose_name="entries in 24 hours"),
                    ),
                    (
                        "money_a_week",
                        models.PositiveBigIntegerField(null=True, verbose_name="buy-ins in 7 days"),
                    ),
                    ("wanted", models.JSONField(default=dict)),
                    ("wanted_at", models.DateTimeField(null=True)),
                    (
                        "excluded_until",
                        models.DateTimeField(null=True, verbose_name="excluded until"),
                    ),
                    (
                        "user",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="own_limit",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "own limit",
                    "verbose_name_plural": "own limits",
                },
            ),
            migrations.CreateModel(
                name="Passkey",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("name", models.CharField(max_length=40, verbose_name="name")),
                    ("credential", models.CharField(editable=False, max_length=64, unique=True)),
                    ("data", models.BinaryField()),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                    ("used_at", models.DateTimeField(null=True, verbose_name="last use")),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="passkeys",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "passkey",
                    "verbose_name_plural": "passkeys",
                },
            ),
            migrations.CreateModel(
                name="PasswordLink",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("reason", models.CharField(max_length=150, verbose_name="reason")),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
                    ("used_at", models.DateTimeField(null=True, verbose_name="used")),
                    ("told_at", models.DateTimeField(null=True, verbose_name="told")),
                    (
                        "made_by",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="password_links",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "password link",
                    "verbose_name_plural": "password links",
                    "permissions": [("hand_over_links", "Can hand over links for a new password")],
                    "indexes": [
                        models.Index(
                            condition=models.Q(("told_at__isnull", True)),
                            fields=["user"],
                            name="link_to_tell",
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="Seal",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("chain", models.CharField(max_length=20)),
                    ("number", models.PositiveBigIntegerField()),
                    ("previous", models.CharField(blank=True, max_length=64)),
                    ("upto", models.BigIntegerField()),
                    ("rows", models.PositiveIntegerField()),
                    ("digest", models.CharField(max_length=64)),
                    ("key", models.CharField(max_length=16)),
                    ("mark", models.CharField(db_index=True, max_length=64)),
                    ("at", models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(fields=("chain", "number"), name="seal_number_once")
                    ],
                },
            ),
            migrations.CreateModel(
                name="SecondFactor",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("sealed_secret", models.TextField(editable=False)),
                    ("last_step", models.BigIntegerField(default=0, editable=False)),
                    ("recovery", models.JSONField(default=list, editable=False)),
                    ("confirmed_at", models.DateTimeField(null=True, verbose_name="confirmed")),
                    (
                        "user",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="second_factor",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "verbose_name": "second factor",
                    "verbose_name_plural": "second factors",
                },
            ),
            migrations.CreateModel(
                name="Posting",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("amount", models.BigIntegerField(verbose_name="amount")),
                    ("balance_after", models.BigIntegerField(verbose_name="balance after")),
                    (
                        "account",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="postings",
                            to="accounts.account",
                            verbose_name="account",
                        ),
                    ),
                    (
                        "transfer",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="postings",
                            to="accounts.transfer",
                            verbose_name="transfer",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "posting",
                    "verbose_name_plural": "postings",
                    "indexes": [models.Index(fields=["account", "id"], name="posting_of_account")],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("transfer", "account"), name="posting_one_per_account"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("amount", 0), _negated=True),
                            name="posting_moves_something",
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="WelcomeCount",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("day", models.DateField(verbose_name="day")),
                    ("source", models.CharField(max_length=64, verbose_name="address (hashed)")),
                    ("given", models.PositiveIntegerField(verbose_name="given")),
                ],
                options={
                    "verbose_name": "count of welcomes",
                    "verbose_name_plural": "counts of welcomes",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("day", "source"), name="welcomes_of_a_day_once"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="EmailAddress",
                fields=[
                    (
                        "user",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            primary_key=True,
                            related_name="email_address",
                            serialize=False,
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "address",
                        models.EmailField(
                            blank=True, max_length=254, verbose_name="e-mail address"
                        ),
                    ),
                    (
                        "pending",
                        models.EmailField(
                            blank=True, max_length=254, verbose_name="waits for confirmation"
                        ),
                    ),
                    ("confirmed_at", models.DateTimeField(null=True, verbose_name="confirmed at")),
                ],
                options={
                    "verbose_name": "e-mail address",
                    "verbose_name_plural": "e-mail addresses",
                    "constraints": [
                        models.UniqueConstraint(
                            django.db.models.functions.text.Lower("address"),
                            condition=models.Q(("address", ""), _negated=True),
                            name="email_address_once",
                        )
                    ],
                },
            ),
        ),
        migrations.RunSQL(_laws.LEDGER, reverse_sql=_laws.NO_LEDGER),
        migrations.RunSQL(_laws.RETIRED_NAMES, reverse_sql=_laws.NO_RETIRED_NAMES),
        migrations.RunSQL(
            "CREATE TRIGGER seal_append_only BEFORE UPDATE OR DELETE ON accounts_seal"
            " FOR EACH ROW EXECUTE FUNCTION ledger_append_only();",
            reverse_sql="DROP TRIGGER seal_append_only ON accounts_seal;",
        ),
        migrations.RunSQL(
            "CREATE TRIGGER club_audit_append_only BEFORE UPDATE OR DELETE ON accounts_clubauditrow"
            " FOR EACH ROW EXECUTE FUNCTION ledger_append_only();",
            reverse_sql="DROP TRIGGER club_audit_append_only ON accounts_clubauditrow;",
        ),
    ]
