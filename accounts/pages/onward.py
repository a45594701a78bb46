"""Page to go on with after a form or a log-in: an address of this site that the request names."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

View = Callable[..., HttpResponse]

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


def posted_from(page: str) -> Callable[[View], View]:
    """Take the POST of a form; lead a GET to the `page` of the same arguments, which has the form.

    A refused form stands at this address, and is asked for anew by GET, e.g. in another language.
    """

    def decorated(view: View) -> View:
        @require_http_methods(["GET", "POST"])
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "GET":
                assert request.resolver_match is not None
                return redirect(reverse(page, kwargs=request.resolver_match.kwargs))
            return view(request, *args, **kwargs)

        return wrapped

    return decorated


class LeadToLogin:
    """Middleware that leads pages of a session that is over to the log-in, and back from there.

    A part is asked for by htmx, which would follow the redirect and put the page of the log-in
    into the part. A form that was not carried out is none to go on with: its address may take
    nothing but the form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; the log-in leads back to the page that asked."""
        answer = self._get_response(request)
        wanted = urlsplit(answer.headers.get("Location", ""))
        if wanted.path != settings.LOGIN_URL:
            return answer
        if not request.headers.get("HX-Request"):
            if request.method == "POST" and _onward_in(wanted.query) == request.get_full_path():
                page = own_address(request, request.headers.get("Referer", ""))
                onward = page or settings.LOGIN_REDIRECT_URL
                answer.headers["Location"] = redirect_to_login(onward).url
            return answer
        page = own_address(request, request.headers.get("HX-Current-URL", ""))
        login = redirect_to_login(page).url if page else settings.LOGIN_URL
        led = HttpResponse(headers={"HX-Redirect": login})
        led.cookies = answer.cookies  # that of a session which has just ended, and why
        return led


def _onward_in(query: str) -> str:
    return parse_qs(query).get("next", [""])[0]
