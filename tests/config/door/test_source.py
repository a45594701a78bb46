"""Sources of addresses: IPv4 singly, IPv6 by /64, the client behind proxies."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from config.door.source import UNKNOWN, of_scope, source_of


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("127.0.0.2", "127.0.0.2"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
        ("", UNKNOWN),
        (None, UNKNOWN),
        ("somewhere", UNKNOWN),
    ],
)
def test_an_address_counts_for_its_source(address: str | None, source: str) -> None:
    assert source_of(address) == source


def _scope(peer: str, *forwarded: str) -> dict[str, Any]:
    headers = [(b"x-forwarded-for", written.encode()) for written in forwarded]
    return {"client": (peer, 1234), "headers": [(b"host", b"localhost"), *headers]}


def test_a_forwarded_address_counts_only_behind_proxies(settings: Settings) -> None:
    scope = _scope("10.0.0.1", "198.51.100.9, 2001:db8:1:2:3::7")
    assert of_scope(scope) == "10.0.0.1"
    settings.PROXIES = 1
    assert of_scope(scope) == "2001:db8:1:2::"
    settings.PROXIES = 2
    assert of_scope(scope) == "198.51.100.9"


@pytest.mark.parametrize(
    ("written", "source"),
    [
        ("203.0.113.7:51234", "203.0.113.7"),
        ("[2001:db8:1:2::7]:51234", "2001:db8:1:2::"),
        ("[2001:db8:1:2::7]", "2001:db8:1:2::"),
        ("2001:db8:1:2::7", "2001:db8:1:2::"),
        ("unknown", "10.0.0.1"),
        ("203.0.113.7:1:2", "10.0.0.1"),
        ("[", "10.0.0.1"),
    ],
)
def test_an_address_counts_without_the_port_that_a_load_balancer_adds(
    settings: Settings, written: str, source: str
) -> None:
    settings.PROXIES = 1
    assert of_scope(_scope("10.0.0.1", written)) == source


def test_several_headers_read_as_one_list(settings: Settings) -> None:
    settings.PROXIES = 1
    assert of_scope(_scope("10.0.0.1", "1.1.1.1", "203.0.113.7")) == "203.0.113.7"


def test_a_socket_without_a_peer_has_one_source_of_its_own() -> None:
    assert of_scope({"client": None, "headers": []}) == UNKNOWN
