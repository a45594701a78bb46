"""Page and CSV file of a player's own ended stays at ring tables."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.ring.queries import history

ON_A_PAGE = 50


@login_required
@never_cache
@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """Show the sums and the ended stays, newest first."""
    assert request.user.is_authenticated
    pages = Paginator(list(history.stays(request.user)), ON_A_PAGE)
    context = {
        "totals": history.totals(request.user),
        "stays": pages.get_page(request.GET.get("page")),
    }
    return render(request, "ring/history.html", context)


@login_required
@never_cache
@require_GET
def file(request: HttpRequest) -> HttpResponseBase:
    """Send the ended stays as a CSV file, row by row."""
    assert request.user.is_authenticated
    return StreamingHttpResponse(
        history.csv_rows(request.user),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="ring-games.csv"'},
    )
