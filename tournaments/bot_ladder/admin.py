"""Admin of ladders: made and closed here; games and ratings are records, read-only."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin.read_only import ReadOnly
from accounts.refusals import words_of
from config.admin_site import DeclaredLookups
from config.refusals import Refusal
from tournaments.bot_ladder.models import BotLadder, RatedBot, RatedGame
from tournaments.bot_ladder.terms import validate_duplicates, validate_templates
from tournaments.models import Template


class LadderForm(forms.ModelForm[BotLadder]):
    """A ladder with its templates, each checked."""

    class Meta:
        model = BotLadder
        fields = ("name", "templates", "duplicate", "is_open")

    def clean_templates(self) -> QuerySet[Template]:
        """Refuse templates whose tournaments no ladder rates."""
        templates: QuerySet[Template] = self.cleaned_data["templates"]
        try:
            validate_templates(templates)
        except Refusal as refusal:
            raise ValidationError(words_of(refusal)) from refusal
        return templates

    def clean(self) -> dict[str, Any] | None:
        """Refuse duplicate deals that cannot be played."""
        cleaned = super().clean()
        if "templates" in self.cleaned_data:
            self.instance.duplicate = self.cleaned_data["duplicate"]
            try:
                validate_duplicates(self.instance, self.cleaned_data["templates"])
            except Refusal as refusal:
                raise ValidationError({"duplicate": words_of(refusal)}) from refusal
        return cleaned


@admin.register(BotLadder)
class BotLadderAdmin(DeclaredLookups[BotLadder]):
    """Ladders; one with rated games is closed, not deleted."""

    form = LadderForm
    list_display = ("name", "is_open", "rated", "page")
    list_filter = ("is_open",)
    search_fields = ("name",)

    def has_delete_permission(self, request: Any, obj: BotLadder | None = None) -> bool:
        """Return whether a ladder may be deleted: only one that has rated nothing."""
        allowed: bool = super().has_delete_permission(request, obj)
        return allowed and obj is not None and not obj.rated

    @admin.display(description=_("page"))
    def page(self, ladder: BotLadder) -> str:
        """Return a link to the ladder's own page."""
        return format_html('<a href="{}">{}</a>', reverse("ladder", args=[ladder.pk]), ladder.pk)


@admin.register(RatedGame)
class RatedGameAdmin(ReadOnly, DeclaredLookups[RatedGame]):
    """Rated games of ladders."""

    list_display = ("ladder", "number", "tournament", "players", "rated_at")
    list_filter = ("ladder",)
    list_select_related = ("ladder", "tournament")
    ordering = ("-pk",)


@admin.register(RatedBot)
class RatedBotAdmin(ReadOnly, DeclaredLookups[RatedBot]):
    """Bots of ladders with their ratings and faults."""

    list_display = ("ladder", "user", "mu", "sigma", "games", "wins", "time_outs", "crashes")
    list_filter = ("ladder",)
    list_select_related = ("ladder", "user")
    search_fields = ("=user__name",)
