"""Send mail and notifications, tell webhooks events of tournaments, remove orphan files."""

from __future__ import annotations

import asyncio
from typing import Any

from asgiref.sync import sync_to_async
from django.core.management.base import BaseCommand

from accounts.notifications import telling
from accounts.stored_files import sweeping
from config.heartbeat import EVERY_S, heart
from config.process import metrics_listener, server_checks
from tables.workers import presence
from tournaments.webhooks import watching


class Command(BaseCommand):
    """`manage.py deliveries`, a process beside the workers for slow outside services."""

    help = (
        "Send mail, notifications and the messages of webhooks, and remove orphan files,"
        " until stopped."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect and deliver until stopped."""
        server_checks.verify_role_or_exit("deliveries")
        metrics_listener.start()
        asyncio.run(deliver())


async def deliver() -> None:
    """Run the loops; a defect in one ends the process, which its supervisor starts again."""
    async with asyncio.TaskGroup() as loops:
        loops.create_task(watching.watch())
        loops.create_task(telling.tell())
        loops.create_task(sweeping.sweep())
        loops.create_task(_live())


async def _live() -> None:
    report = sync_to_async(presence.report, thread_sensitive=False)
    while True:
        if heart.beat():
            await report("deliveries")
        await asyncio.sleep(EVERY_S)
