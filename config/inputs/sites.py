"""Names of the room's own sites in the environment, looked at before a page is asked for."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_HOST = re.compile(r"\*|\.?[^\s:/@,\[\]]+|\[[0-9A-Fa-f:.]+\]")
_ORIGIN = re.compile(r"https?://((\*\.)?[^\s:/@,\[\]]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


def host_of(url: str) -> str:
    """Return the host of an address as a browser names it: without a port, IPv6 in brackets."""
    host = urlsplit(url).hostname or "localhost"
    return f"[{host}]" if ":" in host else host


def verified_hosts(name: str, hosts: list[str]) -> list[str]:
    """Return the hosts that the variable `name` lists; raise ValueError for one of no page.

    An address in place of a name would match nothing, and every page would answer 400.
    """
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise ValueError(
                f"{name} has {host!r}: write names and numbers of hosts alone, without https:// and"
                " without a port, IPv6 in brackets"
            )
    return hosts


def verified_origins(name: str, origins: list[str]) -> list[str]:
    """Return the origins that the variable `name` lists; raise ValueError for one of no browser."""
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(f"{name} has {origin!r}: write https://HOST, or http://HOST:PORT")
    return origins
