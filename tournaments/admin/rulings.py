"""Admin of rulings: take out, move or disqualify players, messages, featured table; by reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import money
from accounts.admin.operators import operator
from accounts.admin.read_only import ReadOnly
from accounts.pages.confirm import confirmed
from accounts.refusals import words_of
from accounts.templatetags import amounts
from config.admin_site import DeclaredLookups
from config.refusals import Refusal
from tables.models import Seat, Table
from tournaments import featuring, locks
from tournaments.admin.ruling_forms import FeatureForm, MessageForm, MoveForm, ReadReasonForm
from tournaments.admin.steps import RUN
from tournaments.entries import audiences, registration
from tournaments.models import Entry, Ruling, Tournament
from tournaments.queries import show
from tournaments.running import operations, rulings
from tournaments.seating import apart, balancer

RULE, TELL = "tournaments.rule_players", "tournaments.message_players"
PAGE = "admin/tournaments/tournament/ruling.html"
COCKPIT_PAGE = "tournaments/organise/ask.html"
Site = admin.AdminSite | None
"""The admin site of the page; None for the page of the cockpit."""


class RulingQuestion(NamedTuple):
    """A ruling with its effect, shown before it is made; in the language of its reader."""

    title: Promise
    consequence: Promise
    done: Promise
    warns: bool = False


DISQUALIFY = RulingQuestion(
    gettext_lazy("Disqualify"),
    gettext_lazy(
        "The player goes out as soon as the hand is over and gets the prize of the place; the "
        "chips leave play."
    ),
    gettext_lazy("The player is disqualified and leaves as soon as the hand is over."),
    warns=True,
)
TAKE_OUT = RulingQuestion(
    gettext_lazy("Take out"),
    gettext_lazy(
        "The player is no longer registered and gets everything back, money or ticket, and reads "
        "your reason. Another registration is not prevented."
    ),
    gettext_lazy("The player is taken out and has everything back."),
    warns=True,
)
MOVE = RulingQuestion(
    gettext_lazy("Move to another table"),
    gettext_lazy(
        "The player goes on at the other table, with the same chips, as soon as the hand is over."
    ),
    gettext_lazy("The player changes the table as soon as the hand is over."),
)
MESSAGE = RulingQuestion(
    gettext_lazy("Message to all"),
    gettext_lazy("Everybody who plays or looks on sees it at once."),
    gettext_lazy("The message is sent."),
)
FEATURE = RulingQuestion(
    gettext_lazy("Featured table"),
    gettext_lazy("Spectators who only watch are led to this table."),
    gettext_lazy("The choice of the featured table is kept."),
)


@admin.register(Ruling)
class RulingAdmin(ReadOnly, DeclaredLookups[Ruling]):
    """Rulings about players and their outcome."""

    list_display = ("id", "made_at", "tournament", "entry", "kind", "to_table", "state", "reason")
    list_filter = ("kind", "state")
    list_select_related = ("tournament", "entry", "to_table")
    search_fields = ("entry__name", "=tournament__id", "reason")


def urls(site: admin.AdminSite) -> list[URLPattern]:
    """Return the pages, below those of tournaments."""

    def page(route: str, view: Any, name: str) -> URLPattern:
        pattern: URLPattern = path(route, site.admin_view(view), {"site": site}, name=name)
        return pattern

    return [
        page("entry/<int:entry_id>/out/", take_out, "tournaments_take_out"),
        page("entry/<int:entry_id>/disqualify/", disqualify, "tournaments_disqualify"),
        page("entry/<int:entry_id>/move/", move, "tournaments_move"),
        page("<int:tournament_id>/message/", message, "tournaments_message"),
        page("<int:tournament_id>/feature/", feature, "tournaments_feature"),
    ]


@confirmed()
def take_out(request: HttpRequest, entry_id: int, site: Site = None) -> HttpResponse:
    """Show what a player gets back, then ask for the reason of taking the entry back (T-06)."""
    entry = get_object_or_404(Entry.objects.select_related("tournament"), pk=entry_id)
    _need(request, entry.tournament, RULE)
    form = ReadReasonForm(request.POST or None)

    def act() -> None:
        reason = form.cleaned_data["reason"]
        registration.take_out(entry.pk, actor=operator(request), reason=reason)

    return _asked(request, site, TAKE_OUT, entry.tournament, form, act, _gets_back(entry))


@confirmed()
def disqualify(request: HttpRequest, entry_id: int, site: Site = None) -> HttpResponse:
    """Show the loss of a disqualification, then ask for the reason (T-15)."""
    entry = get_object_or_404(Entry.objects.select_related("tournament"), pk=entry_id)
    _need(request, entry.tournament, RULE)
    form = ReadReasonForm(request.POST or None)

    def act() -> None:
        reason = form.cleaned_data["reason"]
        rulings.disqualify(entry.pk, actor=operator(request), reason=reason)

    return _asked(request, site, DISQUALIFY, entry.tournament, form, act, _loses(entry))


@confirmed()
def move(request: HttpRequest, entry_id: int, site: Site = None) -> HttpResponse:
    """Show the open tables with their sizes, then ask for the reason of a move (T-08)."""
    entry = get_object_or_404(Entry.objects.select_related("tournament"), pk=entry_id)
    _need(request, entry.tournament, RULE)
    form = MoveForm(request.POST or None)
    to_table = form.fields["to_table"]
    assert isinstance(to_table, forms.ChoiceField)
    to_table.choices = tables = _tables(entry)
    effect = _at(entry)
    if not tables:
        effect.append((_("Now"), _("No other table has a free seat.")))

    def act() -> None:
        given = form.cleaned_data
        rulings.move(
            entry.pk,
            given["to_table"],
            actor=operator(request),
            reason=given["reason"],
        )

    return _asked(request, site, MOVE, entry.tournament, form, act, effect)


def message(request: HttpRequest, tournament_id: int, site: Site = None) -> HttpResponse:
    """Send a message to the players and spectators of a tournament."""
    tournament = get_object_or_404(Tournament, pk=tournament_id)
    _need(request, tournament, TELL)
    form = MessageForm(request.POST or None)
    live = tournament.entries.filter(state__in=Entry.LIVE).values("user").distinct().count()
    effect = [(_("Players who are told"), live)]

    def act() -> None:
        given = form.cleaned_data
        operations.message(
            tournament.pk,
            given["text"],
            actor=operator(request),
            reason=given["reason"],
            token=given["token"],
        )

    return _asked(request, site, MESSAGE, tournament, form, act, effect)


def feature(request: HttpRequest, tournament_id: int, site: Site = None) -> HttpResponse:
    """Choose the table shown to spectators who name none."""
    tournament = get_object_or_404(Tournament, pk=tournament_id)
    _need(request, tournament, RUN)
    form = FeatureForm(request.POST or None, initial={"table": featuring.chosen(tournament)})
    rows = featuring.open_tables(tournament).order_by("number").values_list("pk", "number")
    named = [(pk, _("Table %(number)s") % {"number": number}) for pk, number in rows]
    house = ("", _("the one with the biggest stack"))
    table = form.fields["table"]
    assert isinstance(table, forms.ChoiceField)
    table.choices = [house, *named]
    now = dict(named).get(show.featured_table(tournament) or 0, "–")

    def act() -> None:
        given = form.cleaned_data
        featuring.feature(
            tournament.pk,
            given["table"],
            actor=operator(request),
            reason=given["reason"],
        )

    effect = [(_("Now"), now)]
    return _asked(request, site, FEATURE, tournament, form, act, effect)


def _need(request: HttpRequest, tournament: Tournament, permission: str) -> None:
    if not audiences.may_manage(request.user, tournament, permission):
        raise PermissionDenied


def _asked(
    request: HttpRequest,
    site: Site,
    question: RulingQuestion,
    tournament: Tournament,
    form: forms.Form,
    act: Any,
    effect: Sequence[tuple[str, object]],
) -> HttpResponse:
    """Show the effect and ask; act after confirmation with a reason."""
    if request.method == "POST" and form.is_valid():
        try:
            act()
        except Refusal as refusal:
            form.add_error(None, words_of(refusal))
        else:
            messages.success(request, f"{tournament.name}: {question.done}")
            page = "cockpit" if site is None else "admin:tournaments_tournament_change"
            return HttpResponseRedirect(reverse(page, args=[tournament.pk]))
    context = {
        **question._asdict(),
        "tournament": tournament,
        "form": form,
        "effect": effect,
    }
    if site is None:
        form.label_suffix = ""
        return TemplateResponse(request, COCKPIT_PAGE, {"page": "organise", **context})
    return TemplateResponse(request, PAGE, site.each_context(request) | context)


def _at(entry: Entry) -> list[tuple[str, object]]:
    seat = Seat.objects.filter(entry=entry.pk).select_related("table").first()
    return [
        (_("Player"), entry.name),
        (_("Table"), seat.table.number if seat else _("on the way")),
        (_("Chips"), amounts.chips(seat.chips) if seat else "–"),
    ]


def _gets_back(entry: Entry) -> list[tuple[str, object]]:
    """Return what an entry taken back before the start cost, and the entries left then."""
    entrants = entry.tournament.entrants
    words = _("%(amount)s, with a ticket") if entry.ticket_id else "%(amount)s"
    return [
        (_("Player"), entry.name),
        (_("Paid"), words % {"amount": money.text(entry.paid)}),
        (_("Left after it"), f"{entrants} → {max(entrants - 1, 0)}"),
    ]


def _loses(entry: Entry) -> list[tuple[str, object]]:
    """Return the chips that leave play with an entry, and the new owner of its bounty."""
    left = entry.tournament.left
    words = _("%(amount)s, for the winner of the tournament") % {"amount": money.text(entry.head)}
    return [
        *_at(entry),
        (_("Left after it"), f"{left} → {max(left - 1, 0)}"),
        (_("Bounty on the head"), words if entry.head else "–"),
    ]


def _tables(entry: Entry) -> list[tuple[int, str]]:
    """Return open tables with a free seat and their sizes; none of the player's own (E-03)."""
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=entry.tournament_id, status=Table.Status.OPEN
    )
    own = apart.taken(entry.tournament, entry)
    own.update(Seat.objects.filter(entry=entry.pk).values_list("table", flat=True))
    sizes = {size.table: size.size for size in balancer.sizes_of(entry.tournament_id)[1]}
    words = _("Table %(number)s: %(size)s → %(after)s players")
    return [
        (
            table.pk,
            words % {"number": table.number, "size": sizes[table.pk], "after": sizes[table.pk] + 1},
        )
        for table in rows.order_by("number")
        if table.pk not in own and sizes.get(table.pk, table.seats_max) < table.seats_max
    ]
