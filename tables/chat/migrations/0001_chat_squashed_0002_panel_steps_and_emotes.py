"""Chat of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.postgres.new_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("chat", "0001_chat"), ("chat", "0002_panel_steps_and_emotes")]

    initial = True

    dependencies = [
        ("accounts", "0018_passkeys"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name="ChatChannel",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("stream", models.CharField(max_length=40, unique=True, verbose_name="stream")),
                    ("last", models.BigIntegerField(default=0)),
                ],
                options={
                    "verbose_name": "chat channel",
                    "verbose_name_plural": "chat channels",
                },
            ),
            migrations.CreateModel(
                name="ChatWord",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("word", models.CharField(max_length=40, unique=True, verbose_name="word")),
                ],
                options={
                    "verbose_name": "refused word",
                    "verbose_name_plural": "refused words",
                },
            ),
            migrations.CreateModel(
                name="ChatMessage",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("seq", models.BigIntegerField(help_text="number of its event on the stream")),
                    ("name", models.CharField(max_length=30, verbose_name="name")),
                    (
                        "command",
                        models.CharField(help_text="id that the client chose", max_length=36),
                    ),
                    ("text", models.CharField(max_length=200, verbose_name="text")),
                    (
                        "emote",
                        models.CharField(
                            blank=True, db_default="", help_text="key of an emote", max_length=12
                        ),
                    ),
                    ("sent_at", models.DateTimeField(db_index=True, verbose_name="sent at")),
                    (
                        "deleted_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="deleted at"),
                    ),
                    (
                        "channel",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="messages",
                            to="chat.chatchannel",
                        ),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                            verbose_name="user",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "chat message",
                    "verbose_name_plural": "chat messages",
                    "permissions": [("moderate_chat", "Can moderate the chat")],
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("channel", "seq"), name="chat_message_numbered_once"
                        ),
                        models.UniqueConstraint(
                            fields=("user", "command"), name="chat_message_sent_once"
                        ),
                    ],
                },
            ),
            migrations.CreateModel(
                name="ChatReport",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made at")),
                    (
                        "answered_at",
                        models.DateTimeField(blank=True, null=True, verbose_name="answered at"),
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
                        "message",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="reports",
                            to="chat.chatmessage",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "reported message",
                    "verbose_name_plural": "reported messages",
                    "constraints": [
                        models.UniqueConstraint(
                            fields=("message", "by"), name="chat_reported_once_by_reader"
                        )
                    ],
                },
            ),
            migrations.CreateModel(
                name="ChatSilence",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("until", models.DateTimeField(verbose_name="until")),
                    (
                        "reason",
                        models.CharField(
                            help_text="the player reads it", max_length=200, verbose_name="reason"
                        ),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made at")),
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
                        "club",
                        models.ForeignKey(
                            blank=True,
                            help_text="empty: in every chat",
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="accounts.club",
                            verbose_name="club",
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
                    "verbose_name": "silence",
                    "verbose_name_plural": "silences",
                    "indexes": [
                        models.Index(fields=["user", "until"], name="chat_silence_of_user")
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("until__gte", models.F("made_at"))),
                            name="silence_goes_on",
                        )
                    ],
                },
            ),
        ),
    ]
