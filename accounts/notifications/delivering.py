"""Deliveries of pushes: claimed for one attempt, again later, given up when they are worthless."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import F, Min

from accounts.notifications import endpoints, room_key
from accounts.notifications.encryption import PLAIN_MAX_BYTES, encrypt
from accounts.notifications.kinds import registered
from accounts.notifications.models import Notification, NotificationDelivery, PushEndpoint
from accounts.retention.rows import AgingRows
from config import limits
from config.outside import posting
from config.outside.addresses import Resolve
from config.outside.posting import PostOutcome

LEASE = timedelta(seconds=30)
"""Time for which a claimed delivery belongs to its process; longer than an attempt."""
FIRST_PAUSE = timedelta(seconds=5)
KEPT = timedelta(days=30)
"""Age at which notifications are deleted; longer than any of them can be raised again."""

NOTIFICATIONS = AgingRows("notifications", Notification, "made_at", lambda: KEPT)
GONE = frozenset({403, 404, 410})
"""Answers of a push service about an endpoint that has ended, or expects another key."""
REFUSED = frozenset({400, 413})
"""Answers about one message that no repetition makes better."""
BLAMELESS = frozenset({401, 408, 429})
"""Answers about the room or the moment, not about the endpoint."""

_State = NotificationDelivery.State


def waiting_users(now: datetime, most: int) -> list[int]:
    """Return the users with pushes that are due, who waited longest first."""
    due = NotificationDelivery.objects.filter(
        state=_State.WAITING, due_at__lte=now, endpoint__isnull=False
    )
    rows = due.values("user").annotate(first=Min("due_at")).order_by("first")[:most]
    return [row["user"] for row in rows]


def claim_push(user: int, now: datetime) -> NotificationDelivery | None:
    """Claim the oldest due push of a user for one attempt; None when there is none."""
    with transaction.atomic():
        due = NotificationDelivery.objects.filter(
            user=user, state=_State.WAITING, due_at__lte=now, endpoint__isnull=False
        )
        delivery = (
            due.select_related("endpoint", "notification")
            .select_for_update(skip_locked=True, of=("self",))
            .order_by("due_at", "pk")
            .first()
        )
        if delivery is None:
            return None
        delivery.due_at = now + LEASE
        delivery.save(update_fields=["due_at"])
        return delivery


async def push(
    delivery: NotificationDelivery, now: datetime, resolve: Resolve | None = None
) -> PostOutcome:
    """Send a claimed push once, encrypted for its browser."""
    endpoint, notice = delivery.endpoint, delivery.notification
    assert endpoint is not None
    if notice.expires_at <= now:
        return PostOutcome(0, "expired before it was sent")
    if endpoint.server_key != endpoints.mark_of_key():
        return PostOutcome(403, "made for another key of the room")
    body = encrypt(_message(notice), endpoint.public_key, endpoint.secret)
    urgent = {kind.name for kind in registered() if kind.is_urgent}
    headers = {
        "authorization": room_key.authorization(endpoint.address, int(now.timestamp())),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(int((notice.expires_at - now).total_seconds())),
        "urgency": "high" if notice.kind in urgent else "normal",
    }
    networks = settings.PUSH_NETWORKS
    return await posting.post(endpoint.address, headers, body, networks=networks, resolve=resolve)


def record_push(delivery: NotificationDelivery, outcome: PostOutcome, now: datetime) -> None:
    """Store the outcome of an attempt: sent, due again, given up, or the endpoint removed."""
    assert delivery.endpoint is not None
    rows = PushEndpoint.objects.filter(pk=delivery.endpoint.pk)
    if outcome.status in GONE or outcome.is_refused:
        rows.delete()  # with everything on its way to it
        return
    delivery.attempts += 1
    delivery.error = outcome.error[:200]
    again = now + FIRST_PAUSE * 3 ** (delivery.attempts - 1)
    if not outcome.error:
        delivery.state = _State.SENT
        rows.update(failures=0)
    elif (
        outcome.status in REFUSED
        or delivery.attempts >= limits.PUSH_ATTEMPTS_MAX
        or again >= delivery.notification.expires_at
    ):
        delivery.state = _State.DEAD
        # An outage takes windows away and asks for pushes, which then fail on every device.
        if _is_refusal(outcome.status):
            rows.update(failures=F("failures") + 1)
    else:
        delivery.due_at = again
    delivery.save(update_fields=["attempts", "error", "state", "due_at"])
    rows.filter(failures__gte=limits.PUSH_FAILURES_MAX).delete()


def prune() -> int:
    """Delete old notifications with their deliveries; return the number of notifications."""
    return NOTIFICATIONS.prune()


def _is_refusal(status: int) -> bool:
    """Return whether a push service refused an endpoint's message, and is itself in order.

    0 is no answer, or a message that expired before it was sent.
    """
    return 300 <= status < 500 and status not in BLAMELESS


def _message(notice: Notification) -> bytes:
    """Return a notification as the service worker reads it."""
    told = {
        "title": notice.title,
        "body": notice.text,
        "link": notice.link,
        "tag": f"{notice.kind} {notice.key}",
    }
    body = msgspec.json.encode(told)
    assert len(body) <= PLAIN_MAX_BYTES, notice.pk
    return body
