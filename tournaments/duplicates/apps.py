"""The Django app of duplicate deals."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DuplicatesConfig(AppConfig):
    """Django app of duplicate sets and their games."""

    name = "tournaments.duplicates"
    label = "duplicates"
    verbose_name = _("duplicate deals")
    default_auto_field = "django.db.models.BigAutoField"
