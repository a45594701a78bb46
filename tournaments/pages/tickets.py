"""Pages of a player's tickets: the list, and the exchange of one for money."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import money
from accounts.models import User
from accounts.refusals import words_of
from config.refusals import Refusal
from tournaments.models import Ticket
from tournaments.prizes import tickets


@login_required
@never_cache
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List all tickets of a player; as JSON the valid ones, for bots."""
    assert isinstance(request.user, User)
    rows = tickets.owned(request.user)
    if _wants_json(request):
        valid = [_as_json(row) for row in rows if row.state == Ticket.State.VALID]
        return JsonResponse({"tickets": valid})
    # Django-htmx adds `htmx` to each request.
    part = bool(request.htmx)  # type: ignore[attr-defined]
    name = "tournaments/_tickets.html" if part else "tournaments/tickets.html"
    return render(request, name, {"tickets": rows, "now": timezone.now()})


@login_required
@never_cache
@require_POST
def exchange(request: HttpRequest, pk: int) -> HttpResponse:
    """Exchange a ticket for its worth in money, or show the refusal (K-06)."""
    assert isinstance(request.user, User)
    try:
        ticket = tickets.exchange(request.user, pk)
    except Refusal as refusal:
        answer = {"ok": False, "code": refusal.code, "message": words_of(refusal)}
        status = 404 if refusal.code == "no_such_ticket" else 409
    else:
        sentence = _("The ticket is exchanged: %(amount)s are in your account.")
        words = sentence % {"amount": money.text(ticket.value)}
        answer, status = {"ok": True, "code": "exchanged", "message": words}, 200
    if _wants_json(request):
        return JsonResponse(answer, status=status)
    say = messages.success if answer["ok"] else messages.error
    say(request, str(answer["message"]))
    return redirect("tickets")


def _as_json(ticket: Ticket) -> dict[str, Any]:
    return {
        "ticket": ticket.pk,
        "value": ticket.value,
        "scope": ticket.scope,
        "until_ms": int(ticket.valid_until.timestamp() * 1_000),
        "exchangeable": ticket.exchangeable,
    }


def _wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")
