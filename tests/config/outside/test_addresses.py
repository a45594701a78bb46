"""Addresses outside: public ones only, in whatever form the others are written."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Sequence
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.outside import addresses
from config.outside.addresses import Target
from config.refusals import Refusal

PRIVATE = (
    *("127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.3.4", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"),
    *("::1", "::", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::a9fe:a9fe"),
    *("64:ff9b:1::7f00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1"),
    # 10.0.0.1 after 48 bits (RFC 6052, 2.2), and 8.8.8.8 in the bits that a translator ignores.
    "64:ff9b:1:a00:0:100:808:808",
)
PUBLIC = ("93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:8.8.8.8")


def reached(address: str, *found: str, networks: Sequence[str] = ()) -> Target:
    """The goal of an address whose name leads to these addresses."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        return found

    return asyncio.run(addresses.target(address, networks, resolve))


@pytest.mark.parametrize("written", PRIVATE)
def test_a_private_address_is_refused_as_figures_and_behind_a_name(written: str) -> None:
    shown = f"[{written}]" if ":" in written else written
    for address in (f"https://{shown}/x", f"http://{shown}:8080/x"):
        with pytest.raises(Refusal) as refused:
            addresses.refuse_literal(address)
        assert refused.value.code == "outside_address_private"
    with pytest.raises(Refusal) as refused:
        reached("https://innocent.example/", "8.8.8.8", written)
    assert refused.value.code == "outside_address_private"
    assert str(ip_address(written)) in str(refused.value)


@pytest.mark.parametrize("written", PUBLIC)
def test_a_public_address_is_reached_over_https_alone(written: str) -> None:
    target = reached("https://example.org/a/b?c=d", written)
    assert target == Target(True, "example.org", 443, "/a/b?c=d", (written,))
    with pytest.raises(Refusal) as refused:
        reached("http://example.org/", written)
    assert refused.value.code == "outside_address_plain"


def test_a_name_beyond_ascii_is_asked_for_as_the_resolver_writes_it() -> None:
    assert reached("https://bücher.example/", "8.8.8.8").host == "xn--bcher-kva.example"


@given(st.integers(0, 2**32 - 1))
def test_an_ipv4_address_is_as_public_in_every_ipv6_form(number: int) -> None:
    plain = addresses.is_public(ip_address(number))
    for prefix in ("::ffff:0:0", "64:ff9b::", "::"):
        within = ip_address(int(ip_address(prefix)) | number)
        assert addresses.is_public(within) is plain, within
    sixtofour = ip_address((0x2002 << 112) | (number << 80))
    assert addresses.is_public(sixtofour) is plain


@pytest.mark.parametrize(
    ("address", "code"),
    [
        *((given, "outside_address") for given in ("", "x", "ftp://a.example/", "https://", "//a")),
        *(
            (given, "outside_address")
            for given in ("https://a:99999/", "https://a:0/", "https://[/")
        ),
        *(
            (given, "outside_address")
            for given in ("https://a.example/x\r\nHost: b", "https://a b/")
        ),
        *(
            (f"https://{given}/", "outside_address")
            for given in ("a..example", ".example", f"{'a' * 64}.example", "a\u0080.example")
        ),
        ("https://user:word@a.example/", "outside_address_extra"),
        ("https://a.example/#part", "outside_address_extra"),
    ],
)
def test_a_malformed_address_is_refused(address: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        addresses.read(address)
    assert refused.value.code == code


def test_the_room_allows_networks_of_its_own() -> None:
    own = ["10.1.2.0/24", "fd00::/64"]
    assert reached("http://hooks.local:8080/x", "10.1.2.3", networks=own).port == 8080
    assert reached("https://hooks.local/x", "fd00::9", networks=own).hosts == ("fd00::9",)
    for outside in ("10.1.3.1", "127.0.0.1", "fd00:0:0:1::1"):
        with pytest.raises(Refusal):
            reached("https://hooks.local/x", outside, networks=own)


def test_a_name_without_address_is_an_error_of_the_network() -> None:
    with pytest.raises(OSError, match="has no address"):
        reached("https://nowhere.example/")


async def test_names_that_are_not_answered_hold_up_no_other_name_and_no_other_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    is_over = threading.Event()

    def look_up(host: str, port: int, **_: object) -> list[object]:
        asked.append(host)
        if host.startswith("hanging") and is_over.wait(30):
            raise socket.gaierror(socket.EAI_AGAIN, "no server answers")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("8.8.8.8", port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    names = [f"https://hanging{number % 40}.example/" for number in range(80)]
    waiting = [asyncio.create_task(addresses.target(name)) for name in names]
    try:
        await asyncio.sleep(0)
        waiting[0].cancel()
        async with asyncio.timeout(10):
            assert (await addresses.target("https://other.example/")).hosts == ("8.8.8.8",)
            assert await asyncio.get_running_loop().run_in_executor(None, len, "mail") == 4
        assert asked.count("hanging0.example") == 1
    finally:
        is_over.set()
        ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(one) for one in ended[1:]} == {socket.gaierror}
    assert not addresses._lookups
