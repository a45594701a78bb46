"""Page of the jackpots: pools, and who won them (J-01..J-03)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.ring.queries import jackpots as queries

PAYMENTS = 100


@never_cache
@require_GET
def jackpots(request: HttpRequest) -> HttpResponse:
    """Show the pools and the last payments."""
    payments = queries.payments(PAYMENTS, request.user.pk)
    context = {"page": "lobby", "pools": queries.pools(), "payments": payments}
    return render(request, "ring/jackpots.html", context)
