"""Ways of a test to a provider of log-ins and back."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import LazySettings
from django.test import Client
from redis import Redis

from accounts.models import EmailAddress, User
from accounts.providers import discovery
from accounts.providers.models import LinkedLogin
from tests.accounts.providers.openid_provider import Provider, provider

LOGIN, LINKED, NAME = "/accounts/login/", "/account/providers/", "/accounts/signup/with/"
PASSWORD = "a long password"

TLS = ssl.create_default_context()
"""Reading the authorities takes 60 ms of processor time: once, not for each log-in."""


@pytest.fixture
def local(settings: LazySettings, room: Redis) -> Iterator[Provider]:
    """A provider that the room offers, with OpenID Connect and with OAuth 2.0 alone."""
    discovery.forget()
    with provider() as held:
        settings.OPENID_NETWORKS = ["127.0.0.0/8"]
        settings.OPENID_PROVIDERS = (held.entry(), held.plain_entry())
        settings.PUBLIC_URL = "http://testserver"
        settings.MAIL_URL = "smtp://127.0.0.1:9"
        yield held


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("Annie", PASSWORD)


def goes(client: Client, step: str = "log_in", key: str = "local", onward: str = "") -> str:
    """Press the button of a provider and return the address to which its page leads."""
    answer = client.post(f"/accounts/with/{key}/", {"step": step, "next": onward})
    assert answer.status_code == 200, answer.headers
    found = re.search(r'content="0;url=([^"]+)"', answer.content.decode())
    assert found is not None
    return found[1].replace("&amp;", "&")


def answer_of(address: str, subject: str = "ann-1") -> str:
    """Log in at the provider; return path and query of the way back."""
    shown = httpx.get(f"{address}&as={subject}", verify=TLS)
    assert shown.status_code == 302, shown.text
    parts = urlsplit(shown.headers["Location"])
    assert f"{parts.scheme}://{parts.netloc}" == "http://testserver"
    return f"{parts.path}?{parts.query}"


def comes_back(client: Client, subject: str = "ann-1", **how: Any) -> Any:
    """Go to the provider, log in there and return the room's answer to the way back."""
    return client.get(answer_of(goes(client, **how), subject))


def joined(client: Client, name: str = "Ann", **how: Any) -> User:
    """Sign up by the provider."""
    assert comes_back(client, **how).headers["Location"] == NAME
    assert client.post(NAME, {"name": name}).status_code == 302
    return User.objects.get(name=name)


def words(answer: Any) -> str:
    return str(answer.content.decode())


def rows() -> tuple[int, int, int]:
    return User.objects.count(), LinkedLogin.objects.count(), EmailAddress.objects.count()
