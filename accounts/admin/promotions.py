"""Admin page of the promotions account: what is free to promise, and funding (Z-01)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.confirmed import asked_again
from accounts.admin.credit import MoneyForm
from accounts.ledger import promotions
from accounts.models import Account
from accounts.refusals import words_of
from config.refusals import Refusal

FUND = "accounts.fund_promotions"


class FundForm(MoneyForm):
    """Money from the bank or back to the bank, with a reason."""

    direction = forms.ChoiceField(
        label=_("Direction"),
        choices=[("give", _("Give to the promotions")), ("take", _("Take back"))],
    )
    field_order = ("direction", "amount", "reason")

    @property
    def signed(self) -> int:
        """Return the amount in cents, negative when money is taken back."""
        amount: int = self.cleaned_data["amount"]
        return amount if self.cleaned_data["direction"] == "give" else -amount


def page(admin: ModelAdmin[Account], request: HttpRequest) -> HttpResponse:
    """Show what is free and what is set aside; operators with the permission may add funds."""
    may_fund = request.user.has_perm(FUND)
    if not (may_fund or admin.has_view_permission(request)):
        raise PermissionDenied
    if request.method == "POST" and not may_fund:
        raise PermissionDenied
    if asked := asked_again(request):
        return asked
    form = FundForm(request.POST or None)
    if form.is_valid() and _booked(admin, request, form):
        return HttpResponseRedirect(request.path)
    context: dict[str, Any] = admin.admin_site.each_context(request) | {
        "title": gettext("Promotions"),
        "opts": admin.opts,
        "form": form,
        "may_fund": may_fund,
        "may_list": admin.has_view_permission(request),
        "free": money.text(promotions.free()),
        "set_aside": money.text(promotions.set_aside()),
    }
    return TemplateResponse(request, "admin/accounts/account/promotions.html", context)


def _booked(admin: ModelAdmin[Account], request: HttpRequest, form: FundForm) -> bool:
    """Book the funding with its audit row in one transaction; a refusal becomes a form error."""
    given = form.cleaned_data
    try:
        with transaction.atomic():
            is_again = promotions.is_funded(given["token"])
            promotions.fund(form.signed, reason=given["reason"], token=given["token"])
            if not is_again:
                done = f"{given['direction']} {money.text(given['amount'])}: {given['reason']}"
                admin.log_change(request, promotions.account(), done)
    except Refusal as refusal:
        form.add_error("amount", words_of(refusal))
        return False
    admin.message_user(request, gettext("The money was booked."), messages.SUCCESS)
    return True
