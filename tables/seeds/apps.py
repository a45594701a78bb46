"""The Django app of seeds."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SeedsConfig(AppConfig):
    """Django app of the seeds of games in a research room."""

    name = "tables.seeds"
    label = "seeds"
    verbose_name = _("seeds of games")
    default_auto_field = "django.db.models.BigAutoField"
