"""Webhooks to a receiver of this machine, told as the process tells them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from redis import Redis

from tests.config.outside.receiver import Receiver, receiving
from tournaments.models import Webhook
from tournaments.webhooks import collecting, watching


@pytest.fixture
def receiver(house: Redis, settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    with receiving() as listening:
        yield listening


def made(receiver: Receiver, **fields: Any) -> Webhook:
    """A webhook to this receiver that is told every event from now on."""
    fields = {"name": "Test", "scope": "all", "address": receiver.address} | fields
    webhook = Webhook.objects.create(**fields)
    collecting.begin(webhook)
    return webhook


def tell(webhook: Webhook) -> int:
    """Collect and send what is due, as the process does."""

    async def told() -> int:
        try:
            return await watching.tell(webhook.pk)
        finally:
            await sync_to_async(connections.close_all)()

    return asyncio.run(told())
