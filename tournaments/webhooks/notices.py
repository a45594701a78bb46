"""Notices of a room to its webhooks: new tournaments, and starts that are near."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial

from tournaments.models import Tournament, Webhook, WebhookDelivery
from tournaments.queries.notices import near_starts, new_tournaments, new_words, start_words
from tournaments.webhooks import texts

NEW, STARTS_SOON = "announced", "starts_soon"


def store_notices(webhook: Webhook, tournaments: Iterable[Tournament], now: datetime) -> int:
    """Store the notices that a webhook wants about its tournaments, each once; return new ones.

    The caller has locked the webhook's row. It tells what happens after the webhook was made.
    """
    own = {one.pk for one in tournaments}
    rows = [row for row in _notices(webhook, now) if _tournament_of(row) in own]
    streams = [row.stream for row in rows]
    known = WebhookDelivery.objects.filter(webhook=webhook, stream__in=streams)
    told = set(known.values_list("stream", "seq"))
    fresh = [row for row in rows if (row.stream, row.seq) not in told]
    WebhookDelivery.objects.bulk_create(fresh)
    return len(fresh)


def _notices(webhook: Webhook, now: datetime) -> Iterator[WebhookDelivery]:
    if webhook.tells_new:
        for one in new_tournaments(now).filter(created_at__gte=webhook.made_at):
            yield _delivery(webhook, one, NEW, 0, partial(new_words, one))
    if webhook.tells_starts:
        for one, mark in near_starts(now):
            minutes = mark // timedelta(minutes=1)
            yield _delivery(webhook, one, STARTS_SOON, minutes, partial(start_words, one, now))


def _delivery(
    webhook: Webhook, tournament: Tournament, event: str, seq: int, say: texts.Say
) -> WebhookDelivery:
    body = texts.notice_body(webhook, tournament, event, seq, say)
    stream = f"notice:{tournament.pk}"
    return WebhookDelivery(webhook=webhook, stream=stream, seq=seq, event=event, body=body)


def _tournament_of(row: WebhookDelivery) -> int:
    return int(row.stream.partition(":")[2])
