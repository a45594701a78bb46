"""Tell registered addresses the events of tournaments."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.management.base import BaseCommand

from config.process import metrics_listener
from tournaments.webhooks import watching


class Command(BaseCommand):
    """`manage.py webhooks`, a process beside the workers."""

    help = "Tell registered addresses the events of tournaments, until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect and deliver until stopped."""
        metrics_listener.start()
        asyncio.run(watching.watch())
