"""Client address of a request or socket, and the source under which limits count it."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from django.conf import settings

UNKNOWN = "unknown"
"""The source of a client without an address, for example on a Unix socket."""

_IPV6_PREFIX_BITS = 64


def seen_from(peer: str | None, forwarded: str) -> str | None:
    """Return the client's address: the peer, or behind PROXIES the one seen by the outermost proxy.

    Each proxy sets X-Forwarded-For, or appends its own peer. Values written by the client stand
    before all of these and are not read. A value that is no address counts for the proxy that sent
    it.
    """
    seen = [word.strip() for word in forwarded.split(",")]
    if not settings.PROXIES or seen == [""]:
        return peer
    try:
        return str(ip_address(_without_port(seen[-min(settings.PROXIES, len(seen))])))
    except ValueError:
        return peer


def _without_port(word: str) -> str:
    """Return a forwarded address without the port that some load balancers add to it."""
    if word.startswith("["):
        return word[1:].partition("]")[0]
    return word.partition(":")[0] if word.count(":") == 1 else word


def source_of(address: str | None) -> str:
    """Return the source an address is counted under: IPv4 unchanged, IPv6 as its /64 network.

    A provider gives a household a whole /64, so single IPv6 addresses cost an attacker nothing.
    """
    try:
        found = ip_address((address or "").partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        network = IPv6Network((int(found), _IPV6_PREFIX_BITS), strict=False)
        return str(network.network_address)
    return str(found)


def of_scope(scope: Mapping[str, Any]) -> str:
    """Return the source of an ASGI scope, HTTP or WebSocket."""
    client = scope.get("client")
    written = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    forwarded = b",".join(written).decode("latin-1")
    return source_of(seen_from(client[0] if client else None, forwarded))
