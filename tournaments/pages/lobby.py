"""Pages of the lobby and of tournaments; registering, withdrawing, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from msgspec import to_builtins

from accounts.ledger.transfers import held_by
from accounts.models import AccountKind, User
from accounts.refusals import words_of
from accounts.users import calendar_keys
from accounts.users.lockout import source_of_request
from config.numbers import whole
from config.refusals import Refusal
from tables.chat.authority import may_moderate
from tournaments.entries import audiences, privacy, registration
from tournaments.events import outbox
from tournaments.models import Entry, Tournament
from tournaments.models.cards_up import Consent
from tournaments.models.prizes import Methods
from tournaments.pages import said
from tournaments.pages.organisers import RUN
from tournaments.pages.private import closed_page, listed_tournament, seen_tournament
from tournaments.pages.tabs import tab_context, tabs_of
from tournaments.prizes import tickets
from tournaments.queries import buying, mine, overview, payouts, show
from tournaments.queries.results import as_csv
from tournaments.running import leaving
from tournaments.streams import cards_up

LEADERS = 8
_BESIDE_PASSWORD = ("wrong_password", "too_many_tries")
"""Refusals that are shown beside the password field."""
TICKER = 12


@never_cache
@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """List every announced, running and just ended tournament."""
    user = visitor(request)
    rows = mine.lobby_rows(user)
    offers = mine.seats_on_offer(rows, user) if user else []
    context = {
        "page": "lobby",
        "rows": rows,
        "my_tables": mine.my_seats(user) if user else [],
        "next_up": offers[0] if offers else None,
        "calendar_key": calendar_keys.key_of(user) if user else "",
    }
    return render(request, "tournaments/lobby.html", context)


@never_cache
@require_GET
def row(request: HttpRequest, pk: int) -> HttpResponse:
    """Render one row of the lobby, requested by the page after a change."""
    lobby_row = mine.lobby_row(listed_tournament(request, pk), visitor(request))
    return render(request, "tournaments/_row.html", {"row": lobby_row})


@never_cache
@require_GET
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a tournament with its tabs; `?tab=` chooses, the page swaps only the panel."""
    at = _newest(pk)
    shown = listed_tournament(request, pk)
    if not privacy.may_see(visitor(request), shown):
        return closed_page(request, shown)
    wanted = request.GET.get("tab", "")
    tabs = tabs_of(shown)
    tab = wanted if wanted in tabs else next(iter(tabs))
    user = visitor(request)
    context = {
        "tournament": shown,
        "at": at,
        "row": mine.lobby_row(shown, user),
        "tab": tab,
        "tabs": tabs,
        "has_chat": settings.CHAT,
        "shows_cards": cards_up.may_follow(user, shown),
        "moderates_chat": may_moderate(user, f"tournamentchat:{pk}"),
        "writes_chat": user is not None and privacy.has_entered(pk, user.pk),
        "may_manage": shown.club_id is not None and audiences.may_manage(user, shown, RUN),
        **tab_context(tab, shown, user, request.GET.get("page", "1")),
    }
    return render(request, "tournaments/tournament.html", context)


def _newest(pk: int) -> str:
    """Return the newest event of a tournament, read before all other values.

    An event during the read then makes the page ask again, so that it is never left behind.
    """
    return f"0-{outbox.head(outbox.tournament(pk))}"


@never_cache
@require_GET
def results(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the entries with places and prizes as a CSV file."""
    tournament = seen_tournament(request, pk)
    return HttpResponse(
        as_csv(tournament),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="tournament-{tournament.pk}.csv"'},
    )


@never_cache
@require_GET
def watch(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the featured table."""
    tournament = seen_tournament(request, pk)
    table = show.featured_table(tournament)
    if table is None:
        return redirect("tournament", pk)
    return redirect("table", table)


@never_cache
@require_GET
def clock(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the tournament's clock for a projector: level, field, chip leaders, last knock-outs."""
    at = _newest(pk)
    tournament = seen_tournament(request, pk)
    context = {
        "tournament": tournament,
        "at": at,
        "row": mine.lobby_row(tournament, None),
        "overview": overview.overview(tournament),
        "leaders": show.chip_leaders(tournament, LEADERS),
        "out": show.last_out(tournament, TICKER),
        "payouts": payouts.payout_rows(tournament)[:LEADERS],
    }
    return render(request, "tournaments/clock.html", context)


@login_required
@never_cache
@require_GET
def seat(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the player's table, rank and final place as JSON for the page of a table.

    Of several entries the one at `?table=` counts (E-03). A visitor without an entry there gets the
    table of the largest own stack, without any offer; without `?table=` the largest stack counts
    too.
    """
    user = visitor(request)
    assert user is not None
    tournament = seen_tournament(request, pk)
    named = request.GET.get("table", "")
    table = whole(named)
    if named and table is None:
        words = _("A table is named by its number.")
        return JsonResponse({"ok": False, "code": "bad_table", "message": words}, status=400)
    standing = mine.standing(tournament, user, table)
    rebuy = buying.rebuy_for(tournament, user, table)
    return JsonResponse(
        {
            "table": standing.table,
            "rank": standing.rank,
            "place": standing.place,
            "left": standing.left,
            "average": standing.average,
            "rebuy": to_builtins(rebuy),
            "leave": leaving.stack(tournament, user),
        }
    )


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
        ),
        lambda entry: _("You are registered for %(name)s.") % {"name": entry.tournament.name},
    )


@never_cache
@require_POST
def unlock(request: HttpRequest, pk: int) -> HttpResponse:
    """Check the password of a private tournament for a visitor who wants to see it (T-02)."""
    user = visitor(request)
    if user is None:
        return login_first(request)
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
        lambda user: registration.unregister(user, pk),
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
        return _do(request, pk, lambda user: _ask_to_leave(user, pk), said.leaving)
    user = visitor(request)
    if user is None:
        return login_first(request)
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
        return login_first(request)
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
        return login_first(request)
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
    held = _balance(user)
    held += 0 if leaving else held_by(user, AccountKind.BONUS)
    paid = found.entries.filter(user=user, state=Entry.State.REGISTERED).first()
    fitting = [] if leaving else tickets.fitting(user, found)
    row = mine.lobby_row(found, user)
    return {
        "offer": overview.summary(found),
        "tickets": [(ticket, held + ticket.value - found.price) for ticket in fitting],
        "money_pays": found.methods != Methods.TICKET,
        "back_as_ticket": leaving and tickets.comes_back(found, paid),
        "leaving": leaving,
        "consent": found if found.cards_up_consent != Consent.NOT_ASKED else None,
        "asks_password": bool(found.password) and not privacy.knows_password(user, found),
        "entry": row.entry,
        "seats_strangers": row.seats_strangers,
        "price": found.price,
        "balance": held,
        "after": held + found.price if leaving else held - found.price,
        "address": reverse("unregister" if leaving else "register", args=[found.pk]),
    }


def login_first(request: HttpRequest) -> HttpResponse:
    return redirect(f"{reverse('login')}?next={reverse('lobby')}")


def visitor(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _balance(user: User) -> int:
    return held_by(user)


def _onward(request: HttpRequest, pk: int) -> str:
    """Redirect to the page the visitor came from, if it is on this site."""
    wanted = request.POST.get("next") or request.headers.get("HX-Current-URL") or ""
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else reverse("tournament", args=[pk])
