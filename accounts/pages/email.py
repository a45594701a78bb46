"""Pages of e-mail addresses: list, add, confirm, choose, remove; and the forgotten password."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.logins.lockout import source_of_request
from accounts.mail import addresses, outgoing, required_address
from accounts.models import EmailAddress
from accounts.pages.confirm import ask_again, confirmed, is_confirmed
from accounts.pages.forms import EmailForm, ForgottenForm
from accounts.refusals import words_of
from accounts.users import forgotten_password
from config import limits
from config.refusals import Refusal


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link for a new password; the answer is the same for unknown accounts."""
    form = ForgottenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            forgotten_password.mail_link(form.cleaned_data["account"], source_of_request(request))
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
@never_cache
@require_http_methods(["GET", "POST"])
def emails(request: HttpRequest) -> HttpResponse:
    """List own addresses; add one after the password, with an error beside the field."""
    user, status = request.user, 200
    assert user.is_authenticated
    form = EmailForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not is_confirmed(request):
            return ask_again(request, request.path)
        status = 400
        if form.is_valid():
            address = form.cleaned_data["address"]
            try:
                row = addresses.add(user, address, source_of_request(request))
            except Refusal as refusal:
                form.add_error("address", words_of(refusal))
            else:
                messages.success(request, on_its_way(row))
                return redirect("emails")
    rows = addresses.addresses_of(user)
    is_full = len(rows) >= limits.EMAIL_ADDRESSES_MAX
    context = {
        "form": form,
        "rows": rows,
        "mail_is_on": outgoing.is_on(),
        "needs_address": required_address.is_missing(user),
        "full": words_of(addresses.TooManyAddresses()) if is_full else "",
    }
    return render(request, "accounts/emails.html", context, status=status)


@login_required
@confirmed("emails")
@require_POST
def make_primary(request: HttpRequest, pk: int) -> HttpResponse:
    """Make an own confirmed address the primary one; Http404 for those of others."""
    assert request.user.is_authenticated
    user = request.user

    def words(row: EmailAddress) -> str:
        return _("%(address)s is now your primary address.") % {"address": row.address}

    return _changed(request, lambda: addresses.make_primary(user, pk), words)


@login_required
@confirmed("emails")
@require_POST
def send_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Mail the link of an own waiting address anew; Http404 for those of others."""
    assert request.user.is_authenticated
    user, source = request.user, source_of_request(request)
    return _changed(request, lambda: addresses.send_again(user, pk, source), on_its_way)


@login_required
@confirmed("emails")
@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete an own address; Http404 for those of others."""
    assert request.user.is_authenticated
    user = request.user

    def words(row: EmailAddress) -> str:
        return _("The e-mail address %(address)s is removed.") % {"address": row.address}

    return _changed(request, lambda: addresses.remove(user, pk), words)


@never_cache
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Confirm an address by a button, so that programs that open links confirm nothing."""
    if request.method == "GET":
        return render(request, "accounts/email_confirm.html")
    visitor = request.user.pk
    try:
        row = addresses.confirm(key, visitor)
    except Refusal as refusal:
        context = {"refusal": words_of(refusal)}
        return render(request, "accounts/email_confirm.html", context, status=409)
    words = {"address": row.address, "name": row.user}
    messages.success(request, _("%(address)s is confirmed for %(name)s.") % words)
    return redirect("login" if visitor is None else "emails")


def on_its_way(row: EmailAddress) -> str:
    """Return the sentence that a mail with a link was sent, in the reader's language."""
    words = _("A mail to %(address)s is on its way: open its link to confirm the address.")
    return words % {"address": row.address}


def _changed(
    request: HttpRequest,
    change: Callable[[], EmailAddress | None],
    words: Callable[[EmailAddress], str],
) -> HttpResponse:
    """Change an address and lead back to the list, with a sentence about the change or refusal."""
    try:
        row = change()
    except Refusal as refusal:
        messages.error(request, words_of(refusal))
    else:
        if row is None:
            raise Http404
        messages.success(request, words(row))
    return redirect("emails")
