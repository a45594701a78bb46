"""Addresses of Redis: one server, a cluster, or a master that Sentinel names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from urllib.parse import SplitResult, parse_qsl, quote, unquote

from config import limits
from config.environment import host_and_port, split_url

Kind = Literal["single", "cluster", "sentinel"]

_KINDS: dict[str, Kind] = {
    "redis": "single",
    "rediss": "single",
    "redis+cluster": "cluster",
    "rediss+cluster": "cluster",
    "redis+sentinel": "sentinel",
    "rediss+sentinel": "sentinel",
}


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """Address of a Redis: its kind, its hosts, and the log-in that all of them share.

    Hosts are servers, of a cluster some of its nodes, or Sentinels, which know the master of
    `service`. For one server only `url` counts.
    """

    url: str
    kind: Kind
    hosts: tuple[tuple[str, int], ...] = ()
    username: str | None = None
    password: str | None = None
    tls: bool = False
    service: str = ""
    database: int = 0
    sentinel_password: str | None = None

    @property
    def mode(self) -> str:
        """Return how scripts tell a promoted replica: by "cluster", "sentinel", or "" for none."""
        return "" if self.kind == "single" else self.kind


class CeleryBroker(NamedTuple):
    """Address of a broker as Celery takes it, with its transport options and those of TLS.

    `tls` is None where the URL of one server says it, and without encryption.
    """

    url: str
    options: dict[str, Any]
    tls: dict[str, str] | None = None


def celery_broker(address: RedisAddress) -> CeleryBroker:
    """Return a broker for Celery: one server, or the master that Sentinel names."""
    if address.kind == "single":
        return CeleryBroker(address.url, {})
    user, password = (quote(word or "", safe="") for word in (address.username, address.password))
    urls = [
        f"sentinel://{user}:{password}@{f'[{host}]' if ':' in host else host}:{port}"
        f"/{address.database}"
        for host, port in address.hosts
    ]
    sentinel = {
        "password": address.sentinel_password,
        "socket_timeout": limits.READY_ANSWER_S,
        "socket_connect_timeout": limits.READY_ANSWER_S,
        "ssl": address.tls,
    }
    return CeleryBroker(
        ";".join(urls),
        {"master_name": address.service, "sentinel_kwargs": sentinel},
        {"ssl_cert_reqs": "required"} if address.tls else None,
    )


def parse(url: str) -> RedisAddress:
    """Return the address in a URL; raise ValueError with a sentence for the operator.

    redis://HOST:PORT/DATABASE, redis+cluster://HOST:PORT,HOST:PORT or
    redis+sentinel://HOST:PORT,HOST:PORT/SERVICE/DATABASE; rediss for TLS; USER:PASSWORD@ before the
    hosts. Sentinels with a password of their own: ?sentinel_password=.
    """
    parts = split_url(url)
    kind = _KINDS.get(parts.scheme)
    if kind is None:
        raise ValueError(
            f"begins with {parts.scheme or 'nothing'}://, not one of {', '.join(_KINDS)}"
        )
    if kind == "single":
        _verify_single(parts)
        return RedisAddress(url, kind)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    path = [unquote(part) for part in parts.path.split("/") if part]
    options = dict(parse_qsl(parts.query))
    sentinel_password = options.pop("sentinel_password", None)
    if options or (sentinel_password and kind != "sentinel"):
        raise ValueError(f"has options that nobody reads: {parts.query}")
    return RedisAddress(
        url=url,
        kind=kind,
        hosts=_hosts(hosts),
        username=unquote(user) or None,
        password=unquote(password) or None,
        tls=parts.scheme.startswith("rediss"),
        service=_service(path) if kind == "sentinel" else _no_database(path),
        database=_database(path),
        sentinel_password=sentinel_password,
    )


def _verify_single(parts: SplitResult) -> None:
    """Raise ValueError for what the client reads at its first command, or takes for nothing."""
    try:
        parts.port  # noqa: B018
    except ValueError:
        raise ValueError("has a port that is no number from 0 to 65535") from None
    if not (parts.path.strip("/") or "0").isdecimal():
        raise ValueError("has a database that is no number: redis://HOST:PORT/0")


def _hosts(text: str) -> tuple[tuple[str, int], ...]:
    found = tuple(host_and_port(host) for host in text.split(",") if host)
    if not found:
        raise ValueError("names no HOST:PORT")
    return found


def _service(path: list[str]) -> str:
    if not path or len(path) > 2:
        raise ValueError("names no service: redis+sentinel://HOST:PORT,HOST:PORT/SERVICE")
    return path[0]


def _no_database(path: list[str]) -> str:
    if path:
        raise ValueError(f"has /{path[0]}, but a cluster has no numbered databases: leave it out")
    return ""


def _database(path: list[str]) -> int:
    number = path[1] if len(path) == 2 else "0"
    if not number.isdecimal():
        raise ValueError(f"has database {number!r}, which is no number")
    return int(number)
