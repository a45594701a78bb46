"""Loops of the process `deliveries`: webhooks and mail, whose servers may hang without harm."""

from __future__ import annotations

import asyncio

import structlog
from asgiref.sync import sync_to_async
from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.utils import timezone

from accounts.mail import outgoing
from tournaments.models import Webhook
from tournaments.webhooks import collecting, delivering, pruning, sending

log = structlog.get_logger(__name__)

LOOK_S = 1.0
"""Pause between two looks at the outbox, in seconds."""
IN_A_ROW = 50
"""Messages sent to one webhook before the next look."""
PRUNE_EVERY = 3_600
"""Looks between two deletions of old deliveries."""


async def watch() -> None:
    """Collect and deliver until the process is stopped; one task for each webhook, one for mail."""
    tasks: dict[int, asyncio.Task[None]] = {}
    mailing = asyncio.create_task(_send_mail())
    look = 0
    while True:
        try:
            for webhook in await sync_to_async(_active)():
                if webhook not in tasks or tasks[webhook].done():
                    tasks[webhook] = asyncio.create_task(_tend(webhook))
            if mailing.done():
                mailing = asyncio.create_task(_send_mail())
            if look % PRUNE_EVERY == 0:
                await sync_to_async(_prune)()
        except (DatabaseError, OSError) as error:
            log.warning("webhooks delayed", error=str(error))
        look += 1
        await asyncio.sleep(LOOK_S)


async def tell(webhook_id: int) -> int:
    """Collect a webhook's events and send what is due; return the number of attempts."""
    await sync_to_async(collecting.collect)(webhook_id)
    for attempts in range(IN_A_ROW):
        webhook = await sync_to_async(_found)(webhook_id)
        if webhook is None:
            return attempts
        now = timezone.now()
        delivery = await sync_to_async(delivering.claim)(webhook_id, now)
        if delivery is None:
            return attempts
        status, error = await sending.attempt(webhook, delivery, int(now.timestamp()))
        await sync_to_async(delivering.record)(delivery, status, error, timezone.now())
        if error:
            log.warning("webhook failed", webhook=webhook_id, error=error)
    return IN_A_ROW


async def _send_mail() -> None:
    # A thread of its own: a mail server that hangs holds up no webhook.
    send = sync_to_async(_deliver_mail, thread_sensitive=False)
    try:
        while await send():
            pass
    except (DatabaseError, OSError) as error:
        log.warning("mail delayed", error=str(error))
    except Exception:
        log.exception("mail broken")


async def _tend(webhook_id: int) -> None:
    try:
        await tell(webhook_id)
    except (DatabaseError, OSError) as error:
        log.warning("webhook delayed", webhook=webhook_id, error=str(error))
    except Exception:
        log.exception("webhook broken", webhook=webhook_id)


def _deliver_mail() -> bool:
    close_old_connections()
    try:
        return outgoing.deliver_next()
    finally:
        close_old_connections()


def _prune() -> None:
    pruning.prune()
    outgoing.prune()


def _active() -> list[int]:
    close_old_connections()
    return list(Webhook.objects.filter(is_active=True).order_by("pk").values_list("pk", flat=True))


def _found(webhook_id: int) -> Webhook | None:
    return Webhook.objects.filter(pk=webhook_id, is_active=True).first()
