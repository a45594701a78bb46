"""Course of deliveries: one at a time for each webhook, again later, then dead letters."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from tournaments.models import Webhook, WebhookDelivery

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=30)
"""Time for which a claimed delivery belongs to its process; longer than an attempt."""
ATTEMPTS_MAX = 10
DEAD_IN_A_ROW_MAX = 20
"""Dead letters without an accepted message between them that stop a webhook: almost three days."""
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(hours=1)
GONE = 410
"""Status with which a receiver asks for no further message."""

_State = WebhookDelivery.State


def claim(webhook_id: int, now: datetime) -> WebhookDelivery | None:
    """Claim the oldest waiting delivery of a webhook for one attempt.

    None while that one is not due or claimed: the ones behind it wait, so that order is kept.
    """
    with transaction.atomic():
        waiting = WebhookDelivery.objects.filter(webhook=webhook_id, state=_State.WAITING)
        delivery = waiting.select_for_update(of=("self",)).order_by("pk").first()
        if delivery is None or delivery.due_at > now:
            return None
        delivery.due_at = now + LEASE
        delivery.save(update_fields=["due_at"])
        return delivery


def record(delivery: WebhookDelivery, status: int, error: str, now: datetime) -> None:
    """Store the outcome of an attempt: accepted, due again, or a dead letter.

    A receiver that is gone (410), or took nothing for DEAD_IN_A_ROW_MAX messages, stops its
    webhook; its deliveries wait until it is active again.
    """
    delivery.attempts += 1
    delivery.error = error[:200]
    if not error:
        delivery.state, delivery.ended_at = _State.ACCEPTED, now
        Webhook.objects.filter(pk=delivery.webhook_id).update(accepted_at=now)
    elif status == GONE:
        delivery.due_at = now
        _stop(delivery.webhook_id, delivery.error)
    elif delivery.attempts >= ATTEMPTS_MAX:
        delivery.state, delivery.ended_at = _State.DEAD, now
        # Nobody reads what this receiver is told, and what waits for it would grow for ever. One
        # that was made active again is given as many more.
        if (_count_dead(delivery.webhook_id) + 1) % DEAD_IN_A_ROW_MAX == 0:
            _stop(delivery.webhook_id, f"{DEAD_IN_A_ROW_MAX} dead letters: {delivery.error}")
    else:
        delivery.due_at = now + pause(delivery.attempts)
    delivery.save(update_fields=["attempts", "error", "state", "ended_at", "due_at"])


def pause(attempts: int) -> timedelta:
    """Return the time until the next attempt: 5 s, 15 s, 45 s ... at most an hour."""
    factor: int = 3 ** (attempts - 1)
    return min(LONGEST_PAUSE, FIRST_PAUSE * factor)


def send_again(deliveries: list[int]) -> int:
    """Let dead letters wait again, behind no newer message; return their number."""
    dead = WebhookDelivery.objects.filter(pk__in=deliveries, state=_State.DEAD)
    return dead.update(
        state=_State.WAITING, attempts=0, due_at=timezone.now(), error="", ended_at=None
    )


def _stop(webhook_id: int, why: str) -> None:
    log.warning("webhook stopped", webhook=webhook_id, why=why)
    Webhook.objects.filter(pk=webhook_id).update(is_active=False, stopped_why=why[:200])


def _count_dead(webhook_id: int) -> int:
    """Return the number of dead letters since a message of the webhook was accepted."""
    dead = WebhookDelivery.objects.filter(webhook=webhook_id, state=_State.DEAD)
    never = Q(webhook__accepted_at__isnull=True)
    return dead.filter(never | Q(ended_at__gt=F("webhook__accepted_at"))).count()
