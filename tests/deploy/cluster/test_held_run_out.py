"""Every page and stream, for every kind of visitor, while a decided hand is being shown.

Two hands are held: one that knocks a player out of a tournament with two tables, and one that ends
a tournament. No page and no stream says more than before the cards went up; once the result was
shown, the same pages say it. A new route without an address here fails.
"""

from __future__ import annotations

import json
import re
import ssl
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, NamedTuple

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from deploy.processes import programs
from tables.bots.client.connection import Identity
from tables.gateway.streams.known_kinds import all_kinds
from tests.deploy.cluster import held_pages
from tests.deploy.cluster.held_pages import (
    OF_DEVICES,
    OF_THE_PROCESSES,
    OVERLAID,
    SITE,
    STREAMS,
    Hand,
)
from tests.deploy.cluster.living import Living
from tests.deploy.cluster.recorder import masked
from tests.web.puppets import Choice, Puppet, shove

# Everybody looks everywhere within the pauses of one hand: other rooms would take that time.
pytestmark = [pytest.mark.cluster, pytest.mark.alone]

FIRST = 6
"""The bots before this one play in other tests of the room."""

DELAY_MS = 1_000
"""Delay of the cards, less than an organiser may set: the hand alone holds them back."""

PAUSE_MS = 15_000
"""Of each street, until a first look was timed: the cards of a hand take four of them."""

MARGIN, MARGIN_S = 2.5, 6.0
"""Time of the cards, in first looks and seconds: everybody looks everywhere while they are shown.

The first look is as long as that one and no shorter, as it reads most templates for the first time.
"""

AT_ONCE = 6
TLS = ssl.create_default_context()
"""Reading the authorities takes 60 ms of processor time: once, not for each of 2,000 requests."""

BEATS = 4
"""Pauses of an all-in before the flop: before each street, and before the result."""

_COUNTED_DOWN = re.compile(r'"\w+_in_ms": \d+')
"""Times until the next level and break, which pass while the hand is held."""

WON = {"cards_shown", "mucked", "pot_awarded", "hand_ended"}
Looks = dict[tuple[str, str], str]
"""(visitor, address or stream) -> what he saw there."""


class Visitor(NamedTuple):
    """Somebody who looks; `session` and `user` are empty for who is not logged in.

    A program has a token instead, an overlay the text of its link.
    """

    name: str
    session: str = ""
    user: int = 0
    token: str = ""
    overlay: str = ""


class Held(NamedTuple):
    """Answers to all visitors before a hand was decided, while it was shown, and afterwards."""

    hand: Hand
    before: Looks
    while_shown: Looks
    after: Looks


class Stage:
    """A tournament whose players go all-in at the table and the time that the test names."""

    def __init__(self, living: Living, players: list[Identity], boss: str) -> None:
        self.living = living
        self.boss = boss
        self.asked = {one.user: threading.Event() for one in players}
        self.gates = {one.user: threading.Event() for one in players}
        self.over = threading.Event()
        self.puppets = [
            Puppet(living.layout.url, one, partial(self._choose, one.user)) for one in players
        ]
        fields = {
            "name": f"Held{len(players)}",
            "bounty": 5_00,
            "street_pause_ms": PAUSE_MS,
            "action_ms": 120_000,
            "bank_ms": 120_000,
            "hand_pause_ms": 500,
            "bubble_places": 0,
            "cards_up": "everybody",
        }
        seats = 2 if len(players) == 2 else 3
        self.tournament = living.offer(
            players=len(players), seats=seats, calm_ms=3_600_000, fields=fields
        )
        living.sql(
            "UPDATE tournaments_tournament SET cards_up_delay_ms = %s, cards_up_final_ms = %s"
            " WHERE id = %s RETURNING id",
            *(DELAY_MS, DELAY_MS, self.tournament),
        )
        self.token = self.overlay = ""

    def begin(self) -> None:
        """Seat everybody."""
        for puppet in self.puppets:
            puppet.register(self.tournament)
        tables = (len(self.puppets) + 2) // 3
        opened = partial(self.living.open_tables, self.tournament)
        self.living.wait(lambda: len(opened()) == tables, 30.0, "the tables are open")
        user = str(self._users(min(opened()))[0])
        told = self.living.operate("watchers", str(self.tournament), user)
        self.token, self.overlay = told.split()
        for puppet in self.puppets:
            puppet.start()

    def hold(self, *, everywhere: bool) -> Held:
        """Play hands at the first table until one knocks somebody out; what was seen around it.

        `everywhere`: every page of the admin, too.
        """
        for _ in range(8):
            held = self._one_hand(everywhere=everywhere)
            if self._left() < len(self.puppets):
                return held
        raise AssertionError("nobody went out in eight all-ins")

    def stop(self) -> None:
        """Send everybody home, and end what is still played."""
        self.over.set()
        for puppet in self.puppets:
            puppet.stop()
        if self.living.state_of(self.tournament) != "finished":
            self.living.operate("cancel", str(self.tournament))

    def _one_hand(self, *, everywhere: bool) -> Held:
        table = min(self.living.open_tables(self.tournament))
        users = self._users(table)
        asked = [self.asked[user] for user in users]
        self.living.wait(lambda: any(one.is_set() for one in asked), 30.0, "a turn")
        hand = self._hand(table, users[0])
        visitors = self._visitors(users)
        self.living.wait(self._is_quiet, 30.0, "facts of the field, and no hand told again")
        ways = held_pages.site(hand)
        staff = [*ways, *(held_pages.desk(self.living, hand) if everywhere else ())]
        look = partial(_look, self.living.layout.url, visitors, hand, ways, staff)
        began_s = time.monotonic()
        before = look()
        cards_s = MARGIN * (time.monotonic() - began_s) + MARGIN_S
        self.living.operate("street_pause", str(table), str(round(cards_s * 1_000 / BEATS)))
        for user in users:
            self.gates[user].set()
        self.living.wait(lambda: self._phase(table) == "run_out", 30.0, "the cards go up")
        shown = look()
        assert self._phase(table) == "run_out", "everybody looked before the last card"
        for user in users:
            self.gates[user].clear()
            self.asked[user].clear()
        self.living.wait(lambda: self._is_told(table, hand.number), 60.0, "the result is told")
        self.living.wait(lambda: self._is_retold(table, hand.number), 30.0, "the cards are told")
        return Held(hand, before, shown, look())

    def _choose(self, user: int, option: dict[str, Any]) -> Choice:
        self.asked[user].set()
        while not self.gates[user].wait(0.1):
            if self.over.is_set():
                return "fold", None
        return shove(option)

    def _users(self, table: int) -> list[int]:
        rows = self.living.sql("SELECT user_id FROM tables_seat WHERE table_id = %s", table)
        return sorted(user for (user,) in rows)

    def _hand(self, table: int, user: int) -> Hand:
        asked = "SELECT id FROM tournaments_entry WHERE tournament_id = %s AND user_id = %s"
        [(entry,)] = self.living.sql(asked, self.tournament, user)
        [state] = self.living.states([table])
        name = next(one.identity.name for one in self.puppets if one.identity.user == user)
        return Hand(self.tournament, table, state.hand_number, entry, name, self.overlay)

    def _visitors(self, users: list[int]) -> list[Visitor]:
        playing = [one.identity for one in self.puppets if one.identity.user in users]
        others = [one.identity for one in self.puppets if one.identity.user not in users]
        return [
            Visitor("anonymous"),
            *(Visitor(f"in the hand {n}", one.session, one.user) for n, one in enumerate(playing)),
            *(Visitor("at another table", one.session, one.user) for one in others[:1]),
            Visitor("staff", self.boss),
            Visitor("program", token=self.token),
            Visitor("overlay", overlay=self.overlay),
        ]

    def _phase(self, table: int) -> str:
        return "".join(state.phase for state in self.living.states([table]))

    def _left(self) -> int:
        asked = 'SELECT "left" FROM tournaments_tournament WHERE id = %s'
        return int(self.living.sql(asked, self.tournament)[0][0])

    def _is_quiet(self) -> bool:
        """Return whether all before this hand is told, and signed in the log of sealed decks."""
        telling = "SELECT count(*) FROM cardsup_retelling WHERE game = %s AND phase = 'telling'"
        facts = "SELECT count(*) FROM cardsup_delayedfacts WHERE stream = %s AND is_told"
        signed = "SELECT (SELECT count(*) FROM fairlog_logleaf) - max(size) FROM fairlog_logday"
        return self.living.sql(telling, self.tournament) == self.living.sql(signed) == [
            (0,)
        ] and any(self.living.sql(facts, f"field:{self.tournament}")[0])

    def _is_retold(self, table: int, number: int) -> bool:
        """Return whether both streams with cards begin to tell a hand again."""
        asked = "SELECT count(*) FROM cardsup_retelling WHERE stream IN (%s, %s) AND hand = %s"
        streams = (f"cardsup:{table}", f"featured:{self.tournament}")
        return self.living.sql(asked, *streams, number) == [(2,)]

    def _is_told(self, table: int, number: int) -> bool:
        settled = "SELECT count(*) FROM tables_hand WHERE table_id = %s AND number = %s"
        waiting = "SELECT count(*) FROM tournaments_announcement WHERE NOT published"
        return self.living.sql(settled, table, number) == [(1,)] and not any(
            self.living.sql(waiting)[0]
        )


@pytest.fixture(scope="module")
def retelling(living: Living) -> Iterator[Living]:
    """The living room with the process that tells hands again with their cards."""
    living.supervisor.start([programs.cards_up(living.layout)])
    yield living
    living.supervisor.retire("cardsup")


@pytest.fixture(scope="module", params=[4, 2], ids=["knock_out", "last_hand"])
def held(request: pytest.FixtureRequest, retelling: Living) -> Iterator[Held]:
    """A hand that knocks a player out of two tables, and one that ends a tournament."""
    living = retelling
    lines = living.sessions.read_text().splitlines()
    first = FIRST if request.param == 4 else FIRST + 4
    players = [Identity(**json.loads(line)) for line in lines[first : first + request.param]]
    boss = living.operate("staff", f"Held.Boss{request.param}")
    stage = Stage(living, players, boss)
    try:
        stage.begin()
        yield stage.hold(everywhere=request.param == 2)
    finally:
        stage.stop()


def test_every_route_and_stream_has_an_address_at_which_it_is_looked_at() -> None:
    names = {name for name, route in held_pages.routes() if not route.startswith("admin/")}
    assert names == {*SITE, *OF_THE_PROCESSES, *OF_DEVICES}
    assert {kind.prefix for kind in all_kinds()} == {*STREAMS}


@pytest.mark.rule("S-04")
def test_no_page_and_no_stream_tells_a_result_while_the_cards_are_shown(held: Held) -> None:
    assert len(held.while_shown) > 150
    early = {
        at: _difference(held.before[at], seen)
        for at, seen in held.while_shown.items()
        if not at[1].startswith("table:") and seen != held.before[at]
    }
    assert early == {}


def test_a_table_shows_its_cards_and_neither_winner_nor_chips_after_the_hand(held: Held) -> None:
    looked = [json.loads(seen) for at, seen in held.while_shown.items() if at[1][:6] == "table:"]
    assert len(looked) >= 4, "every visitor asked for it"
    for state in looked:
        assert not WON & {event["type"] for event in state["log"]}
        assert sum(pot["amount"] for pot in state["pots"]) == 6_000, "nobody won it yet"
        assert {seat["chips"] for seat in state["seats"] if seat["in_hand"]} == {0}


def test_pages_and_streams_tell_the_result_once_it_was_shown(held: Held) -> None:
    told = {at for at, seen in held.after.items() if seen != held.while_shown[at]}
    own, table = f"/tournaments/{held.hand.tournament}", f"/tables/{held.hand.table}"
    everybody = {
        *(f"{own}/?tab={tab}" for tab in ("overview", "players", "tables", "payouts", "bounties")),
        *(f"{own}/row/", f"{own}/clock/", f"{own}/results.csv", "/"),
        *(f"{table}/hands/", f"{table}/hands/{held.hand.number}/"),
        *(f"/players/?name={held.hand.name}", "lobby", f"tournament:{held.hand.tournament}"),
    }
    visitors = {name for name, _ in held.after}
    people = visitors - {"program", "overlay"}
    missing = {(who, way) for who in people for way in everybody} - told
    assert missing == set()
    assert {("staff", f"/organise/{held.hand.tournament}/")} <= told
    delayed = {f"cardsup:{held.hand.table}", f"featured:{held.hand.tournament}"}
    assert {(who, way) for who in people for way in delayed} <= told
    assert ("overlay", f"featured:{held.hand.tournament}") in told
    for way in (f"{own}/featured", f"{own}/hands", f"{table}/hands", "/hands", "/hands/export"):
        assert ("program", f"/api/v1{way}") in told, way
    for way in ("/wallet/", f"{own}/end/"):
        assert {who for who, told_way in told if told_way == way and "hand" in who}, way


def _look(
    url: str, visitors: list[Visitor], hand: Hand, ways: list[str], staff: list[str]
) -> Looks:
    """Ask for every address and stream as every visitor, side by side.

    Connections are used again, cookies are not: each request is that of its visitor alone.
    """
    nothing = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    with (
        httpx.Client(base_url=url, timeout=60, verify=TLS, cookies=nothing) as web,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        asked = {
            (one.name, way): pool.submit(_page, web, one, way)
            for one in visitors
            for way in _ways(one, hand, ways, staff)
        }
        for one in visitors:
            for stream in _streams(one):
                named = stream.format(**hand._asdict(), user=one.user)
                asked[one.name, named] = pool.submit(_snapshot, url, one, named)
        return {at: answer.result() for at, answer in asked.items()}


def _ways(one: Visitor, hand: Hand, ways: list[str], staff: list[str]) -> list[str]:
    if one.token:
        return held_pages.of_programs(hand)
    return [] if one.overlay else staff if one.name == "staff" else ways


def _streams(one: Visitor) -> list[str]:
    if one.token or one.overlay:
        return list(OVERLAID) if one.overlay else []
    everything = [stream for found in STREAMS.values() for stream in found]
    return [stream for stream in everything if one.user or not stream.startswith("user:")]


def _page(web: httpx.Client, one: Visitor, way: str) -> str:
    kind, _, path = way.rpartition(":")
    headers = {"Cookie": f"sessionid={one.session}"} if one.session else {}
    headers |= {"Authorization": f"Bearer {one.token}"} if one.token else {}
    headers |= {"HX-Request": "true"} if kind == "hx" else {}
    answer = web.get(path, headers=headers)
    return f"{answer.status_code} {answer.headers.get('Location', '')}\n{masked(path, answer.text)}"


def _snapshot(url: str, one: Visitor, stream: str) -> str:
    headers = {"Cookie": f"sessionid={one.session}"} if one.session else {}
    give_up_s = time.monotonic() + 60
    with connect(
        f"{url.replace('http', 'ws')}/ws/v1/{f'overlay/{one.overlay}/' if one.overlay else ''}",
        origin=Origin(url),
        additional_headers=headers,
    ) as socket:
        wish = {"watch": True} if stream.startswith("table:") else {}
        socket.send(json.dumps({"type": "subscribe", "stream": stream, **wish}))
        while time.monotonic() < give_up_s:
            message = json.loads(socket.recv(60))
            if message["type"] == "refused":  # the stream of a club that does not exist
                return f"refused {message['code']}"
            if message["type"] == "snapshot":
                state = json.dumps(message["state"], sort_keys=True)
                state = _COUNTED_DOWN.sub("", state) if stream.startswith("field:") else state
                return state if stream.startswith("table:") else masked(stream, state)
    raise AssertionError(f"no snapshot of {stream}")


def _difference(before: str, seen: str) -> str:
    """The first line that changed."""
    for old, new in zip(before.splitlines(), seen.splitlines(), strict=False):
        if old != new:
            return f"{old.strip()[:300]} -> {new.strip()[:300]}"
    return "another length"
