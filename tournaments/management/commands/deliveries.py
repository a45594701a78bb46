"""Send mail and notifications, tell webhooks events of tournaments, remove orphan files."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import Any

from asgiref.sync import sync_to_async
from django.core.management.base import BaseCommand

from accounts.notifications import telling
from accounts.stored_files import sweeping
from config.heartbeat import EVERY_S, heart
from config.process import metrics_listener, server_checks
from tables.workers import presence
from tournaments.webhooks import watching

ATTEMPTS_END_WITHIN_S = 5.0
"""Time in s for messages that are being sent when the process is told to stop."""


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
    """Run the loops until SIGTERM; a second signal ends the process at once.

    A defect in a loop ends the process, which its supervisor starts again.
    """
    stopping = asyncio.Event()
    running = asyncio.get_running_loop()
    running.add_signal_handler(signal.SIGTERM, stopping.set)
    async with asyncio.TaskGroup() as loops:
        begun = [
            loops.create_task(watching.watch()),
            loops.create_task(telling.tell()),
            loops.create_task(sweeping.sweep()),
        ]
        loops.create_task(_live(stopping))
        await stopping.wait()
        running.remove_signal_handler(signal.SIGTERM)
        for one in begun:
            one.cancel()
    # Loops are over; attempts that were begun have tasks of their own, and are told twice when cut.
    attempts = asyncio.all_tasks() - {asyncio.current_task()}
    if attempts:
        await asyncio.wait(attempts, timeout=ATTEMPTS_END_WITHIN_S)


async def _live(stopping: asyncio.Event) -> None:
    report = sync_to_async(presence.report, thread_sensitive=False)
    while not stopping.is_set():
        if heart.beat():
            await report("deliveries")
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), EVERY_S)
    # After the last report, which would put the process on the list again.
    await sync_to_async(presence.leave, thread_sensitive=False)("deliveries")
