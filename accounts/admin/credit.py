"""Admin page on which an operator credits play money to users, with amount and reason."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import money
from accounts.admin.once import TokenField
from accounts.admin.operators import operator
from accounts.approvals import asking
from accounts.ledger.credit import USERS_MAX
from accounts.models import User
from accounts.pages.confirm import ask_again, is_confirmed
from accounts.refusals import words_of
from config.refusals import Refusal


class MoneyForm(forms.Form):
    """Amount, reason, and a token that makes a second submit the same credit."""

    amount = money.AmountField(label=_("Amount"), help_text=_("For example 25.00"))
    reason = forms.CharField(label=_("Reason"), max_length=150)
    token = TokenField()


def credit_page(
    page: ModelAdmin[User], request: HttpRequest, users: QuerySet[User]
) -> HttpResponse | None:
    """Return the form, or None once the money is booked and the operator has a message."""
    if not is_confirmed(request):
        return ask_again(request, request.path)
    if users.count() > USERS_MAX:
        text = gettext("At most %(most)d users at once.") % {"most": USERS_MAX}
        page.message_user(request, text, messages.ERROR)
        return None
    form = MoneyForm(request.POST if "token" in request.POST else None)
    if form.is_valid() and _booked(page, request, users, form):
        return None
    context = page.admin_site.each_context(request) | {
        "title": gettext("Credit play money"),
        "opts": page.opts,
        "form": form,
        "users": users,
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "admin/accounts/user/credit.html", context)


def _booked(
    page: ModelAdmin[User], request: HttpRequest, users: QuerySet[User], form: MoneyForm
) -> bool:
    """Book the credit with its audit rows in one transaction, or store it for a second person.

    A refusal becomes an error of the form.
    """
    amount, reason = form.cleaned_data["amount"], form.cleaned_data["reason"]
    try:
        with transaction.atomic():
            waiting, new = asking.ask_credit(
                operator(request),
                users,
                amount=amount,
                reason=reason,
                token=form.cleaned_data["token"],
            )
            for user in new:
                page.log_change(request, user, f"credit {money.text(amount)}: {reason}")
    except Refusal as refusal:
        form.add_error("amount", words_of(refusal))
        return False
    if waiting is not None:
        page.message_user(request, gettext("The credit waits for a second person."))
        return True
    done = ngettext(
        "%(amount)s credited to %(count)d user.",
        "%(amount)s credited to %(count)d users.",
        len(new),
    )
    page.message_user(request, done % {"amount": money.text(amount), "count": len(new)})
    return True
