"""WebSocket addresses and their consumers."""

from __future__ import annotations

from django.urls import path

from tables.gateway.consumers import RoomConsumer
from tables.gateway.sessions import announce_changes

announce_changes()

# Channels routes ASGI applications by Django's paths, whose type knows views alone.
websocket_urlpatterns = [path("ws/v1/", RoomConsumer.as_asgi())]  # type: ignore[arg-type]
