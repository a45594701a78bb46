"""Makes the room's entries known to Django: the Celery app and the operator's commands."""

from __future__ import annotations

from django.apps import AppConfig


class HouseConfig(AppConfig):
    """Loads the Celery app, so that tasks bind to it in every process."""

    name = "config"
    verbose_name = "House"

    def ready(self) -> None:
        """Import the Celery app as soon as the settings stand."""
        from config import celery  # noqa: F401
