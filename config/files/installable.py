"""Installable app: manifest, service worker, and the page shown without a network."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

ICONS = (
    ("app/icon-192.png", "192x192", "any"),
    ("app/icon-512.png", "512x512", "any"),
    ("app/icon-maskable.png", "512x512", "maskable"),
)
KEPT = ("css/colours.css", "css/base.css", "icon.svg", "js/everywhere/offline.js")
"""Static files that the page without a network needs."""


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the app to browsers that install it, in the reader's language."""
    described = {
        "id": "/",
        "name": gettext("Poker room"),
        "short_name": gettext("Poker room"),
        "lang": get_language(),
        "start_url": reverse("lobby"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#0e1112",
        "theme_color": "#0e1112",
        "icons": [
            {"src": static(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in ICONS
        ],
    }
    return JsonResponse(described, content_type="application/manifest+json")


@never_cache
@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """Give the service worker; browsers ask for it with every page they open."""
    return HttpResponse(_worker_script(get_language()), content_type="text/javascript")


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker keeps for times without a network."""
    return render(request, "app/offline.html")


@cache
def _worker_script(language: str) -> str:
    """Return the service worker with its page in a language; it changes with the files it keeps."""
    kept = [reverse("offline"), *(static(name) for name in KEPT)]
    page = render_to_string("app/offline.html")
    context = {
        "cache": f"offline-{sha256(''.join([language, *kept, page]).encode()).hexdigest()[:12]}",
        "kept": kept,
        "icon": static("app/icon-192.png"),
        "badge": static("app/badge.png"),
    }
    return render_to_string("app/worker.js", context)
