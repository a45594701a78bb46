"""Moderators' lists of the chat: messages, reports, silences and the word list."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import EmptyFieldListFilter
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.operators import operator
from accounts.admin.read_only import ReadOnly
from accounts.models import User
from accounts.refusals import words_of
from config import limits
from config.admin_site import DeclaredLookups
from tables.chat import authority, moderation
from tables.chat.authority import RIGHT
from tables.chat.models import ChatMessage, ChatReport, ChatSilence, ChatWord
from tables.chat.refusals import NotBelowYou
from tables.chat.rules import is_word
from tables.chat.terms import forget_terms

MINUTES_MAX = limits.SILENCE_DAYS_MAX * 24 * 60


class ModeratorsOnly(ReadOnly):
    """Read-only admin, with steps for users with the moderators' permission."""

    opts: Any

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return whether the user is a moderator or may read the rows of the model."""
        right = f"chat.view_{self.opts.model_name}"
        return self.has_moderate_permission(request) or request.user.has_perm(right)

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Return whether the user is a moderator."""
        return request.user.has_perm(RIGHT)


@admin.register(ChatMessage)
class ChatMessageAdmin(ModeratorsOnly, DeclaredLookups[ChatMessage]):
    """Messages, newest first, deleted ones too."""

    list_display = ("sent_at", "channel", "name", "text", "deleted_at", "silence")
    list_filter = (("deleted_at", EmptyFieldListFilter),)
    list_select_related = ("channel",)
    search_fields = ("=name", "text", "=channel__stream")
    ordering = ("-id",)
    exclude = ("command",)
    actions = ("delete_messages",)

    @admin.display(description=_("silence"))
    def silence(self, row: ChatMessage) -> str:
        """Return a link to the form that silences the author."""
        return _link_to_silence(row.user_id)

    @admin.action(description=_("Delete the selected messages"), permissions=["moderate"])
    def delete_messages(self, request: HttpRequest, rows: QuerySet[ChatMessage]) -> None:
        """Take the selected messages from all screens."""
        moderator = operator(request)
        count = sum(moderation.delete_message(row.pk, moderator) for row in rows)
        _tell_deleted(request, count)


@admin.register(ChatReport)
class ChatReportAdmin(ModeratorsOnly, DeclaredLookups[ChatReport]):
    """Reported messages, open ones under the filter of answers."""

    list_display = ("made_at", "author", "text", "by", "answered_at", "silence")
    list_filter = (("answered_at", EmptyFieldListFilter),)
    list_select_related = ("message", "by")
    ordering = ("-id",)
    actions = ("delete_messages", "answer_reports")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatReport]:
        """Return the reports without those of the own messages, which name their readers."""
        return super().get_queryset(request).exclude(message__user=request.user.pk)

    @admin.display(description=_("author"))
    def author(self, row: ChatReport) -> str:
        """Return the author of the message."""
        return row.message.name

    @admin.display(description=_("text"))
    def text(self, row: ChatReport) -> str:
        """Return the text of the message."""
        return row.message.text

    @admin.display(description=_("silence"))
    def silence(self, row: ChatReport) -> str:
        """Return a link to the form that silences the author."""
        return _link_to_silence(row.message.user_id)

    @admin.action(description=_("Delete the reported messages"), permissions=["moderate"])
    def delete_messages(self, request: HttpRequest, rows: QuerySet[ChatReport]) -> None:
        """Take the reported messages from all screens, which answers their reports."""
        moderator = operator(request)
        wanted = {row.message_id for row in rows}
        _tell_deleted(request, sum(moderation.delete_message(key, moderator) for key in wanted))

    @admin.action(description=_("Close the selected reports"), permissions=["moderate"])
    def answer_reports(self, request: HttpRequest, rows: QuerySet[ChatReport]) -> None:
        """Close the selected reports and leave their messages."""
        moderator = operator(request)
        count = sum(moderation.answer_report(row, moderator) for row in rows)
        words = ngettext("%(count)s report closed.", "%(count)s reports closed.", count)
        messages.success(request, words % {"count": count})


class SilenceForm(forms.ModelForm[ChatSilence]):
    """Player, minutes and reason of a new silence."""

    moderator: User
    """The operator, set on the class of the form."""

    minutes = forms.IntegerField(
        label=_("Minutes"), min_value=1, max_value=MINUTES_MAX, initial=24 * 60
    )

    class Meta:
        model = ChatSilence
        fields = ("user", "reason")

    def clean_user(self) -> User:
        """Refuse to silence oneself or another moderator of the room, as the panel does."""
        player: User = self.cleaned_data["user"]
        if player == self.moderator or authority.reach_of(player, None) is authority.Reach.ROOM:
            refusal = NotBelowYou()
            raise forms.ValidationError(words_of(refusal), code=refusal.code)
        return player


@admin.register(ChatSilence)
class ChatSilenceAdmin(ModeratorsOnly, DeclaredLookups[ChatSilence]):
    """Silences, newest first; they are added and ended, never changed."""

    list_display = ("user", "club", "until", "reason", "by", "made_at")
    list_select_related = ("user", "club", "by")
    search_fields = ("=user__name",)
    raw_id_fields = ("user",)
    ordering = ("-id",)
    actions = ("end_silences",)

    def has_add_permission(self, request: HttpRequest) -> bool:  # type: ignore[override]
        """Return whether the user is a moderator."""
        return self.has_moderate_permission(request)

    def get_form(
        self,
        request: HttpRequest,
        obj: ChatSilence | None = None,
        change: bool = False,
        **options: Any,
    ) -> Any:
        """Return the form of a new silence."""
        if obj is None:
            options["form"] = SilenceForm
        form: Any = super().get_form(request, obj, change, **options)
        if obj is None:
            form.moderator = operator(request)
        return form

    def get_fields(self, request: HttpRequest, obj: ChatSilence | None = None) -> Any:
        """Return the fields of the form, or all of a silence."""
        return ("user", "minutes", "reason") if obj is None else self.list_display

    def save_model(self, request: HttpRequest, obj: ChatSilence, form: Any, change: bool) -> None:
        """Silence the player and keep a record."""
        made = moderation.silence_player(
            obj.user,
            operator(request),
            minutes=form.cleaned_data["minutes"],
            reason=obj.reason,
        )
        obj.pk, obj.until, obj.by = made.pk, made.until, made.by

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Add no second record: the step itself has left one."""

    @admin.action(description=_("End the selected silences"), permissions=["moderate"])
    def end_silences(self, request: HttpRequest, rows: QuerySet[ChatSilence]) -> None:
        """Let the players of the selected silences chat again."""
        moderator = operator(request)
        count = sum(moderation.end_silence(row, moderator) for row in rows)
        words = ngettext("%(count)s silence ended.", "%(count)s silences ended.", count)
        messages.success(request, words % {"count": count})


class WordForm(forms.ModelForm[ChatWord]):
    """A word that messages may not have."""

    class Meta:
        model = ChatWord
        fields = ("word",)

    def clean_word(self) -> str:
        """Refuse what is found in no text, because signs and spaces part words there."""
        word: str = self.cleaned_data["word"]
        if not is_word(word):
            words = gettext("One word of letters and digits, please: signs and spaces part words.")
            raise forms.ValidationError(words, code="no_word")
        return word


@admin.register(ChatWord)
class ChatWordAdmin(DeclaredLookups[ChatWord]):
    """Words that messages may not have."""

    form = WordForm
    list_display = ("word",)
    search_fields = ("word",)
    ordering = ("word",)

    def save_model(self, request: HttpRequest, obj: ChatWord, form: Any, change: bool) -> None:
        """Save the word; other web processes know it within seconds."""
        super().save_model(request, obj, form, change)
        forget_terms()


def _link_to_silence(user: int) -> str:
    page = reverse("admin:chat_chatsilence_add")
    return format_html('<a href="{}?user={}">{}</a>', page, user, _("Silence"))


def _tell_deleted(request: HttpRequest, count: int) -> None:
    words = ngettext("%(count)s message deleted.", "%(count)s messages deleted.", count)
    messages.success(request, words % {"count": count})
