"""The bank of a club: its money, gifts of members, and money from the room."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.admin.once import TokenField
from accounts.admin.units import UnitField
from accounts.clubs import bank
from accounts.clubs.steps import role_of
from accounts.ledger import kinds
from accounts.models import Club, User
from accounts.money import MINOR_PER_MAJOR
from accounts.pages.clubs.access import club_page, logged_in, refuse
from accounts.pages.confirm import ask_again, is_confirmed
from accounts.pages.second_factor import factor_first
from config.refusals import Refusal

SHOWN_MAX = 30


class GiftForm(forms.Form):
    """Money of a member for the club."""

    amount = UnitField(
        label=gettext_lazy("Amount"), scale=MINOR_PER_MAJOR, places=2, max_digits=14, min_value=0
    )
    token = TokenField()


class ClubFundForm(GiftForm):
    """Money of the room for the club, or back, with a reason."""

    direction = forms.ChoiceField(
        label=gettext_lazy("Direction"),
        choices=[
            ("give", gettext_lazy("Give to the club")),
            ("take", gettext_lazy("Take back")),
        ],
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=150)
    field_order = ("direction", "amount", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # The page has two forms with an amount: each label names its own field.
        super().__init__(*args, **({"auto_id": "fund_%s", "label_suffix": ""} | kwargs))


@logged_in
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Show the money of the club with its movements (GET), then book a gift (POST).

    For members, and for staff who give money of the room.
    """
    if role_of(user, club) is None and not bank.may_fund(user):
        raise Http404
    given = request.POST if request.method == "POST" else None
    form = GiftForm(given, label_suffix="")
    if form.is_valid():
        try:
            bank.give(club, user, form.cleaned_data["amount"], token=form.cleaned_data["token"])
        except Refusal as refusal:
            _beside_amount(form, refusal)
        else:
            messages.success(request, _("Thank you: the club has your gift."))
            return redirect("club_bank", club.slug)
    return _page(request, club, user, gift_form=form)


@logged_in
@require_http_methods(["GET", "POST"])
def fund(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Book money of the room (POST), by staff with the permission, in the club or not."""
    if not bank.may_fund(user):
        raise Http404
    if request.method == "GET":  # the page of a refusal asked for anew, e.g. in another language
        return redirect("club_bank", club.slug)
    if (elsewhere := factor_first(request)) is not None:
        return elsewhere
    if not is_confirmed(request):
        return ask_again(request, reverse("club_bank", args=[club.slug]))
    form = ClubFundForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        amount = values["amount"] if values["direction"] == "give" else -values["amount"]
        try:
            bank.fund(club, user, amount, reason=values["reason"], token=values["token"])
        except Refusal as refusal:
            _beside_amount(form, refusal)
        else:
            messages.success(request, _("The money was booked."))
            return redirect("club_bank", club.slug)
    return _page(request, club, user, fund_form=form)


def _beside_amount(form: forms.Form, refusal: Refusal) -> None:
    refusal.field = refusal.field or "amount"
    refuse(form, refusal)


def _page(request: HttpRequest, club: Club, user: User, **more: forms.Form) -> HttpResponse:
    newest = bank.movements(club, SHOWN_MAX)
    context: dict[str, object] = {
        "held": bank.held(club),
        "movements": [(row, kinds.words(row.transfer.kind)) for row in newest],
        "is_member": club.memberships.filter(user=user).exists(),
        "gift_form": GiftForm(label_suffix=""),
        "fund_form": ClubFundForm() if bank.may_fund(user) else None,
    }
    return club_page(request, "clubs/bank.html", club, **(context | more))
