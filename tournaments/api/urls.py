"""Addresses of the API below `/api/v1/`: its routes, then a refusal of every other one."""

from __future__ import annotations

from django.urls import include, path, re_path

from tournaments.api.problems import missing, of_methods
from tournaments.api.routes import api

urlpatterns = [
    path("", include([of_methods(route) for route in api.urls[0]])),
    re_path(r"^[\s\S]+$", missing, name="api_missing"),
]
