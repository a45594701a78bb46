"""Django app that loads the Celery app in every process."""

from __future__ import annotations

from django.apps import AppConfig


class HouseConfig(AppConfig):
    """App that binds Celery tasks in every process."""

    name = "config"
    verbose_name = "House"

    def ready(self) -> None:
        """Import the Celery app once the settings are loaded."""
        from config import celery  # noqa: F401
