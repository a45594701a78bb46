"""URLs of conduct: the page on which a player reports another, and the own warnings."""

from __future__ import annotations

from django.urls import path

from tables.conduct import pages
from tables.conduct.warnings import own_pages

urlpatterns = [
    path("tables/<int:pk>/report/", pages.report, name="report_player"),
    path("account/warnings/", own_pages.warnings, name="warnings"),
    path("account/warnings/<int:pk>/read/", own_pages.read, name="warning_read"),
]
