"""Addresses outside that may be called: public hosts over https, and networks the room allows.

A name is resolved once for each request, every address behind it is checked, and the connection
goes to a checked address: a name that changes between check and connection gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv6Address,
    ip_address,
    ip_network,
)
from threading import Lock
from typing import Any
from urllib.parse import SplitResult, urlsplit

from config import environment
from config.refusals import RuleRefusal
from config.refusals import marked as _

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

_CARRIERS = tuple(ip_network(carrier) for carrier in ("64:ff9b::/96", "::/96"))
"""IPv6 networks whose addresses stand for an IPv4 address (RFC 6052, RFC 4291)."""

_OWN_TRANSLATION = ip_network("64:ff9b:1::/48")
"""IPv6 network in which each site chooses where the IPv4 address stands (RFC 8215)."""

NAMES_AT_ONCE = 100
"""Names of all requests of a process that are looked up at once."""

PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class Target:
    """Checked goal of one request: the connection goes to `hosts` in their order."""

    secure: bool
    host: str
    port: int
    path: str
    hosts: tuple[str, ...]


def networks_of(name: str) -> list[str]:
    """Return the networks that the environment variable `name` lists; none by default.

    Raises ValueError with a sentence for the operator: at the first request it would be too late.
    """
    found = environment.words(name, "")
    for network in found:
        try:
            ip_network(network)
        except ValueError as wrong:
            raise ValueError(f"{name}: {wrong}; write 10.1.2.0/24") from wrong
    return found


def read(address: str) -> SplitResult:
    """Return a written address in its parts; raise RuleRefusal unless it may be called."""
    try:
        parts = urlsplit(address)
        port = parts.port
        _ascii_name(parts)
    except ValueError:
        raise _malformed() from None
    if parts.scheme not in PORTS or not parts.hostname or port == 0:
        raise _malformed()
    if any(character <= " " or character == "\x7f" for character in address):
        raise _malformed()
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise RuleRefusal(
            "outside_address_extra", _("The address may hold no user, password or fragment.")
        )
    return parts


def refuse_literal(address: str, networks: Sequence[str] = ()) -> None:
    """Raise RuleRefusal for an address in figures that is not allowed, before it is stored.

    `networks` are those allowed beside the public Internet, over http too.
    """
    parts = read(address)
    try:
        literal = ip_address(parts.hostname or "")
    except ValueError:
        return
    _allow([literal], networks, secure=parts.scheme == "https")


async def target(
    address: str, networks: Sequence[str] = (), resolve: Resolve | None = None
) -> Target:
    """Return the goal of a request; raise RuleRefusal when any address behind it is not allowed.

    Raises OSError when the name has no address.
    """
    parts = read(address)
    host, secure = _ascii_name(parts), parts.scheme == "https"
    port = parts.port or PORTS[parts.scheme]
    hosts = await (resolve or _resolve)(host, port)
    if not hosts:
        raise OSError(f"{host} has no address")
    _allow([ip_address(found) for found in hosts], networks, secure=secure)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(secure, host, port, path, tuple(hosts))


def is_public(address: Address) -> bool:
    """Return whether an address is one of the public Internet, in whatever form it is written."""
    if isinstance(address, IPv6Address):
        inner = _carried(address)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local or address in _OWN_TRANSLATION:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _carried(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for, if it does."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if any(address in carrier for carrier in _CARRIERS):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


def _ascii_name(parts: SplitResult) -> str:
    """Return the name as resolvers and certificates write it; raises ValueError for no name."""
    return (parts.hostname or "").encode("idna").decode()


def _allow(found: Iterable[Address], networks: Sequence[str], *, secure: bool) -> None:
    own = [ip_network(network) for network in networks]
    for address in found:
        if any(address.version == network.version and address in network for network in own):
            continue
        if not is_public(address):
            raise RuleRefusal(
                "outside_address_private",
                _("The address leads into a private network: %(address)s."),
                address=str(address),
            )
        if not secure:
            raise RuleRefusal("outside_address_plain", _("The address must begin with https://."))


async def _resolve(host: str, port: int) -> list[str]:
    # Nobody can end a lookup: one that is given up goes on, and the next request joins it.
    rows = await asyncio.shield(asyncio.wrap_future(_lookup(host, port)))
    # An address of a link carries its zone after a percent sign; no public address has one.
    return list(dict.fromkeys(str(row[4][0]).partition("%")[0] for row in rows))


def _lookup(host: str, port: int) -> Future[list[Any]]:
    """Return the lookup of a name that is in progress, else begin one.

    A name whose servers do not answer so holds one thread, and none of those that asyncio has for
    everything, a handful. Anybody may name such a name for a push.
    """
    with _lock:
        running = _lookups.get((host, port))
        if running is None:
            running = _threads.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
            _lookups[host, port] = running
            running.add_done_callback(lambda _: _lookups.pop((host, port), None))
        return running


_lock = Lock()
_lookups: dict[tuple[str, int], Future[list[Any]]] = {}
_threads = ThreadPoolExecutor(NAMES_AT_ONCE, "names")


def _malformed() -> RuleRefusal:
    return RuleRefusal("outside_address", _("Enter an address like https://example.org/path."))
