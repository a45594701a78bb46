"""Write docs/openapi.json from the routes of the API."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from tournaments.api.document import PAGE, text


class Command(BaseCommand):
    """`manage.py api_docs`."""

    help = "Write the OpenAPI document of the API."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the document."""
        (settings.BASE_DIR / PAGE).write_text(text(), encoding="utf-8")
