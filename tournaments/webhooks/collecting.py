"""Collection of deliveries: events of the outbox become messages, once and in order."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from tournaments.engine import lifecycle
from tournaments.entries import privacy
from tournaments.events import outbox
from tournaments.models import (
    Announcement,
    StreamHead,
    Tournament,
    Webhook,
    WebhookCursor,
    WebhookDelivery,
)
from tournaments.webhooks import hands, notices, texts

BATCH = 500
"""Events of one stream collected at once; the rest follows at the next look."""
TOLD_AFTER_END = timedelta(days=1)


def begin(webhook: Webhook) -> None:
    """Let a new webhook tell only what happens from now on, also in tournaments that run."""
    heads = _heads(_tournaments(webhook))
    rows = [WebhookCursor(webhook=webhook, stream=name, seq=seq) for name, seq in heads.items()]
    WebhookCursor.objects.bulk_create(rows, ignore_conflicts=True)
    begin_hands(webhook)


def begin_hands(webhook: Webhook) -> None:
    """Let a webhook that is to tell hands tell only those from now on."""
    if webhook.tells_hands:
        hands.begin_hands(webhook, _tournaments(webhook))


def collect(webhook_id: int) -> int:
    """Store the deliveries of new events of an active webhook; return the number of events seen.

    The webhook's row is locked: of several processes one collects, the others find nothing.
    """
    with transaction.atomic():
        active = Webhook.objects.filter(pk=webhook_id, is_active=True)
        webhook = active.select_for_update(skip_locked=True, of=("self",)).first()
        if webhook is None:
            return 0
        told = _tournaments(webhook)
        tournaments = {outbox.tournament(one.pk): one for one in told}
        now = timezone.now()
        notices.store_notices(webhook, told, now)
        # Hands come before what follows from them.
        hands.store_hands(webhook, told, now)
        cursors = {one.stream: one for one in WebhookCursor.objects.filter(webhook=webhook)}
        seen = 0
        for stream, head in sorted(_heads(tournaments.values()).items()):
            cursor = cursors.get(stream) or WebhookCursor(webhook=webhook, stream=stream, seq=0)
            if cursor.seq < head:
                seen += _take(webhook, tournaments[stream], cursor)
        return seen


def _take(webhook: Webhook, tournament: Tournament, cursor: WebhookCursor) -> int:
    events = Announcement.objects.filter(stream=cursor.stream, seq__gt=cursor.seq)
    rows = list(events.order_by("seq")[:BATCH])
    if not rows:  # pruned by age: nobody waits for events this old
        return 0
    deliveries = []
    for row in rows:
        event, body = texts.body(webhook, tournament, row.seq, bytes(row.payload))
        if body:
            deliveries.append(
                WebhookDelivery(
                    webhook=webhook, stream=row.stream, seq=row.seq, event=event, body=body
                )
            )
    WebhookDelivery.objects.bulk_create(deliveries)
    cursor.seq = rows[-1].seq
    cursor.save()
    return len(rows)


def _tournaments(webhook: Webhook) -> list[Tournament]:
    """Return the tournaments a webhook tells of: its own, or all that everybody may see."""
    recent = Q(finished_at__gte=timezone.now() - TOLD_AFTER_END)
    rows = Tournament.objects.filter(~Q(state__in=lifecycle.ENDED) | recent)
    if webhook.tournament_id is not None:
        return list(rows.filter(pk=webhook.tournament_id))
    return [one for one in rows if privacy.admitted(one, ()) is None]


def _heads(tournaments: Iterable[Tournament]) -> dict[str, int]:
    names = [outbox.tournament(one.pk) for one in tournaments]
    return dict(StreamHead.objects.filter(stream__in=names).values_list("stream", "seq"))
