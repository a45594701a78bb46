"""Paths of the sockets: those of users and visitors, and those of links."""

from __future__ import annotations

from django.urls import path

from tables.gateway.consumers import RoomConsumer
from tables.gateway.overlay import OverlayConsumer

# Channels routes ASGI applications by Django's paths, whose type knows views alone.
websocket_urlpatterns = [
    path("ws/v1/", RoomConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/v1/overlay/<str:token>/", OverlayConsumer.as_asgi()),  # type: ignore[arg-type]
]
