"""Stored chat: channels, messages, silences, reports and the word list."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class ChatChannel(models.Model):
    """A chat with its stream's name; `last` is the number of its newest event."""

    stream = models.CharField(_("stream"), max_length=40, unique=True)
    last = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("chat channel")
        verbose_name_plural = _("chat channels")

    def __str__(self) -> str:
        return self.stream


class ChatMessage(models.Model):
    """A message as its author typed it, after the rules; deleted ones are kept, shown to staff."""

    channel = models.ForeignKey(
        ChatChannel, verbose_name=_("channel"), on_delete=models.CASCADE, related_name="messages"
    )
    seq = models.BigIntegerField(
        _("position in the channel"), help_text=_("number of its event on the stream")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("user")
    )
    name = models.CharField(_("name"), max_length=30)
    command = models.CharField(max_length=36, help_text=_("id that the client chose"))
    text = models.CharField(_("text"), max_length=200)
    emote = models.CharField(
        _("emote"), max_length=12, blank=True, db_default="", help_text=_("key of an emote")
    )
    sent_at = models.DateTimeField(_("sent at"), db_index=True)
    deleted_at = models.DateTimeField(_("deleted at"), null=True, blank=True)

    class Meta:
        verbose_name = _("chat message")
        verbose_name_plural = _("chat messages")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["channel", "seq"], name="chat_message_numbered_once"),
            models.UniqueConstraint(fields=["user", "command"], name="chat_message_sent_once"),
        ]
        permissions: ClassVar = [("moderate_chat", _("Can moderate the chat"))]

    def __str__(self) -> str:
        return f"{self.name} #{self.pk}"  # no text: the admin's log outlives the message


class ChatSilence(models.Model):
    """A player's silence from its row on until `until`: in every chat, or in those of a club."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("player"),
    )
    club = models.ForeignKey(
        "accounts.Club",
        on_delete=models.CASCADE,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("club"),
        help_text=_("empty: in every chat"),
    )
    until = models.DateTimeField(_("until"))
    reason = models.CharField(_("reason"), max_length=200, help_text=_("the player reads it"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("by")
    )
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        verbose_name = _("silence")
        verbose_name_plural = _("silences")
        indexes: ClassVar = [models.Index(fields=["user", "until"], name="chat_silence_of_user")]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(until__gte=F("made_at")), name="silence_goes_on")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} -> {self.until:%Y-%m-%d %H:%M}"


class ChatReport(models.Model):
    """A reader's report of a message, open until a moderator answers it."""

    message = models.ForeignKey(
        ChatMessage,
        verbose_name=_("chat message"),
        on_delete=models.CASCADE,
        related_name="reports",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name=_("by")
    )
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)
    answered_at = models.DateTimeField(_("answered at"), null=True, blank=True)

    class Meta:
        verbose_name = _("reported message")
        verbose_name_plural = _("reported messages")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["message", "by"], name="chat_reported_once_by_reader")
        ]

    def __str__(self) -> str:
        return f"{self.message_id} ({self.by_id})"


class ChatWord(models.Model):
    """A word that messages may not have; compared without case, accents and look-alike digits."""

    word = models.CharField(_("word"), max_length=40, unique=True)

    class Meta:
        verbose_name = _("refused word")
        verbose_name_plural = _("refused words")

    def __str__(self) -> str:
        return self.word
