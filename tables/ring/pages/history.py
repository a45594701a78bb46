"""Page and CSV file of a player's own ended stays at ring tables."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from config.door.parts import without_blocking
from tables.ring.queries import history

ON_A_PAGE = 50


@login_required
@never_cache
@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """Show the sums and the ended stays, newest first."""
    assert request.user.is_authenticated
    rows = Paginator(history.ended(request.user), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "totals": history.totals(request.user),
        "pages": rows,
        "stays": [history.stay(row) for row in rows],
    }
    return render(request, "ring/history.html", context)


@login_required
@never_cache
@require_GET
def file(request: HttpRequest) -> HttpResponseBase:
    """Stream the ended stays as a CSV file."""
    assert request.user.is_authenticated
    return StreamingHttpResponse(
        without_blocking(history.csv_parts(request.user)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="ring-games.csv"'},
    )
