"""Pages of a player's entry: registering with the price shown first, withdrawing, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.ledger.transfers import held_by
from accounts.logins.lockout import source_of_request
from accounts.models import AccountKind, User
from accounts.pages.onward import own_address
from accounts.refusals import words_of
from config.inputs.numbers import whole
from config.refusals import Refusal
from tournaments.entries import privacy, registration
from tournaments.models import Entry, Tournament
from tournaments.models.options.cards_up import Consent
from tournaments.models.options.prizes import Methods
from tournaments.pages import confirmations
from tournaments.pages.lobby import visitor
from tournaments.pages.private import listed_tournament, seen_tournament
from tournaments.prizes import tickets
from tournaments.queries import lobby_rows, overview
from tournaments.running import leaving

_BESIDE_PASSWORD = ("wrong_password", "too_many_tries")
"""Refusals that are shown beside the password field."""


@never_cache
@require_http_methods(["GET", "POST"])
def register(request: HttpRequest, pk: int) -> HttpResponse:
    """Show price and balance (GET), then register (POST)."""
    if request.method == "GET":
        return _confirm(request, pk, leaving=False)
    password, ticket = request.POST.get("password"), request.POST.get("ticket", "").strip()
    return _do(
        request,
        pk,
        lambda user: registration.register(
            user,
            pk,
            password,
            ticket=ticket,
            address=source_of_request(request),
            shows_cards=request.POST.get("shows_cards") == "1",
            after=whole(request.POST.get("after", "")),
        ),
        lambda entry: _("You are registered for %(name)s.") % {"name": entry.tournament.name},
    )


@never_cache
@require_POST
def unlock(request: HttpRequest, pk: int) -> HttpResponse:
    """Check the password of a private tournament for a visitor who wants to see it (T-02)."""
    user = visitor(request)
    if user is None:
        return _login_first(request, pk)
    tournament = listed_tournament(request, pk)
    try:
        if tournament.password:
            password = request.POST.get("password")
            privacy.admit(user, tournament, password, source_of_request(request))
    except Refusal as refusal:
        messages.error(request, words_of(refusal))
    return redirect("tournament", pk)


@never_cache
@require_http_methods(["GET", "POST"])
def unregister(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for confirmation (GET), then unregister with a full refund (POST)."""
    if request.method == "GET":
        return _confirm(request, pk, leaving=True)
    return _do(
        request,
        pk,
        lambda user: registration.unregister(user, pk, whole(request.POST.get("entry", ""))),
        lambda entry: (
            _("You are no longer registered for %(name)s; you have everything back.")
            % {"name": entry.tournament.name}
        ),
    )


@never_cache
@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the amount (GET), then leave with the stack at the next boundary (POST, A-04)."""
    if request.method == "POST":
        return _do(request, pk, lambda user: _ask_to_leave(user, pk), confirmations.leaving)
    user = visitor(request)
    if user is None:
        return _login_first(request, pk)
    tournament = seen_tournament(request, pk)
    context = {
        "tournament": tournament,
        "stack": leaving.stack(tournament, user),
        "next": _onward(request, pk),
    }
    # Django-htmx adds `htmx` to each request.
    name = "tournaments/_leave.html" if request.htmx else "tournaments/leave.html"  # type: ignore[attr-defined]
    return render(request, name, context)


def _ask_to_leave(user: User, pk: int) -> Entry:
    privacy.need_listed(user, pk)
    return leaving.ask(user, pk)


def _do(
    request: HttpRequest,
    pk: int,
    act: Callable[[User], Entry],
    words: Callable[[Entry], str],
) -> HttpResponse:
    """Carry out a request of a player, and say so on the page that comes next."""
    user = visitor(request)
    if user is None:
        return _login_first(request, pk)
    try:
        messages.success(request, words(act(user)))
    except Refusal as refusal:
        if refusal.code in _BESIDE_PASSWORD:
            return _confirm(request, pk, leaving=False, wrong=words_of(refusal))
        messages.error(request, words_of(refusal))
    return redirect(_onward(request, pk))


def _confirm(request: HttpRequest, pk: int, *, leaving: bool, wrong: str = "") -> HttpResponse:
    """Show price and balance before any booking; `wrong` is shown beside the password."""
    user = visitor(request)
    if user is None:
        return _login_first(request, pk)
    tournament = listed_tournament(request, pk)
    context = {
        **terms(user, tournament, leaving=leaving),
        "next": _onward(request, pk),
        "wrong": wrong,
    }
    # Django-htmx adds `htmx` to each request.
    name = "tournaments/_dialog.html" if request.htmx else "tournaments/register.html"  # type: ignore[attr-defined]
    return render(request, name, context)


def terms(user: User, found: Tournament, *, leaving: bool = False) -> dict[str, Any]:
    """Return the values shown before registering or unregistering: price, balance, tickets."""
    # A bonus buys no chips with cash value; where it pays it also comes back (K-03).
    held = held_by(user)
    held += 0 if found.cash_value else held_by(user, AccountKind.BONUS)
    paid = found.entries.filter(user=user, state=Entry.State.REGISTERED).first()
    fitting = [] if leaving else tickets.fitting(user, found)
    row = lobby_rows.of_tournament(found, user)
    return {
        "offer": overview.summary(found),
        "tickets": [(ticket, held + ticket.value - found.price) for ticket in fitting],
        "money_pays": found.methods != Methods.TICKET,
        "back_as_ticket": leaving and tickets.comes_back(found, paid),
        "leaving": leaving,
        "leaves": paid.pk if leaving and paid else None,
        "newest": registration.newest(user),
        "consent": found if found.cards_up_consent != Consent.NOT_ASKED else None,
        "asks_password": bool(found.password) and not privacy.knows_password(user, found),
        "entry": row.entry,
        "seats_strangers": row.seats_strangers,
        "price": found.price,
        "balance": held,
        "after": held + found.price if leaving else held - found.price,
        "address": reverse("unregister" if leaving else "register", args=[found.pk]),
    }


def _login_first(request: HttpRequest, pk: int) -> HttpResponse:
    return redirect_to_login(_onward(request, pk))


def _onward(request: HttpRequest, pk: int) -> str:
    """Redirect to the page the visitor came from, if it is on this site."""
    wanted = request.POST.get("next") or request.headers.get("HX-Current-URL") or ""
    return own_address(request, wanted) or reverse("tournament", args=[pk])
