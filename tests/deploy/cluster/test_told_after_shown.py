"""Every event and page around called all-ins: no result before the run-out was shown.

Four players at two tables play a satellite with bounties to its end. Busts, bounties, prizes,
tickets, moves and counts must not appear on any stream or page, of any table, before the run-out
that decided them has been shown.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import pytest

from tables.bots.client.connection import Identity
from tests.deploy.cluster.living import Living
from tests.deploy.cluster.recorder import Heard, Listener, Looker, Seen
from tests.redis_answers import events_of
from tests.web.puppets import Choice, Puppet, shove

pytestmark = [pytest.mark.cluster]

PLAYERS = 4
PAUSE_MS = 1_500
STREETS = 3
RUN_OUT_MS = PAUSE_MS * (STREETS + 1)
RESULT = {"cards_shown", "mucked", "pot_awarded", "hand_ended"}
MONEY = ["/wallet/", "/wallet/balance/", "/tickets/"]
CONSEQUENCES = {
    *("bounty_won", "player_out", "moved", "final_table", "finished", "tournament_summary"),
    *("bounty", "knocked_out", "prize", "ticket_issued", "seat_left", "table_closed"),
}


class Stage:
    """Satellite of four at two tables, with scripted players and all listeners."""

    def __init__(self, living: Living) -> None:
        self.living = living
        self.url = living.layout.url
        self.held = threading.Event()
        lines = living.sessions.read_text().splitlines()[:PLAYERS]
        self.puppets = [
            Puppet(self.url, Identity(**json.loads(line)), partial(self._choose, number))
            for number, line in enumerate(lines)
        ]
        self.first: set[int] = set()
        self.tournament = self._offer()
        self.staff = living.operate("staff", "Told.Boss")
        self.listeners: list[Listener] = []
        self.lookers: list[Looker] = []

    def _offer(self) -> int:
        target = {"methods": "money_and_tickets", "activity": "main", "buy_in": 30_00, "fee": 3_00}
        main = self.living.offer(players=9, seats=9, calm_ms=600_000, fields=target)
        fields = {
            "name": "Told",
            "format": "satellite",
            "target": main,
            "bounty": 5_00,
            "street_pause_ms": PAUSE_MS,
            "action_ms": 120_000,
            "hand_pause_ms": 500,
            "bubble_places": 0,
            "bubble_final": 0,
        }
        return self.living.offer(players=PLAYERS, seats=3, calm_ms=600_000, fields=fields)

    def begin(self) -> None:
        """Seat all players, then listen and poll everywhere; no player acts before that is
        complete.
        """
        for puppet in self.puppets:
            puppet.register(self.tournament)
        self.living.wait(lambda: len(self.tables()) == 2, 30.0, "two tables are open")
        asked = "SELECT user_id FROM tables_seat WHERE table_id = %s"
        first = {user for (user,) in self.living.sql(asked, self.tables()[0])}
        self.first = {at for at, one in enumerate(self.puppets) if one.identity.user in first}
        field = [f"tournament:{self.tournament}", "lobby"]
        field += [f"table:{table}" for table in self.tables()]
        for one in (puppet.identity for puppet in self.puppets):
            mine = [f"user:{one.user}", *field]
            self.listeners.append(Listener(one.name, self.url, one.session, mine))
        self.listeners.append(Listener("spectator", self.url, None, field))
        for number, one in enumerate(puppet.identity for puppet in self.puppets):
            pages = MONEY if number else [*MONEY, *self._pages()]
            self.lookers.append(Looker(one.name, self.url, one.session, pages))
        self.lookers.append(Looker("staff", self.url, self.staff, self._staff_pages()))
        for puppet in self.puppets:
            puppet.start()
        for listener in self.listeners:
            self._hears(listener)
        self.living.wait(self.looked, 60.0, "everybody looked")

    def _hears(self, listener: Listener) -> None:
        self.living.wait(lambda: len(listener.known) >= 4, 30.0, f"{listener.name} hears")

    def play(self) -> None:
        """Let all players go all-in until one is left, and poll once more."""
        self.held.set()
        self.living.wait(self._is_over, 240.0, "it is over")
        ended_ms = time.time() * 1_000
        self.living.wait(lambda: self.looked(ended_ms), 60.0, "everybody looked again")

    def stop(self) -> None:
        """Stop all players, listeners and pollers."""
        self.held.set()
        running: list[Puppet | Listener | Looker] = [*self.puppets, *self.listeners, *self.lookers]
        for one in running:
            one.stop()

    def heard(self) -> list[Heard]:
        """Return all received events in order."""
        every = [heard for listener in self.listeners for heard in listener.heard]
        return sorted(every, key=lambda heard: heard.at_ms)

    def tables(self) -> list[int]:
        """Return the open tables."""
        return sorted(self.living.open_tables(self.tournament))

    def looked(self, since_ms: float = 0.0) -> bool:
        """Return whether every poller received all pages since a moment."""
        return all(looker.rounds_since(since_ms) >= 1 for looker in self.lookers)

    def _is_over(self) -> bool:
        return self.living.state_of(self.tournament) == "finished"

    def _choose(self, number: int, option: dict[str, Any]) -> Choice:
        """Choose all-in after all pages were seen in this hand; the second table after
        the first.
        """
        self.held.wait()
        asked_ms = time.time() * 1_000
        for _ in range(900):
            if self.looked(asked_ms) and (number in self.first or self._left() < PLAYERS):
                break
            time.sleep(0.1)
        return shove(option)

    def _left(self) -> int:
        asked = 'SELECT "left" FROM tournaments_tournament WHERE id = %s'
        return int(self.living.sql(asked, self.tournament)[0][0])

    def _pages(self) -> list[str]:
        own = f"/tournaments/{self.tournament}"
        tabs = ("overview", "players", "tables", "payouts", "bounties")
        return [
            *("/", *(f"{own}/?tab={tab}" for tab in tabs)),
            *(f"{own}/row/", f"{own}/seat/", f"{own}/clock/", f"{own}/results.csv"),
            *(f"/tables/{table}/hands/" for table in self.tables()),
        ]

    def _staff_pages(self) -> list[str]:
        admin = "/admin/tournaments"
        return [
            f"/admin/live/?tournament={self.tournament}",
            *(f"{admin}/{name}/?o=-1" for name in ("entry", "knockout", "announcement", "ticket")),
            *("/admin/accounts/posting/", "/admin/tables/hand/", "/admin/tables/seat/"),
            f"{admin}/tournament/{self.tournament}/change/",
        ]


@pytest.fixture(scope="module")
def stage(living: Living) -> Iterator[Stage]:
    made = Stage(living)
    try:
        made.begin()
        made.play()
        yield made
    finally:
        made.stop()


class RunOut(NamedTuple):
    """Run-out on a table's stream: time of its first event, and time of its release."""

    stream: str
    began_ms: float
    streets_ms: list[int]
    released_ms: float


@pytest.mark.rule("S-04")
def test_nobody_hears_of_a_result_before_it_was_shown(stage: Stage) -> None:
    heard = stage.heard()
    run_outs = _run_outs(heard)
    sys.stdout.write(_record(heard, run_outs[-1]))
    assert len(run_outs) >= 3, "three run-outs, one for each bust"
    for one in run_outs:
        within = [some for some in heard if one.began_ms < some.at_ms < one.released_ms]
        early = [some for some in within if some.stream != one.stream or some.kind in RESULT]
        assert [(round(e.at_ms - one.began_ms), e.stream, e.kind) for e in early] == []


def test_each_street_has_its_time_and_the_result_comes_before_what_follows(stage: Stage) -> None:
    heard = stage.heard()
    for one in _run_outs(heard):
        assert len(one.streets_ms) == STREETS
        for listener in stage.listeners:
            after = [
                some
                for some in heard
                if some.listener == listener.name and some.at_ms >= one.began_ms
            ]
            shown = [some for some in after if some.stream == one.stream]
            ended = after.index(next(some for some in shown if some.kind == "hand_ended"))
            streets = [some.at_ms for some in after[:ended] if some.kind == "street_dealt"]
            assert all(at >= due for at, due in zip(streets, one.streets_ms, strict=True))
            first = next(at for at, some in enumerate(after) if some.kind in CONSEQUENCES)
            assert first > ended, listener.name


def test_everything_is_told_once_it_was_shown(stage: Stage) -> None:
    assert {one.kind for one in stage.heard()} >= CONSEQUENCES


def test_no_page_shows_a_result_before_it_was_shown(stage: Stage) -> None:
    compared = 0
    heard = stage.heard()
    for one in _run_outs(heard):
        # A page older than the last event before the run-out, as a lobby's, may differ by that one.
        others = [some.at_ms for some in heard if some.stream != one.stream]
        known_ms = max((at_ms for at_ms in others if at_ms <= one.began_ms), default=0.0)
        for looker in stage.lookers:
            for seen in looker.seen:
                if seen.asked_ms < one.began_ms or seen.at_ms > one.released_ms:
                    continue
                before = [
                    old
                    for old in looker.seen
                    if old.path == seen.path
                    and old.asked_ms > known_ms
                    and old.at_ms < one.began_ms
                ]
                if not before:
                    continue
                assert _differs(before[-1], seen) == "", (looker.name, seen.path)
                compared += 1
    assert compared >= 30, "pages were polled during run-outs"


def test_pages_show_the_result_once_it_was_shown(stage: Stage) -> None:
    changed = {
        old.path
        for looker in stage.lookers
        for old in looker.seen
        if old.text != next(new for new in reversed(looker.seen) if new.path == old.path).text
    }
    own = f"/tournaments/{stage.tournament}"
    assert {"/", "/wallet/", "/tickets/", f"{own}/?tab=players", f"{own}/results.csv"} <= changed
    assert {f"{own}/seat/", f"{own}/clock/", "/admin/accounts/posting/"} <= changed


def test_each_hand_has_one_time_of_release_that_its_settlement_obeyed(stage: Stage) -> None:
    rows = stage.living.sql(
        "SELECT h.released_at, h.finished_at FROM tables_hand h JOIN tables_table t"
        " ON t.id = h.table_id WHERE t.game = %s ORDER BY h.id",
        stage.tournament,
    )
    assert all(released <= settled for released, settled in rows)
    plans = [one.event for one in stage.heard() if one.kind == "run_out_began"]
    told = {plan["released_at_ms"] for plan in plans}
    assert told <= {round(released.timestamp() * 1_000) for released, _ in rows}


@pytest.mark.alone
def test_killed_processes_neither_lose_nor_advance_what_is_to_be_told(living: Living) -> None:
    fields = {"street_pause_ms": PAUSE_MS, "action_ms": 120_000, "bounty": 5_00}
    tournament = living.offer(players=2, seats=2, calm_ms=600_000, fields=fields)
    lines = living.sessions.read_text().splitlines()[PLAYERS : PLAYERS + 2]
    puppets = [Puppet(living.layout.url, Identity(**json.loads(line)), shove) for line in lines]
    for puppet in puppets:
        puppet.register(tournament)
    living.wait(lambda: len(living.open_tables(tournament)) == 1, 30.0, "the table is open")
    [table] = living.open_tables(tournament)
    streams = [f"table:{table}", f"tournament:{tournament}"]
    spectator = Listener("spectator", living.layout.url, None, streams)
    try:
        living.wait(lambda: len(spectator.known) == 2, 30.0, "the spectator hears")
        for puppet in puppets:
            puppet.start()
        living.wait(lambda: _run_outs(spectator.heard), 60.0, "they are all-in")
        for name in ("web", "play0", "settle0"):
            living.kill(name)
        living.wait(lambda: living.state_of(tournament) == "finished", 90.0, "it is over")
        living.wait(lambda: _has_ended(spectator, table), 60.0, "the spectator is back")
    finally:
        spectator.stop()
        for puppet in puppets:
            puppet.stop()
    for one in _run_outs(spectator.heard):
        within = [some for some in spectator.heard if one.began_ms < some.at_ms < one.released_ms]
        early = [some for some in within if some.kind in RESULT or some.stream != one.stream]
        assert [some.kind for some in early] == []
        for state in spectator.states:
            if one.began_ms < state.at_ms < one.released_ms and state.stream == one.stream:
                shown = sum(at <= state.at_ms for at in one.streets_ms)
                assert len(state.event["board"]) <= (0, 3, 4, 5)[shown]
                assert sum(pot["amount"] for pot in state.event["pots"]) > 0, "not won yet"
    streams = [f"{{0}}:user:{puppet.identity.user}:events" for puppet in puppets]
    events = [json.loads(told) for stream in streams for told in events_of(living.room, stream)]
    kinds = [event["type"] for event in events if event.get("tournament") == tournament]
    assert kinds.count("knocked_out") == 1, "neither lost nor repeated"
    late = "SELECT count(*) FROM tournaments_announcement WHERE NOT published"
    assert living.sql(late) == [(0,)]


def _has_ended(listener: Listener, table: int) -> bool:
    """Return whether an event or a later snapshot says that a table is closed."""
    mine = [one for one in (*listener.heard, *listener.states) if one.stream == f"table:{table}"]
    return any(one.kind == "table_closed" or one.event.get("closed") for one in mine)


def _run_outs(heard: list[Heard]) -> list[RunOut]:
    """Return the run-outs before the flop, each from its first received event."""
    began: dict[tuple[str, str], float] = {}
    for one in heard:
        if one.kind == "hands_revealed":
            began.setdefault((one.stream, one.event["id"]), one.at_ms)
    plans = {(one.stream, one.event["id"]): one.event for one in heard}
    found = []
    for (stream, event_id), at_ms in began.items():
        epoch, number = event_id.split("-")
        plan = plans.get((stream, f"{epoch}-{int(number) + 1}"), {})
        streets = [street["at_ms"] for street in plan.get("streets", ())]
        released_ms = plan.get("released_at_ms", at_ms + RUN_OUT_MS)
        found.append(RunOut(stream, at_ms, streets, released_ms))
    return found


def _differs(before: Seen, seen: Seen) -> str:
    """Return the first changed line of a page; empty without one."""
    if (before.status, before.text) == (seen.status, seen.text):
        return ""
    for old, new in zip(before.text.splitlines(), seen.text.splitlines(), strict=False):
        if old != new:
            return f"{old.strip()[:300]} -> {new.strip()[:300]}"
    return "another length"


def _record(heard: list[Heard], run_out: RunOut) -> str:
    """Return each event's time on each stream, in ms after an all-in was turned face up."""
    first: dict[tuple[str, str, str], tuple[float, int]] = {}
    for one in heard:
        if one.at_ms >= run_out.began_ms:
            key = (one.stream, one.kind, one.event["id"])
            at_ms, count = first.get(key, (one.at_ms, 0))
            first[key] = (at_ms, count + 1)
    lines = [f"\nreleased {run_out.released_ms - run_out.began_ms:.0f} ms after hands up"]
    for (stream, kind, _), (at_ms, count) in first.items():
        after_ms = at_ms - run_out.began_ms
        lines.append(f"{after_ms:8.0f}  {stream:<14} {kind:<20} heard by {count}")
    return "\n".join(lines) + "\n"
