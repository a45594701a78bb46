"""Finished hands of tournaments for webhooks: each once, in order, as spectators saw it (S-03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import takewhile

import msgspec
from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from tables.history.exports import phh
from tables.history.exports.rows import ROWS_AT_ONCE, all_exported
from tables.history.released import is_released
from tables.models import Hand, Table
from tables.records import hand_months
from tournaments.locks import DIRECTOR
from tournaments.models import Tournament, Webhook, WebhookCursor, WebhookDelivery
from tournaments.webhooks import texts

EVENT = "hand_finished"


def begin_hands(webhook: Webhook, tournaments: Iterable[Tournament]) -> None:
    """Let a webhook tell only hands that are settled from now on, also at tables that play."""
    for table in _tables(tournaments):
        WebhookCursor.objects.update_or_create(
            webhook=webhook, stream=_stream(table), defaults={"seq": table.hand}
        )


def store_hands(webhook: Webhook, tournaments: Iterable[Tournament], now: datetime) -> bool:
    """Store the deliveries of hands whose result was told since; return whether these were all.

    The caller has locked the webhook's row. A table's hands follow each other: one that is not
    released yet holds back those behind it. At most ROWS_AT_ONCE of each table at once.
    """
    if not webhook.tells_hands:
        return True
    is_all = True
    by_key = {one.pk: one for one in tournaments}
    tables = list(_tables(by_key.values()))
    rows = WebhookCursor.objects.filter(webhook=webhook, stream__in=[_stream(t) for t in tables])
    cursors = {row.stream: row for row in rows}
    for table in tables:
        cursor = cursors.get(_stream(table)) or WebhookCursor(
            webhook=webhook, stream=_stream(table), seq=0
        )
        if cursor.seq < table.hand:
            is_all &= _take(webhook, by_key[table.game], table, cursor, now)
    return is_all


def _take(
    webhook: Webhook, tournament: Tournament, table: Table, cursor: WebhookCursor, now: datetime
) -> bool:
    """Store the next released hands of one table, and move its cursor; False if more may follow."""
    rows = Hand.objects.filter(hand_months.of_table(table), number__gt=cursor.seq).select_related(
        "table"
    )
    next_ones = rows.order_by("number")[:ROWS_AT_ONCE]
    found = list(takewhile(lambda row: is_released(row, now), next_ones))
    if not found:
        return True
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=webhook,
            stream=cursor.stream,
            seq=row.number,
            event=EVENT,
            body=texts.hand_body(EVENT, tournament, row.number, _facts(row, history)),
        )
        for row, history in zip(found, _histories(found), strict=True)
    )
    cursor.seq = found[-1].number
    cursor.save()
    return len(found) < ROWS_AT_ONCE


def _histories(rows: Iterable[Hand]) -> Iterator[dict[str, object]]:
    """Yield the fields of PHH that have a value, as spectators saw each hand."""
    for hand in all_exported(rows, None):
        yield {key: value for key, value in phh.fields(hand).items() if value is not None}


def _facts(row: Hand, history: dict[str, object]) -> bytes:
    """Return the event of a hand; `table` is the key, `number` the one that people see."""
    page = reverse("hand", args=[row.table_id, row.number])
    facts = {
        "type": EVENT,
        "table": row.table_id,
        "number": row.table.number,
        "hand": row.number,
        "players": row.players,
        "pot": row.pot,
        "address": settings.PUBLIC_URL + page,
        "history": history,
    }
    return msgspec.json.encode(facts, enc_hook=str)


def _tables(tournaments: Iterable[Tournament]) -> QuerySet[Table]:
    games = [one.pk for one in tournaments]
    return Table.objects.filter(director=DIRECTOR, game__in=games).order_by("pk")


def _stream(table: Table) -> str:
    """Return the name of the cursor and the deliveries of a table's hands."""
    return f"hands:{table.pk}"
