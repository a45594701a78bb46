"""Page of a player's own limits: entries, buy-ins, exclusion."""

from __future__ import annotations

from datetime import datetime

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import money
from accounts.models import OwnLimit
from accounts.refusals import words_of
from accounts.users import own_limits
from config import limits
from config.refusals import Refusal


class LimitsForm(forms.Form):
    """Entries in 24 hours and money in 7 days; empty is no limit."""

    entries_a_day = forms.IntegerField(
        label=_("Entries in 24 hours"),
        required=False,
        min_value=0,
        max_value=limits.OWN_ENTRIES_MAX,
        help_text=_("Empty: no limit."),
    )
    money_a_week = money.AmountField(
        label=_("Buy-ins in 7 days"),
        required=False,
        help_text=_("For example 25.00; empty: no limit."),
        most=limits.TRANSFER_MAX_CENTS,
    )


class ExclusionForm(forms.Form):
    """Days of an exclusion, and a mark against a slip of the finger."""

    days = forms.IntegerField(
        label=_("Days"), min_value=1, max_value=limits.EXCLUSION_DAYS_MAX, initial=7
    )
    sure = forms.BooleanField(label=_("I know that this cannot be taken back or shortened"))


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def own(request: HttpRequest) -> HttpResponse:
    """Show the limits and change them."""
    assert request.user.is_authenticated
    form = LimitsForm(request.POST) if request.method == "POST" else None
    if form is not None and form.is_valid():
        row = own_limits.change(request.user, **form.cleaned_data)
        later = gettext("A higher limit begins in 24 hours; a lower one acts now.")
        messages.success(request, later if row.wanted else gettext("Your limits act now."))
        return redirect("own_limits")
    return _page(request, form, None)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def exclude(request: HttpRequest) -> HttpResponse:
    """Exclude the player for some days (POST)."""
    assert request.user.is_authenticated
    if request.method == "GET":  # the page of a refusal asked for anew, e.g. in another language
        return redirect("own_limits")
    form = ExclusionForm(request.POST)
    if form.is_valid():
        try:
            own_limits.exclude(request.user, form.cleaned_data["days"])
        except Refusal as refusal:
            form.add_error("days", words_of(refusal))
        else:
            messages.success(request, gettext("You are excluded from buying in."))
            return redirect("own_limits")
    return _page(request, None, form)


def _page(
    request: HttpRequest, form: LimitsForm | None, exclusion: ExclusionForm | None
) -> HttpResponse:
    """Render the page, with status 400 around a form with errors."""
    assert request.user.is_authenticated
    row = own_limits.present(request.user)
    context = {
        "row": row,
        "wanted": _wanted(row),
        "spent": own_limits.spent_in_week(request.user),
        "form": form or LimitsForm(initial=_typed(row)),
        "exclusion": exclusion or ExclusionForm(),
    }
    status = 200 if form is None and exclusion is None else 400
    return render(request, "accounts/limits.html", context, status=status)


def _wanted(row: OwnLimit) -> list[tuple[datetime, str]]:
    """Return the limits that begin later: the time, and name, present and coming value in words."""
    names, times = LimitsForm.base_fields, own_limits.times_of_wanted(row)
    words = {
        name: f"{names[name].label}: {_shown(name, getattr(row, name))} → {_shown(name, value)}"
        for name, value in row.wanted.items()
    }
    by_time = sorted(times, key=lambda name: times[name])
    return [(times[name], words[name]) for name in by_time]


def _shown(field: str, value: int | None) -> str:
    if value is None:
        return gettext("without a limit")
    return money.text(value) if field == "money_a_week" else str(value)


def _typed(row: OwnLimit) -> dict[str, object]:
    """Return the limits as their form shows them: those asked for last.

    A form that showed the present ones would take a raise back with every other change.
    """
    asked = {field: row.wanted.get(field, getattr(row, field)) for field in own_limits.FIELDS}
    cents = asked["money_a_week"]
    shown = None if cents is None else money.typed_text(cents)
    return asked | {"money_a_week": shown}
