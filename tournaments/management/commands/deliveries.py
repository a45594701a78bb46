"""Send mail, and tell webhooks the events of tournaments."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.management.base import BaseCommand

from config.process import metrics_listener
from tournaments.webhooks import watching


class Command(BaseCommand):
    """`manage.py deliveries`, a process beside the workers for slow outside services."""

    help = "Send mail and the messages of webhooks, until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect and deliver until stopped."""
        metrics_listener.start()
        asyncio.run(watching.watch())
