"""Download of everything the room holds about one's own account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.pages.confirm import confirmed
from accounts.users import account_export
from config import limits
from config.door.rates import Rate

EXPORTS = Rate("account-export", limits.EXPORTS_BURST, limits.EXPORTS_PER_MINUTE)
"""Exports of one user: each reads every row of the account."""


@login_required
@confirmed("account")
@never_cache
@require_POST
def export(request: HttpRequest) -> HttpResponse:
    """Answer with the zip file, a few times an hour."""
    assert request.user.is_authenticated
    if EXPORTS.take(f"user:{request.user.pk}"):
        messages.warning(request, gettext("Your data was downloaded just now. Try again later."))
        return redirect("account")
    answer = HttpResponse(account_export.zipped(request.user), content_type="application/zip")
    answer.headers["Content-Disposition"] = 'attachment; filename="account.zip"'
    return answer
