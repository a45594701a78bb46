"""Clubs, their members, links, requests and announcements, and an append-only record."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_ring"),
    ]

    operations = [
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
                    "takes_requests",
                    models.BooleanField(default=True, verbose_name="takes requests to join"),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="created at")),
            ],
            options={
                "verbose_name": "club",
                "verbose_name_plural": "clubs",
                "ordering": ["name"],
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
                ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="revoked")),
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
                        choices=[("owner", "owner"), ("manager", "manager"), ("member", "member")],
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
        migrations.RunSQL(
            "CREATE TRIGGER club_audit_append_only BEFORE UPDATE OR DELETE ON accounts_clubauditrow"
            " FOR EACH ROW EXECUTE FUNCTION ledger_append_only();",
            reverse_sql="DROP TRIGGER club_audit_append_only ON accounts_clubauditrow;",
        ),
    ]
