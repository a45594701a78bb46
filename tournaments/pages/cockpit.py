"""The cockpit: one page for running a tournament, and the list of tournaments to run."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from accounts.refusals import words_of
from config import limits
from config.inputs.numbers import whole
from config.refusals import Refusal
from tournaments.admin import steps
from tournaments.admin.ruling_forms import StepReasonForm
from tournaments.admin.steps import (
    CLOCK_STEPS,
    CLUB_PARTS,
    CONSEQUENCES,
    DONE,
    ROOM_PARTS,
    SERIES_ENDS,
    STEPS,
    TICKETS_END,
    preview,
)
from tournaments.engine import lifecycle
from tournaments.entries import audiences, entering
from tournaments.events import outbox
from tournaments.models import Offer, Ruling, Tournament
from tournaments.models.options.cards_up import CardsUp
from tournaments.models.tournament import State
from tournaments.pages import tabs
from tournaments.pages.organisers import (
    LOOK,
    MAKE,
    RULE,
    RUN,
    TELL,
    has_right,
    managed_clubs,
    organiser,
)
from tournaments.queries import level_clock, lobby_rows, overview, players
from tournaments.running import operations

MOVE, DISQUALIFY = Ruling.Kind.MOVE, Ruling.Kind.DISQUALIFY
RULINGS_SHOWN = 5
OFFERS_SHOWN = 20
"""Most open offers on the page: of an add-on all players have one at the same time (E-05)."""
RULED = lifecycle.PLAYED | {State.REGISTERING}
"""States in which single players can be ruled about: taken out, moved, disqualified."""


@login_required
@never_cache
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List the tournaments an organiser runs, each with a link to its cockpit.

    Staff see all of them, managers those of their clubs.
    """
    assert isinstance(request.user, User)
    is_staff = has_right(request.user, LOOK, MAKE, RUN)
    clubs = managed_clubs(request.user)
    if not is_staff and not clubs:
        raise PermissionDenied
    context = {
        "page": "organise",
        "rows": lobby_rows.everywhere()
        if is_staff
        else lobby_rows.of_clubs([club.pk for club in clubs], None),
        "may_make": has_right(request.user, MAKE),
        "clubs": clubs,
    }
    return render(request, "tournaments/organise/index.html", context)


@organiser(LOOK, MAKE, RUN)
@never_cache
@require_GET
def cockpit(request: HttpRequest, pk: int) -> HttpResponse:
    """Show clock, tables, players, open offers, and the buttons this organiser may press.

    `?player=` shows the players alone whose names begin so.
    """
    at = f"0-{outbox.head(outbox.tournament(pk))}"
    tournament = get_object_or_404(Tournament, pk=pk)
    may = partial(audiences.may_manage, request.user, tournament)
    tables = overview.tables(tournament)
    context = {
        "page": "organise",
        "tournament": tournament,
        "at": at,
        "row": lobby_rows.of_tournament(tournament, None),
        "overview": overview.overview(tournament),
        "tables": tables,
        **_players(request, tournament),
        **_offers(tournament),
        "rulings": _rulings(tournament) if may(RULE) else (),
        "buttons": _buttons(request, tournament),
        "may_rule": may(RULE) and tournament.state in RULED,
        "may_move": len(tables) > 1 and not tournament.format_rules.has_rounds,
        "may_seat": may(RULE) and entering.takes_entries(tournament),
        "may_tell": may(TELL) and tournament.state not in lifecycle.ENDED,
        "may_rule_guests": tournament.club_id is not None and may(RULE),
        "may_overlay": may(RUN) and tournament.cards_up != CardsUp.OFF,
        "may_feature": may(RUN) and tournament.state in lifecycle.PLAYED,
    }
    return render(request, "tournaments/organise/cockpit.html", context)


@organiser(RUN)
@never_cache
@require_http_methods(["GET", "POST"])
def step(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """Show the effect of a step (GET), then take it with its reason (POST)."""
    if name not in STEPS:
        raise Http404
    user, tournament = request.user, get_object_or_404(Tournament, pk=pk)
    assert isinstance(user, User)
    form = StepReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            take = getattr(operations, name)
            seen = whole(request.POST.get("item", "")) if name in CLOCK_STEPS else None
            more = {} if seen is None else {"item": seen}
            take(pk, actor=request.user, reason=form.cleaned_data["reason"], **more)
        except Refusal as refusal:
            form.add_error(None, words_of(refusal))
        else:
            messages.success(request, f"{tournament.name}: {DONE[name]}")
            return redirect("cockpit", pk)
    context = {
        "page": "organise",
        "title": STEPS[name],
        "consequence": CONSEQUENCES[name],
        "tournament": tournament,
        "form": form,
        "effect": _effect(tournament, name, user),
        "item": _item(tournament, name, user),
        "warns": name.startswith("cancel"),
    }
    return render(request, "tournaments/organise/ask.html", context)


def _effect(tournament: Tournament, name: str, user: User) -> list[tuple[str, object]]:
    """Return the changes a step would make, in words and values."""
    effect = preview(tournament, name, user)
    rows: list[tuple[str, object]] = [(_("State"), effect["state"])]
    if not effect["may"]:
        rows.append((_("Now"), _("Not possible in this state")))
    if name in CLOCK_STEPS and effect["may"]:
        rows += level_clock.effect(tournament, name)
    if name.startswith("cancel"):
        rows += [(_("Entries"), effect["entries"]), (_("Refund"), effect["refund"])]
    if effect["tickets"]:
        rows.append((str(TICKETS_END), effect["tickets"]))
    if effect["ends_series"]:
        rows.append((_("Series"), SERIES_ENDS))
    parts = ROOM_PARTS if tournament.club_id is None else CLUB_PARTS
    if name in parts:
        rows.append((str(parts[name]), effect["from_room"]))
    return rows


def _item(tournament: Tournament, name: str, user: User) -> int | None:
    """Return the level or break that this page names, which is sent back with the step."""
    is_set = name in CLOCK_STEPS and steps.may(tournament, name, user)
    return level_clock.item(tournament) if is_set else None


def _buttons(request: HttpRequest, tournament: Tournament) -> list[tuple[str, object, object]]:
    """Return the legal steps, for an organiser with the right to take them."""
    user = request.user
    if not isinstance(user, User) or not audiences.may_manage(user, tournament, RUN):
        return []
    return [
        (name, words, CONSEQUENCES[name])
        for name, words in STEPS.items()
        if steps.may(tournament, name, user)
    ]


def _players(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return one page of all players, or those whose names begin as was asked."""
    sought = request.GET.get("player", "").strip()[: limits.NAME_MAX_CHARACTERS]
    if sought:
        found = players.named(tournament, sought, tabs.PLAYERS_PER_PAGE)
        return {"players": found, "sought": sought}
    return tabs.tab_context("players", tournament, None, request.GET.get("page", "1"))


def _rulings(tournament: Tournament) -> list[dict[str, object]]:
    """Return the latest rulings about players, with what came of each."""
    came = {
        Ruling.State.OPEN: _("after the hand"),
        Ruling.State.DONE: _("done"),
        Ruling.State.VOID: _("not carried out"),
    }
    rows = Ruling.objects.filter(tournament=tournament, kind__in=(MOVE, DISQUALIFY))
    return [
        {
            "name": ruling.entry.name,
            "to_table": ruling.to_table and ruling.to_table.number,
            "reason": ruling.reason,
            "came": came[Ruling.State(ruling.state)],
        }
        for ruling in rows.select_related("entry", "to_table")[:RULINGS_SHOWN]
    ]


def _offers(tournament: Tournament) -> dict[str, Any]:
    """Return the number of offers that wait for their players, and those that end first."""
    rows = Offer.objects.filter(tournament=tournament, state=Offer.State.OPEN)
    first = rows.select_related("entry").order_by("until_ms", "pk")[:OFFERS_SHOWN]
    offers = [
        {
            "name": offer.entry.name,
            "kind": offer.get_kind_display(),
            "price": offer.price + offer.fee,
            "chips": offer.chips,
            "until_ms": offer.until_ms,
        }
        for offer in first
    ]
    return {"offers": offers, "offers_open": rows.count()}
