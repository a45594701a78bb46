"""The Django app of ladders of bots."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BotLadderConfig(AppConfig):
    """Django app of ladders: series of tournaments of bots, rated when they are over."""

    name = "tournaments.bot_ladder"
    label = "bot_ladder"
    verbose_name = _("ladders of bots")
    default_auto_field = "django.db.models.BigAutoField"
