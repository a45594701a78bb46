"""Tickets that refunds gave back as money, which were no buy-ins of their players (K-05)."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, Sum

from accounts.models import Posting, User
from tournaments.models import Entry
from tournaments.prizes import money


def cashed(user: User, since: datetime) -> int:
    """Return the cents that refunds since a time gave a player for tickets that paid entries."""
    entries = Entry.objects.filter(
        user=user, ticket__isnull=False, state__in=Entry.TAKEN_BACK
    ).select_related("tournament")
    parts = {f"refund:{entry.pk}": money.ticket_part(entry) for entry in entries}
    if not parts:
        return 0
    rows = Posting.objects.filter(transfer__key__in=parts, transfer__created__gte=since)
    # A refund that gives a ticket back returns only money of the player.
    in_money = rows.exclude(transfer__postings__account=money.tickets()).filter(account__user=user)
    back = in_money.values(key=F("transfer__key")).annotate(sum=Sum("amount"))
    return sum(min(row["sum"], parts[row["key"]]) for row in back)
