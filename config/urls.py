"""Root URL configuration: prefixes of the apps' pages."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import JavaScriptCatalog

from config.door import health
from config.files import installable

admin.site.site_header = "Tournament room"
admin.site.site_title = "Tournament room"

handler500 = "config.door.away.failed"

urlpatterns: list[URLPattern | URLResolver] = [
    # First: programs ask most often, and each request is compared with the addresses in order.
    path("api/v1/", include("tournaments.api.urls")),
    path("", include("tournaments.admin.live")),
    path("admin/", admin.site.urls),
    path("jsi18n/", JavaScriptCatalog.as_view(packages=None), name="javascript-catalog"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", health.numbers, name="metrics"),
    path("manifest.webmanifest", installable.manifest, name="manifest"),
    path("worker.js", installable.worker, name="worker"),
    path("offline/", installable.offline, name="offline"),
]
_OF_TABLES = ("ring", "fairlog", "conduct", "chat", "dealt")
_TABLES = ("tables", *(f"tables.{part}" for part in _OF_TABLES))
_APPS = ("accounts", *_TABLES, "tournaments")
urlpatterns += [path("", include(f"{app}.urls")) for app in _APPS]
