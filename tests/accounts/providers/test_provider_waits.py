"""A provider that hangs holds up those alone who log in there: pages and passwords go on."""

from __future__ import annotations

import threading

import httpx
import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from accounts.providers import discovery, exchange
from config.door import lanes
from tests.accounts.providers.openid_provider import provider
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site

__all__ = ["site"]

LOGIN = "/accounts/login/"


def _browser(site: Site) -> httpx.Client:
    address = f"http://127.0.0.1:{site.port}"
    return httpx.Client(base_url=address, headers={"Host": "localhost"}, timeout=120)


def _form(web: httpx.Client) -> dict[str, str]:
    """Open the log-in and return its token."""
    assert web.get(LOGIN).status_code == 200
    return {"csrfmiddlewaretoken": web.cookies["csrftoken"]}


def test_pages_and_passwords_go_on_while_a_provider_hangs(
    site: Site, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("Ann", "a long password")
    monkeypatch.setattr(exchange, "TIMEOUT_S", 300.0)
    discovery.forget()
    with provider() as held:
        held.silent_at = "/.well-known/openid-configuration"
        settings.OPENID_NETWORKS = ["127.0.0.0/8"]
        settings.OPENID_PROVIDERS = (held.entry(),)
        waiting = [
            threading.Thread(target=_begin, args=(site,), daemon=True)
            for _number in range(lanes.OUTSIDE_AT_ONCE)
        ]
        for thread in waiting:
            thread.start()
        for _thread in waiting:
            assert held.reached.acquire(timeout=60), "the provider is asked by each"
        with _browser(site) as web:
            assert web.get("/").status_code == 200
            given = {"username": "Ann", "password": "a long password", **_form(web)}
            assert web.post(LOGIN, data=given).status_code == 302
            assert web.get("/wallet/").status_code == 200
        assert all(thread.is_alive() for thread in waiting), "nobody was answered yet"
        held.released.set()
        for thread in waiting:
            thread.join(60)
        assert not any(thread.is_alive() for thread in waiting)


def _begin(site: Site) -> None:
    with _browser(site) as web:
        answer = web.post("/accounts/with/local/", data=_form(web))
        assert answer.status_code == 502
