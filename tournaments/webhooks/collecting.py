"""Collection of deliveries: events of the outbox become messages, once and in order."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet
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
    told = _tournaments(webhook)
    _begin_events(webhook, told)
    if webhook.tells_hands:
        hands.begin_hands(webhook, told)


def begin_changed(webhook: Webhook, before: Webhook) -> None:
    """Let a changed webhook tell only from now on what it did not tell before.

    `before` is its row of before the change, which the caller has locked.
    """
    told = {one.pk for one in _tournaments(before)}
    own = _tournaments(webhook)
    fresh = [one for one in own if one.pk not in told]
    _begin_events(webhook, fresh)
    if webhook.tells_hands:
        hands.begin_hands(webhook, fresh if before.tells_hands else own)


def take_again(webhook: Webhook) -> None:
    """Let a webhook whose form was changed write anew what waits, instead of sending the old form.

    The caller has locked its row. Messages go out in the order of their keys: those behind the last
    one that ended are collected again. Those before it are dead letters, which are written anew,
    also those that do not wait: they may be sent again. The rest is deleted.
    """
    own = WebhookDelivery.objects.filter(webhook=webhook)
    waiting = own.filter(state=WebhookDelivery.State.WAITING)
    ended = own.exclude(state=WebhookDelivery.State.WAITING).aggregate(last=Max("pk"))["last"]
    behind = waiting.filter(pk__gt=ended or 0).order_by()
    for stream, first in behind.values_list("stream").annotate(first=Min("seq")):
        cursors = WebhookCursor.objects.filter(webhook=webhook, stream=stream)
        cursors.filter(seq__gte=first).update(seq=first - 1)
    unsent = own.exclude(state=WebhookDelivery.State.ACCEPTED)
    # What cannot be written anew keeps no old form, which would reach a receiver of the new one.
    unsent.exclude(pk__in=_written_anew(webhook, unsent, ended or 0)).delete()


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
        # 1. Note how far the events go: later ones may follow from hands that step 2 has missed.
        heads = _heads(told)
        now = timezone.now()
        notices.store_notices(webhook, told, now)
        # 2. Hands come before what follows from them; events wait for all that were told.
        if not hands.store_hands(webhook, told, now):
            return 0
        # 3. Take the events of step 1.
        cursors = {one.stream: one for one in WebhookCursor.objects.filter(webhook=webhook)}
        seen = 0
        for stream, head in sorted(heads.items()):
            cursor = cursors.get(stream) or WebhookCursor(webhook=webhook, stream=stream, seq=0)
            if cursor.seq < head:
                seen += _take(webhook, tournaments[stream], cursor, head)
        return seen


def _written_anew(webhook: Webhook, deliveries: QuerySet[WebhookDelivery], last: int) -> list[int]:
    """Write the deliveries up to a `last` one in the form of their webhook; return their keys.

    Left out are events that this form does not tell, and those that the outbox has no more.
    """
    own = {outbox.tournament(one.pk): one for one in _tournaments(webhook)}
    anew: list[WebhookDelivery] = []
    for delivery in deliveries.filter(pk__lte=last, stream__in=own).order_by("pk"):
        events = Announcement.objects.filter(stream=delivery.stream, seq=delivery.seq)
        payload = events.values_list("payload", flat=True).first()
        if payload is not None:
            tournament = own[delivery.stream]
            _, delivery.body = texts.body(webhook, tournament, delivery.seq, bytes(payload))
            anew += [delivery] if delivery.body else []
    WebhookDelivery.objects.bulk_update(anew, ["body"])
    return [delivery.pk for delivery in anew]


def _begin_events(webhook: Webhook, tournaments: Iterable[Tournament]) -> None:
    rows = [
        WebhookCursor(webhook=webhook, stream=stream, seq=head)
        for stream, head in _heads(tournaments).items()
    ]
    WebhookCursor.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["webhook", "stream"], update_fields=["seq"]
    )


def _take(webhook: Webhook, tournament: Tournament, cursor: WebhookCursor, head: int) -> int:
    """Store the deliveries of the next events up to `head`, and move the cursor; count them."""
    events = Announcement.objects.filter(stream=cursor.stream, seq__gt=cursor.seq, seq__lte=head)
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
    rows = Tournament.objects.filter(Q(state__in=lifecycle.NOT_ENDED) | recent)
    if webhook.tournament_id is not None:
        return list(rows.filter(pk=webhook.tournament_id))
    return [one for one in rows if privacy.admitted(one, ()) is None]


def _heads(tournaments: Iterable[Tournament]) -> dict[str, int]:
    names = [outbox.tournament(one.pk) for one in tournaments]
    return dict(StreamHead.objects.filter(stream__in=names).values_list("stream", "seq"))
