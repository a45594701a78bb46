"""Tell settled hands again with their cards, after the delay of each."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.environment import KeyFileMissing
from config.process import metrics_listener, server_checks
from config.process.stopping import StopRequest
from tables.cardsup import watching
from tables.records import holding


class Command(BaseCommand):
    """`manage.py cards_up`, a process beside the workers; no other one holds delayed cards."""

    help = "Tell settled hands again with their cards, until stopped."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Tell hands until stopped."""
        try:
            holding.hold_record_key()
        except KeyFileMissing as missing:
            raise CommandError(str(missing)) from missing
        server_checks.verify_role_or_exit("cardsup")
        metrics_listener.start()
        stop = StopRequest()
        stop.listen()
        watching.watch(stop)
