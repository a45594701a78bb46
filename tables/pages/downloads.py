"""Downloads of finished hands: in formats of other programs, and their proofs."""

from __future__ import annotations

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.fairlog import proofs
from tables.history.exports import ohh, phh, pokerstars
from tables.history.exports.rows import exported
from tables.history.kept import kept_of
from tables.pages.views import released_hand

_SCRIPTS = settings.BASE_DIR / "static" / "fair"


DOCUMENTS = {
    "ohh": (ohh.written, "application/json"),
    "phh": (phh.written, "application/toml"),
    "txt": (pokerstars.written, "text/plain"),
}
"""Documents of one hand by the ending of their file: the writer, and the type of the content."""


@never_cache
@require_GET
def hand_file(request: HttpRequest, pk: int, number: int, form: str) -> HttpResponse:
    """Download of one released hand with the cards the visitor was shown."""
    row = released_hand(request, pk, number)
    table = row.table
    written, kind = DOCUMENTS[form]
    response = HttpResponse(
        written(exported(row, request.user.pk)), content_type=f"{kind}; charset=utf-8"
    )
    response["Content-Disposition"] = (
        f'attachment; filename="table-{table.number}-hand-{number}.{form}"'
    )
    return response


@require_GET
def verify_script(request: HttpRequest) -> FileResponse:
    """Script that checks a downloaded proof without this room's pages: one file, no library."""
    return _script("verify.py")


@require_GET
def verify_log_script(request: HttpRequest) -> FileResponse:
    """Script that mirrors the log and checks its laws from outside: one file, no library."""
    return _script("verify_log.py")


@require_GET
def vectors(request: HttpRequest) -> FileResponse:
    """Known answers of the protocol, to which whoever writes a verifier can hold it."""
    return FileResponse((_SCRIPTS / "vectors.json").open("rb"), content_type="application/json")


def _script(name: str) -> FileResponse:
    return FileResponse((_SCRIPTS / name).open("rb"), as_attachment=True, filename=name)


@never_cache
@require_GET
def hand_proof_json(request: HttpRequest, pk: int, number: int) -> JsonResponse:
    """Proof of one hand with the cards the visitor was shown; Http404 before its release.

    Http404 as well for a hand that was dealt without a seal.
    """
    row = released_hand(request, pk, number)
    kept = kept_of(row, request.user.pk)
    proof = proofs.proof_of_hand(kept, request.user.pk)
    if proof is None:
        raise Http404("the hand was dealt without a seal")
    return JsonResponse(proof)
