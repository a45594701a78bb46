"""Hosts and origins of the environment: what no page would ever be asked by stops the start."""

from __future__ import annotations

import pytest

from config.inputs import sites
from tests.config.process.settings_process import settings_alone


@pytest.mark.parametrize(
    "host", ["https://poker.example", "poker.example:8000", "poker.example/", "::1", "a b", "@x"]
)
def test_a_host_that_is_an_address_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match=r"ALLOWED_HOSTS has .*: write names and numbers of hosts"):
        sites.verified_hosts("ALLOWED_HOSTS", ["localhost", host])


def test_a_host_as_a_browser_names_it_is_taken() -> None:
    told = ["poker.example", "localhost", "192.168.1.5", "[::1]", ".club.example", "*"]
    assert sites.verified_hosts("ALLOWED_HOSTS", told) == told


@pytest.mark.parametrize(
    "origin", ["poker.example", "https://poker.example/", "ftp://poker.example", "https://", "*"]
)
def test_an_origin_that_no_browser_sends_is_refused(origin: str) -> None:
    with pytest.raises(ValueError, match=r"CSRF_TRUSTED_ORIGINS has .*: write https://HOST"):
        sites.verified_origins("CSRF_TRUSTED_ORIGINS", ["https://localhost", origin])


def test_an_origin_as_a_browser_sends_it_is_taken() -> None:
    told = [
        "https://poker.example",
        "http://127.0.0.1:8000",
        "http://[::1]:8000",
        "https://*.a.org",
    ]
    assert sites.verified_origins("CSRF_TRUSTED_ORIGINS", told) == told


@pytest.mark.parametrize("url", ["http://[::1]:8000", "https://poker.example"])
def test_the_host_of_an_address_is_one_that_pages_are_asked_by(url: str) -> None:
    host = sites.host_of(url)
    assert sites.verified_hosts("ALLOWED_HOSTS", [host]) == [host]
    assert host in url


def test_an_address_among_the_hosts_stops_the_start_of_a_process(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    told = "https://poker.example"
    done = settings_alone(tmp_path_factory.mktemp("room"), PUBLIC_URL=told, ALLOWED_HOSTS=told)
    assert done.returncode != 0
    assert f"ValueError: ALLOWED_HOSTS has {told!r}" in done.stderr
