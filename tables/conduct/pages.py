"""Page on which a player reports another player of a table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.admin.operators import operator
from accounts.models import User
from accounts.refusals import words_of
from config.refusals import Refusal
from tables.chat.rules import TEXT_MAX_CHARACTERS
from tables.conduct import reports
from tables.conduct.models import PlayerReport
from tables.conduct.refusals import NoSuchHandYet
from tables.dealer import director
from tables.models import Table


class ReportForm(forms.Form):
    """Accused player, finished hand, reason and own words."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int, widget=forms.RadioSelect)
    reason = forms.ChoiceField(
        label=_("Reason"), choices=PlayerReport.Reason.choices, widget=forms.RadioSelect
    )
    words = forms.CharField(
        label=_("In your own words"),
        required=False,
        max_length=TEXT_MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, players: dict[int, str], *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.fields["player"].choices = list(players.items())  # type: ignore[attr-defined]


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form of a report, or take it; `?hand=` names a finished hand, `?player=` a player.

    Http404 for a table whose game the user may not see, and for a hand that is not released.
    """
    user = operator(request)
    table = get_object_or_404(Table, pk=pk)
    if not director.may_see(table.director, table.game, user.pk):
        raise Http404
    hand = _hand(request)
    players = _players(table, hand, user)
    form = ReportForm(
        players,
        request.POST if request.method == "POST" else None,
        initial={"player": request.GET.get("player")},
    )
    context = {"table": table, "hand": hand, "form": form, "players": players}
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            reports.report_player(
                table,
                user.pk,
                given["player"],
                reason=given["reason"],
                words=given["words"],
                hand=hand,
            )
        except Refusal as refusal:
            form.add_error(refusal.field or "words", words_of(refusal))
        else:
            return render(request, "conduct/reported.html", context)
    status = 422 if form.errors else 200
    return render(request, "conduct/report.html", context, status=status)


def _hand(request: HttpRequest) -> int | None:
    given = request.GET.get("hand")
    if given is None:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise Http404
    return int(given)


def _players(table: Table, hand: int | None, user: User) -> dict[int, str]:
    try:
        players = reports.players_at(table, hand)
    except NoSuchHandYet as error:
        raise Http404 from error
    return {key: name for key, name in players.items() if key != user.pk}
