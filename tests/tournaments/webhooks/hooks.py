"""Webhooks to a receiver of this machine, told as the process tells them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from redis import Redis

from tests.config.outside.receiver import Receiver, receiving
from tests.tables.gateway.sockets import PATIENCE_S
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


@contextmanager
def delivering() -> Iterator[None]:
    """Deliver during the block, by the whole loop of the process in a thread of its own."""
    begun, loops = threading.Event(), list[tuple[asyncio.AbstractEventLoop, Any]]()

    async def run() -> None:
        work = asyncio.create_task(watching.watch())
        loops.append((asyncio.get_running_loop(), work))
        begun.set()
        with suppress(asyncio.CancelledError):
            await work
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await sync_to_async(connections.close_all)()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert begun.wait(PATIENCE_S)
    [(loop, work)] = loops
    try:
        yield
        assert not work.done(), "the loop goes on"
    finally:
        loop.call_soon_threadsafe(work.cancel)
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
