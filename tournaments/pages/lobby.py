"""Pages of the lobby and of tournaments."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from msgspec import to_builtins

from accounts.models import User
from accounts.users import calendar_keys
from config.inputs.numbers import whole
from tables.chat.authority import may_moderate
from tournaments.entries import audiences, privacy
from tournaments.events import outbox
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.pages.organisers import RUN
from tournaments.pages.private import closed_page, listed_tournament, seen_tournament
from tournaments.pages.tabs import overview_context, tab_context, tabs_of
from tournaments.queries import buying, lobby_rows, mine, overview, payouts, show
from tournaments.queries.end_screen import podium
from tournaments.queries.results import as_csv
from tournaments.queries.scene import scene
from tournaments.rows import sells_between_hands
from tournaments.running import leaving
from tournaments.streams import cards_up

CALM_MS = 1_500
READS_PER_S_WAITING, READS_PER_S_PLAYED = 5, 50
"""Most reads of a tournament's page in a second by all of its entrants, whatever happens there:
before the start all of them wait on it, later few do.
"""
LEADERS = 8
TICKER = 12


@never_cache
@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """List every announced, running and just ended tournament."""
    user = visitor(request)
    rows = lobby_rows.in_lobby(user)
    offers = lobby_rows.seats_on_offer(rows, user) if user else []
    context = {
        "page": "lobby",
        "rows": rows,
        "my_tables": mine.my_seats(user) if user else [],
        "next_up": offers[0] if offers else None,
        "cheapest": lobby_rows.cheapest_seat(rows),
        "calendar_key": calendar_keys.key_of(user) if user else "",
    }
    return render(request, "tournaments/lobby.html", context)


@never_cache
@require_GET
def row(request: HttpRequest, pk: int) -> HttpResponse:
    """Render one row of the lobby, requested by the page after a change."""
    lobby_row = lobby_rows.of_tournament(listed_tournament(request, pk), visitor(request))
    return render(request, "tournaments/_row.html", {"row": lobby_row})


@never_cache
@require_GET
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a tournament with its tabs; `?tab=` chooses, the page swaps only the panel."""
    shown = listed_tournament(request, pk)
    if not privacy.may_see(visitor(request), shown):
        return closed_page(request, shown)
    wanted = request.GET.get("tab", "")
    tabs = tabs_of(shown)
    tab = wanted if wanted in tabs else next(iter(tabs))
    user = visitor(request)
    entered = user is not None and privacy.has_entered(pk, user.pk)
    seen = scene(shown)
    if tab == "overview":
        values = overview_context(shown, seen, user, entered=entered)
    else:
        values = tab_context(tab, shown, user, request.GET.get("page", "1"))
    context = {
        "tournament": shown,
        "at": seen.at,
        "calm_ms": _calm_ms(shown),
        "row": lobby_rows.of_summary(seen.overview.summary, user),
        "tab": tab,
        "tabs": tabs,
        "has_chat": settings.CHAT,
        "shows_cards": cards_up.may_follow(user, shown),
        "moderates_chat": may_moderate(user, f"tournamentchat:{pk}"),
        "writes_chat": entered,
        "may_manage": shown.club_id is not None and audiences.may_manage(user, shown, RUN),
        **values,
    }
    return render(request, "tournaments/tournament.html", context)


def _calm_ms(tournament: Tournament) -> int:
    """Return the ms until a page of a tournament is read again after something happened."""
    is_waiting = tournament.state == State.REGISTERING
    reads_per_s = READS_PER_S_WAITING if is_waiting else READS_PER_S_PLAYED
    return max(CALM_MS, tournament.entrants * 1_000 // reads_per_s)


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
    """Redirect to the featured table; to the tournament, with the reason, where none is open."""
    tournament = seen_tournament(request, pk)
    table = show.featured_table(tournament)
    if table is None:
        messages.info(request, _("No table is open that could be watched."))
        return redirect("tournament", pk)
    return redirect("table", table)


@never_cache
@require_GET
def clock(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the tournament's clock for a projector: level, field, chip leaders, last knock-outs.

    Once it is over the podium takes the place of the leaders.
    """
    at = _newest(pk)
    tournament = seen_tournament(request, pk)
    context = {
        "tournament": tournament,
        "at": at,
        "row": lobby_rows.of_tournament(tournament, None),
        "overview": overview.overview(tournament),
        "leaders": show.chip_leaders(tournament, LEADERS),
        "podium": podium(tournament) if tournament.state == State.FINISHED else (),
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
    too. `sells` where a hand may change what can be bought or what leaving pays.
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
            "sells": sells_between_hands(tournament.pk),
        }
    )


def visitor(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None
