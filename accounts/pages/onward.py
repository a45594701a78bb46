"""Page to go on with after a form: an address of this site that the request names."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

_WHOLE = ("/", "http://", "https://")


def onward_of(request: HttpRequest, fallback: str) -> str:
    """Return the `next` page of a form: one of this site, else the one named `fallback`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return own_address(request, wanted) or reverse(fallback)


def own_address(request: HttpRequest, wanted: str) -> str:
    """Return `wanted` if it is a whole address of this site, else ""."""
    # Django takes a word without a slash for the name of a page, and knows none of that name.
    is_ours = wanted.startswith(_WHOLE) and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else ""
