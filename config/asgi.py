"""ASGI application: pages over HTTP, tables and lobbies over WebSockets of known origins."""

from __future__ import annotations

import os
from importlib import import_module

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402

from config.door.one_thread import OneThreadHandler  # noqa: E402
from config.door.origins import OriginOrToken  # noqa: E402
from config.door.pages import Pages  # noqa: E402

routes = import_module("tables.gateway.routes").websocket_urlpatterns
application = ProtocolTypeRouter(
    {
        "http": Pages(OneThreadHandler()),
        # The consumer authenticates the socket itself, in threads that pages cannot block.
        "websocket": OriginOrToken(URLRouter(routes), settings.SOCKET_ORIGINS),
    }
)
