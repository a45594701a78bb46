"""Secure contexts: addresses on which browsers offer passkeys, pushes and service workers."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from django.http import HttpRequest


def is_secure_context(request: HttpRequest) -> bool:
    """Return whether the browser takes the page for secure: https, or this very machine."""
    host = host_of(request)
    address = address_of(host)
    is_local = host == "localhost" or host.endswith(".localhost")
    return request.is_secure() or is_local or (address is not None and address.is_loopback)


def host_of(request: HttpRequest) -> str:
    """Return the host of a request without its port."""
    host = request.get_host()
    is_literal = host.endswith("]")
    return host if is_literal else host.rpartition(":")[0] or host


def address_of(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host spells in figures; None for a name."""
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None
