"""Tell settled hands again with their cards, after the delay of each."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config.process import metrics_listener
from tables.cardsup import watching


class Command(BaseCommand):
    """`manage.py cards_up`, a process beside the workers; no other one holds delayed cards."""

    help = "Tell settled hands again with their cards, until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        """Tell hands until stopped."""
        metrics_listener.start()
        watching.watch()
