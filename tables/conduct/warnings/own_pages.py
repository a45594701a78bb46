"""Page on which a player reads the own warnings, each acknowledged once."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.admin.operators import operator
from tables.conduct.models import ConductCase
from tables.conduct.refusals import NoSuchWarning
from tables.conduct.warnings import giving

Sign = ConductCase.Sign

SENTENCES: dict[str, str | Promise] = {
    Sign.DUMPING: _("In your hands chips went to another player in a way that looks intended."),
    Sign.SOFT_PLAY: _("You and another player hardly ever bet against each other."),
    Sign.SHARED_BROWSER: _("Your account and another one at your tables used one browser."),
    Sign.CLOCKWORK: _("Your decisions took times like those of a program."),
    Sign.TIRELESS: _("Your account played around the clock for days."),
    Sign.SEEING: _("Your calls and folds fitted cards that you could not see."),
    Sign.REPORTED: _("Other players have reported your conduct."),
}
"""Sentence for each sign, as its player reads it; it names nobody else."""


@never_cache
@login_required
@require_GET
def warnings(request: HttpRequest) -> HttpResponse:
    """Show the own warnings, unread ones first."""
    rows = giving.warnings_of(operator(request))
    told = [(row, SENTENCES[row.case.sign]) for row in rows]
    return render(request, "conduct/warnings.html", {"told": told})


@never_cache
@login_required
@require_POST
def read(request: HttpRequest, pk: int) -> HttpResponse:
    """Acknowledge a warning."""
    try:
        is_new = giving.read(operator(request), pk)
    except NoSuchWarning as error:
        raise Http404 from error
    if is_new:
        messages.success(request, gettext("Noted: you have read the warning."))
    return redirect("warnings")
