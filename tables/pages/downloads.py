"""Downloads of finished hands in formats of other programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.dealer import director, record
from tables.history.exports import phh
from tables.history.exports.hand import seen_by
from tables.history.released import released_hands
from tables.pages.views import seen


@never_cache
@require_GET
def hand_phh(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Download of one hand as PHH with the cards the visitor was shown; Http404 before its release.

    A hand that is not released is answered as one that does not exist, so that nobody learns of it.
    """
    row = get_object_or_404(released_hands(), table=pk, number=number)
    table = seen(request, row.table)
    exported = seen_by(
        request.user.pk,
        record.decode(bytes(row.record)),
        event=director.game_name(table.director, table.game),
        table=table.number,
        seats_max=table.seats_max,
    )
    response = HttpResponse(phh.written(exported), content_type="application/toml; charset=utf-8")
    response["Content-Disposition"] = (
        f'attachment; filename="table-{table.number}-hand-{number}.phh"'
    )
    return response
