"""Ranks over sockets: asked with a stack, answered from a field that was read once for all."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import pytest
from redis import Redis

from accounts.users import bots
from accounts.users.signup import sign_up
from config import limits
from tables.gateway.streams import known_kinds
from tables.models import Seat
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Client, Site
from tests.tournaments.cast import STACK, offer, open_offer, started
from tournaments.models import Tournament
from tournaments.queries import field

__all__ = ["site"]

PASSWORD = "correct horse battery"
STACKS = (STACK + 500, STACK + 100, STACK + 100, STACK, STACK - 700)


class SlowField:
    """Field of the test kind `slow`: its readings wait until the test lets them go on."""

    average = 7

    def __init__(self) -> None:
        self.readings = 0
        self.may_go_on = asyncio.Event()
        self.fails = False

    def rank(self, chips: int, user: int | None) -> int:
        return chips + 1

    async def read(self, stream: str) -> SlowField:
        self.readings += 1
        await self.may_go_on.wait()
        if self.fails:
            raise ConnectionError("no server")
        return self


async def _state(stream: str, user: int | None) -> tuple[str, bytes]:
    return "0-1", b"{}"


@pytest.fixture
def slow(site: Site) -> SlowField:
    made = SlowField()
    known_kinds.register_snapshot("slow", _state, ranks=made.read)
    return made


@pytest.fixture
def running(house: Redis, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """A tournament with the stacks of STACKS, whose field is kept for a minute once it is read."""
    monkeypatch.setattr(limits, "STACKS_RECENT_MS", 60_000)
    field.forget_recent()
    made = started(len(STACKS))
    for seat, chips in zip(Seat.objects.order_by("pk"), STACKS, strict=True):
        Seat.objects.filter(pk=seat.pk).update(chips=chips)
    return made


def asked(client: Client, stream: str, chips: object) -> dict[str, Any]:
    """Answer to a question for a rank, without its type and stream."""
    client.say(type="ask_rank", stream=stream, chips=chips)
    told = client.expect("rank", stream=stream)
    return {name: told[name] for name in ("chips", "rank", "average")}


def refusal(client: Client, stream: str, chips: object = 1) -> str:
    """Code with which a question for a rank is refused."""
    client.say(type="ask_rank", stream=stream, chips=chips)
    return str(client.expect("refused")["code"])


def test_sockets_are_told_the_rank_that_the_page_of_the_field_has(
    site: Site, running: Tournament
) -> None:
    stream = f"tournament:{running.pk}"
    average = sum(STACKS) // len(STACKS)
    player, stranger = site.client(sign_up("onlooker", PASSWORD)), site.client()
    for client in (player, stranger):
        client.follow(stream)
        for chips, rank in zip(STACKS, (1, 2, 2, 4, 5), strict=True):
            told = asked(client, stream, chips)
            assert told == {"chips": chips, "rank": rank, "average": average}
    assert asked(stranger, stream, 0)["rank"] == len(STACKS) + 1


def test_the_own_stack_of_before_the_hand_is_nobody_above(site: Site, running: Tournament) -> None:
    """Of two players with equal stacks nobody is third, whatever the own one is by now."""
    stream, smallest = f"tournament:{running.pk}", len(STACKS)
    for seat, rank in zip(Seat.objects.order_by("pk"), (1, 2, 2, 4, 5), strict=True):
        client = site.client(seat.user)
        client.follow(stream)
        assert asked(client, stream, seat.chips)["rank"] == rank
        assert asked(client, stream, seat.chips - 1)["rank"] == rank + STACKS.count(seat.chips) - 1
        assert asked(client, stream, 0)["rank"] == smallest
        assert asked(client, stream, STACK + 501)["rank"] == 1


def test_a_field_is_read_once_for_all_who_ask_in_that_time(site: Site, running: Tournament) -> None:
    stream = f"tournament:{running.pk}"
    clients = [site.client() for _ in range(3)]
    for client in clients:
        client.follow(stream)
    assert asked(clients[0], stream, STACK)["rank"] == 4
    Seat.objects.update(chips=STACK - 1)
    assert [asked(client, stream, STACK)["rank"] for client in clients] == [4, 4, 4]
    field.forget_recent()
    site.ask(lambda gateway: gateway.ranks._readings.clear())
    assert asked(clients[1], stream, STACK)["rank"] == 1


def test_questions_without_a_field_are_refused(site: Site, house: Redis) -> None:
    client, ahead = site.client(bots.create(1)[0]), open_offer()
    stream, table = f"tournament:{ahead.pk}", f"table:{Seat.objects.count()}"
    assert refusal(client, stream) == "not_following"
    for known in (stream, "lobby"):
        client.follow(known)
        assert refusal(client, known) == "no_ranks"
    assert refusal(client, table) == "not_following"
    for chips in (-1, "12", None, 1.5, 2**60):
        assert refusal(client, stream, chips) == "bad_message"
    client.say(type="unsubscribe", stream=stream)
    assert refusal(client, stream) == "not_following"
    assert offer().state == "announced", "the room goes on"


def test_a_question_before_the_right_was_looked_up_tells_nothing(
    site: Site, slow: SlowField
) -> None:
    looked_up = asyncio.Event()

    async def guard(stream: str, users: Collection[int | None]) -> set[int] | None:
        await looked_up.wait()
        return set()

    known_kinds.register_snapshot("hidden", _state, ranks=slow.read, guard=guard)
    site.ask(lambda _: slow.may_go_on.set())
    client = site.client()
    client.say(type="subscribe", stream="hidden:1")
    assert refusal(client, "hidden:1") == "not_following"
    site.ask(lambda _: looked_up.set())
    assert client.expect("refused")["code"] == "no_such_stream"
    assert slow.readings == 0


def test_a_field_that_is_slow_to_read_holds_up_nothing_and_answers_the_last_question(
    site: Site, slow: SlowField
) -> None:
    first, second = site.client(), site.client()
    for client in (first, second):
        client.follow("slow:1")
    for chips in (10, 11, 12):
        first.say(type="ask_rank", stream="slow:1", chips=chips)
    second.say(type="ask_rank", stream="slow:1", chips=20)
    for client in (first, second):
        client.say(type="ping", sent_ms=1)
        client.expect("pong")
    site.ask(lambda _: slow.may_go_on.set())
    assert first.expect("rank")["rank"] == 13
    assert second.expect("rank")["rank"] == 21
    assert first.silent() and second.silent()
    assert slow.readings == 1


def test_a_field_that_cannot_be_read_is_told_and_asked_for_again(
    site: Site, slow: SlowField, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STACKS_RECENT_MS", 0)
    client = site.client()
    client.follow("slow:1")
    slow.fails = True
    site.ask(lambda _: slow.may_go_on.set())
    assert refusal(client, "slow:1") == "unavailable"
    slow.fails = False
    assert asked(client, "slow:1", 4) == {"chips": 4, "rank": 5, "average": 7}


def test_a_follower_that_has_left_is_told_nothing(site: Site, slow: SlowField) -> None:
    client = site.client()
    client.follow("slow:1")
    client.say(type="ask_rank", stream="slow:1", chips=3)
    client.say(type="unsubscribe", stream="slow:1")
    client.say(type="ping", sent_ms=1)
    client.expect("pong")
    site.ask(lambda _: slow.may_go_on.set())
    assert client.silent()
