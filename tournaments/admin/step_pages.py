"""Page of a step for operators: effects on chosen tournaments, a reason, then the step for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _

from accounts.admin.operators import operator
from accounts.models import User
from accounts.refusals import words_of
from config.inputs.numbers import whole
from config.refusals import Refusal
from tournaments.admin.ruling_forms import StepReasonForm
from tournaments.admin.steps import (
    CLOCK_STEPS,
    CONSEQUENCES,
    DONE,
    ROOM_PARTS,
    RUN,
    SERIES_ENDS,
    STEPS,
    TICKETS_END,
    may,
    preview,
)
from tournaments.models import Tournament
from tournaments.queries import level_clock
from tournaments.running import operations

CHOSEN_MAX = 100
"""Most tournaments of one step: their numbers are in the address of its page."""


def _action(step: str) -> Callable[..., HttpResponse | None]:
    """Return the action of the list of tournaments that leads to the page of a step."""

    @admin.action(description=STEPS[step], permissions=["run"])
    def redirect_to_page(
        model_admin: Any, request: HttpRequest, queryset: QuerySet[Tournament]
    ) -> HttpResponse | None:
        chosen = queryset.order_by("pk").values_list("pk", flat=True)[: CHOSEN_MAX + 1]
        if len(chosen) > CHOSEN_MAX:
            words = _("Choose at most %(most)s tournaments for one step.")
            messages.error(request, words % {"most": CHOSEN_MAX})
            return None
        ids = ",".join(map(str, chosen))
        return HttpResponseRedirect(f"{reverse('admin:tournaments_step', args=[step])}?ids={ids}")

    redirect_to_page.__name__ = f"{step}_chosen"  # the name of an action in forms
    return redirect_to_page


ACTIONS = tuple(_action(step) for step in STEPS)


def urls(site: admin.AdminSite) -> list[URLPattern]:
    """Return the page of each step, below those of tournaments."""
    view = site.admin_view(take)
    return [path("step/<str:step>/", view, {"site": site}, name="tournaments_step")]


def take(request: HttpRequest, step: str, site: admin.AdminSite) -> HttpResponse:
    """Ask for a reason, then take the step for each of the chosen tournaments."""
    if step not in STEPS:
        raise Http404
    if not request.user.has_perm(RUN):
        raise PermissionDenied
    rows = Tournament.objects.filter(pk__in=_numbers(request)).select_related("club")
    chosen = list(rows.order_by("pk"))
    form = StepReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        for tournament in chosen:
            _take(request, step, tournament, form.cleaned_data["reason"])
        return HttpResponseRedirect(_back(chosen))
    user = operator(request)
    context = site.each_context(request) | {
        "title": STEPS[step],
        "consequence": CONSEQUENCES[step],
        "opts": Tournament._meta,
        "chosen": [
            preview(tournament, step, user) | _clock(tournament, step, user)
            for tournament in chosen
        ],
        "is_cancel": step.startswith("cancel"),
        "room_part": ROOM_PARTS.get(step),
        "series_ends": SERIES_ENDS,
        "tickets_end": TICKETS_END,
        "form": form,
    }
    return TemplateResponse(request, "admin/tournaments/tournament/step.html", context)


def _take(request: HttpRequest, step: str, tournament: Tournament, reason: str) -> None:
    item = whole(request.POST.get(f"item-{tournament.pk}", "")) if step in CLOCK_STEPS else None
    seen = {} if item is None else {"item": item}
    try:
        getattr(operations, step)(tournament.pk, actor=operator(request), reason=reason, **seen)
    except Refusal as refusal:
        messages.error(request, f"{tournament}: {words_of(refusal)}")
    else:
        messages.success(request, f"{tournament}: {DONE[step]}")


def _clock(tournament: Tournament, step: str, user: User) -> dict[str, object]:
    """Return what the level clock would show, and its item, which the form sends back."""
    if step not in CLOCK_STEPS or not may(tournament, step, user):
        return {}
    effect = level_clock.effect(tournament, step)
    return {"clock": effect, "item": level_clock.item(tournament)}


def _numbers(request: HttpRequest) -> list[int]:
    """Return the numbers of rows in the address; other values are ignored."""
    named = map(whole, request.GET.get("ids", "").split(","))
    return [number for number in named if number is not None]


def _back(chosen: list[Tournament]) -> str:
    if len(chosen) == 1:
        return reverse("admin:tournaments_tournament_change", args=[chosen[0].pk])
    return reverse("admin:tournaments_tournament_changelist")
