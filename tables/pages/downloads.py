"""Downloads of finished hands: in formats of other programs, and their proofs."""

from __future__ import annotations

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.dealer import director
from tables.history.exports import phh
from tables.history.exports.hand import seen_by
from tables.history.hand_proofs import hand_proof
from tables.history.kept import kept_of
from tables.pages.views import released_hand

_SCRIPT = settings.BASE_DIR / "static" / "fair" / "verify.py"


@never_cache
@require_GET
def hand_phh(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Download of one released hand as PHH with the cards the visitor was shown."""
    row = released_hand(request, pk, number)
    table = row.table
    exported = seen_by(
        request.user.pk,
        kept_of(row),
        event=director.game_name(table.director, table.game),
        table=table.number,
        seats_max=table.seats_max,
    )
    response = HttpResponse(phh.written(exported), content_type="application/toml; charset=utf-8")
    response["Content-Disposition"] = (
        f'attachment; filename="table-{table.number}-hand-{number}.phh"'
    )
    return response


@require_GET
def verify_script(request: HttpRequest) -> FileResponse:
    """Script that checks a downloaded proof without this room's pages: one file, no library."""
    return FileResponse(_SCRIPT.open("rb"), as_attachment=True, filename="verify.py")


@never_cache
@require_GET
def hand_proof_json(request: HttpRequest, pk: int, number: int) -> JsonResponse:
    """Proof of one hand with the cards the visitor was shown; Http404 before its release.

    Http404 as well for a hand that was dealt without a seal.
    """
    row = released_hand(request, pk, number)
    kept = kept_of(row)
    proof = hand_proof(kept, origin=settings.FAIR_ORIGIN, user=request.user.pk)
    if proof is None:
        raise Http404("the hand was dealt without a seal")
    return JsonResponse(proof)
