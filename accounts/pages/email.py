"""Pages of e-mail addresses: enter, confirm, remove; and the forgotten password."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import EmailAddress
from accounts.pages.confirm import confirmed
from accounts.pages.forms import EmailForm, ForgottenForm
from accounts.refusals import words_of
from accounts.users import email_addresses
from accounts.users.lockout import source_of_request
from config.refusals import Refusal


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link for a new password; the answer is the same for unknown accounts."""
    form = ForgottenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            email_addresses.send_reset(form.cleaned_data["account"], source_of_request(request))
        except Refusal as refusal:
            form.add_error(None, words_of(refusal))
        else:
            sent = _(
                "If the account has a confirmed e-mail address, a mail with a link is on its way."
            )
            messages.success(request, sent)
            return redirect("login")
    return render(request, "accounts/forgotten.html", {"form": form})


@login_required
@confirmed("account")
@never_cache
@require_POST
def enter(request: HttpRequest) -> HttpResponse:
    """Store an address and mail its confirmation; an error is shown beside the field."""
    assert request.user.is_authenticated
    form = EmailForm(request.POST)
    if form.is_valid():
        try:
            address = form.cleaned_data["address"]
            email_addresses.enter(request.user, address, source_of_request(request))
        except Refusal as refusal:
            form.add_error("address", words_of(refusal))
        else:
            return redirect("account")
    row = EmailAddress.objects.filter(user=request.user).first()
    context = {"email_form": form, "email": row, "mail_is_on": True}
    return render(request, "accounts/email.html", context, status=400)


@login_required
@confirmed("account")
@require_POST
def remove(request: HttpRequest) -> HttpResponse:
    """Delete the address of the account."""
    assert request.user.is_authenticated
    email_addresses.remove(request.user)
    messages.success(request, _("The e-mail address is removed."))
    return redirect("account")


@never_cache
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Confirm an address by a button, so that programs that open links confirm nothing."""
    if request.method == "GET":
        return render(request, "accounts/email_confirm.html")
    try:
        user = email_addresses.confirm(key)
    except Refusal as refusal:
        context = {"refusal": words_of(refusal)}
        return render(request, "accounts/email_confirm.html", context, status=409)
    messages.success(request, _("The e-mail address of %(name)s is confirmed.") % {"name": user})
    return redirect("account" if request.user == user else "login")
