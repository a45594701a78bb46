"""The Django app of the mark of a research room."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResearchConfig(AppConfig):
    """Django app of the mark of a research room."""

    name = "accounts.research"
    label = "research"
    verbose_name = _("research room")
    default_auto_field = "django.db.models.BigAutoField"
