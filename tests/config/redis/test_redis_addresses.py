"""Addresses of Redis: a cluster, Sentinels, what Celery is told, and refused ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from kombu.utils.url import parse_url

from config.redis import addresses
from tests.config.process.settings_process import settings_with


def test_one_server_is_taken_as_it_is() -> None:
    found = addresses.parse("rediss://:secret@here:6380/2?ssl_cert_reqs=required")
    assert (found.kind, found.mode) == ("single", "")
    assert addresses.celery_broker(found).url == found.url


def test_a_cluster_is_named_by_some_of_its_nodes() -> None:
    found = addresses.parse("redis+cluster://room:p%40ss@one:7000,[::1]:7001")
    assert (found.kind, found.mode, found.tls) == ("cluster", "cluster", False)
    assert found.hosts == (("one", 7000), ("::1", 7001))
    assert (found.username, found.password) == ("room", "p@ss")


def test_sentinels_name_the_master_of_a_service() -> None:
    found = addresses.parse("rediss+sentinel://:pass@a:1,b:2/bells/3?sentinel_password=word")
    assert (found.kind, found.service, found.database, found.tls) == ("sentinel", "bells", 3, True)
    broker = addresses.celery_broker(found)
    assert broker.url == "sentinel://:pass@a:1/3;sentinel://:pass@b:2/3"
    assert broker.options["master_name"] == "bells"
    assert broker.options["sentinel_kwargs"]["password"] == "word"
    # To the Sentinels and to the master that they name.
    assert broker.options["sentinel_kwargs"]["ssl"] is True
    assert broker.tls == {"ssl_cert_reqs": "required"}
    plain = addresses.celery_broker(addresses.parse("redis+sentinel://a:1/bells"))
    assert plain.options["sentinel_kwargs"]["ssl"] is False and plain.tls is None


def test_celery_reads_sentinels_with_signs_in_the_password_and_figures_as_hosts() -> None:
    found = addresses.parse("redis+sentinel://room:a%2Fb%3F%23@[fd00::1]:26379,two:26380/bells/3")
    assert found.password == "a/b?#"
    first, second = map(parse_url, addresses.celery_broker(found).url.split(";"))
    assert (first["hostname"], first["port"]) == ("fd00::1", 26379)
    assert (second["hostname"], second["port"]) == ("two", 26380)
    for one in (first, second):
        assert (one["userid"], one["password"], one["virtual_host"]) == ("room", "a/b?#", "3")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis+cluster://one:7000/3", "a cluster has no numbered databases"),
        ("redis+cluster://", "names no HOST:PORT"),
        ("redis+cluster://one", "is not ADDRESS:PORT"),
        ("redis+cluster://one:7000?db=3", "has options that nobody reads"),
        ("redis+sentinel://one:26379", "names no service"),
        ("redis+sentinel://one:26379/room/x", "which is no number"),
        ("memcached://one:1", "begins with memcached://"),
    ],
)
def test_a_wrong_address_stops_the_start(tmp_path: Path, url: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        addresses.parse(url)


def test_the_operator_reads_which_address_is_wrong(tmp_path: Path) -> None:
    done = settings_with(tmp_path, ROOM_REDIS_URL="redis+cluster://one:7000/3")
    assert done.returncode != 0
    assert "ROOM_REDIS_URL has /3, but a cluster has no numbered databases" in done.stderr
    done = settings_with(tmp_path, BROKER_URL="redis+cluster://one:7000")
    assert done.returncode != 0
    assert "BROKER_URL names a cluster, on which Celery has no queues" in done.stderr
