"""Bots at ring tables: amounts, top-ups, straddles, waiting lists, leaving."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from room_client.messages.commands import Subscribe, Unsubscribe
from room_client.messages.streams import ClientMessage
from tables.bots.bot import Bot, Todo
from tables.bots.client.connection import Identity
from tables.bots.errands import Body
from tables.bots.habits import Habits
from tables.bots.ring import floor, rows, stays
from tables.bots.ring.floor import RingFloor
from tables.bots.ring.rows import RingGameRow, RingRows, RingStay
from tables.bots.ring.seat import HeldRingSeat
from tables.bots.tally import Tally
from tables.bots.watch import TableWatch
from tables.engine.actions import Call, Check
from tables.engine.begin import begin, begun
from tables.engine.betting import legal_actions
from tables.engine.decide import played
from tables.engine.events import HandEnded, Options, Rake, Stakes
from tables.engine.state import HandSetup, Player, Positions, Rules
from tables.engine.variants import VARIANTS
from tables.engine.visibility import view
from tables.management.commands.swarm import _share
from tables.wire.table_events import SeatLeft
from tests.tables import stages
from tests.tables.client_side import heard
from tests.tables.whole_state import snapshot

GAME = RingGameRow(game=3, buy_in_min=2_000, buy_in_max=10_000, free=2)
STAY = RingStay(session=40, game=3, table=7)


@pytest.mark.rule("R-01")
@pytest.mark.parametrize(("least", "most"), [(2_000, 10_000), (10_000, 10_000), (1, 9), (333, 999)])
def test_a_bot_buys_in_within_the_limits_of_the_table(least: int, most: int) -> None:
    game = RingGameRow(game=3, buy_in_min=least, buy_in_max=most, free=1)
    amounts = {stays.buy_in(game, random.Random(seed)) for seed in range(200)}
    assert least <= min(amounts) and max(amounts) <= most
    assert len(amounts) > 1 or least == most


@pytest.mark.rule("R-01")
def test_a_bot_sits_where_seats_stay_free_for_people() -> None:
    chance, habits = random.Random(1), Habits()
    assert stays.choose_game([GAME], 1, habits, chance) is GAME
    assert stays.choose_game([GAME], 2, habits, chance) is None
    unopened = msgspec.structs.replace(GAME, free=7, spare=6)
    assert stays.choose_game([unopened], 1, habits, chance) is None
    private = msgspec.structs.replace(GAME, private=True)
    closing = msgspec.structs.replace(GAME, state="closing")
    of_a_club = msgspec.structs.replace(GAME, club=5)
    assert stays.choose_game([private, closing, of_a_club], 0, habits, chance) is None
    known = Habits(password="sesame")
    assert stays.choose_game([private], 0, known, chance) is private
    assert stays.sit_wish(private, known, chance)["password"] == "sesame"


@pytest.mark.rule("R-01")
def test_a_bot_joins_the_waiting_list_of_a_full_game() -> None:
    full = msgspec.structs.replace(GAME, free=0)
    chance = random.Random(1)
    assert stays.choose_wait([GAME], Habits(waits=100), chance) is None
    assert stays.choose_wait([full], Habits(waits=100), chance) is full
    assert stays.choose_wait([full], Habits(waits=0), chance) is None


@pytest.mark.rule("H-09")
def test_a_bot_straddles_only_where_the_table_allows_it() -> None:
    always = Habits(straddles=100, posts=100, fills_up=100)

    def asked(game: RingGameRow) -> list[str]:
        posts = stays.arrived(game, STAY, random.Random(1), "fast", always)
        assert all(post.path == "/ring-sessions/40/choices" and post.body["on"] for post in posts)
        return [str(post.body["choice"]) for post in posts]

    assert asked(msgspec.structs.replace(GAME, straddle=True)) == ["straddle", "post", "auto"]
    assert asked(GAME) == ["post", "auto"]
    assert asked(msgspec.structs.replace(GAME, buy_in_min=10_000)) == ["post"]


@pytest.mark.rule("R-01")
def test_a_bot_tops_up_buys_again_or_leaves_after_a_hand() -> None:
    def done(chips: int, **habits: int) -> list[tuple[str, str, Body]]:
        wanted = Habits(**({"moves_on": 0, "tops_up": 100, "buys": 100} | habits))  # type: ignore[arg-type]
        found = stays.after_ring_hand(GAME, STAY, chips, random.Random(1), "fast", wanted)
        return [(post.method, post.path, post.body) for post in found]

    assert done(10_001) == done(5_001) == []
    assert done(4_000) == [("POST", "/ring-sessions/40/top-ups", {"amount": 6_000})]
    assert done(4_000, moves_on=100) == [("DELETE", "/ring-sessions/40", {})]
    [(_, path, body)] = done(0)
    assert path == "/ring-sessions/40/top-ups" and body["amount"] in range(2_000, 10_001)
    assert done(0, buys=0) == [("DELETE", "/ring-sessions/40", {})]


@pytest.mark.parametrize("text", ["-1", "101%", "half", "", "5.5", "%"])
def test_a_share_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Exception, match="neither a number of bots nor a share"):
        _share(text)


def _bot() -> Bot:
    return Bot(1, chance=random.Random(1), pace="fast", tally=Tally(), habits=Habits(moves_on=100))


def _sits_nowhere(bot: Bot) -> bool:
    return bot.sits_nowhere


def _told(bot: Bot, kind: str, **fields: object) -> Todo:
    line = msgspec.json.encode({"type": kind, "stream": "table:7", **fields})
    return bot.received(line, 0.0)


def test_a_bot_forgets_a_ring_seat_that_is_gone_after_a_cut() -> None:
    bot = _bot()
    assert bot.sit_at_ring(GAME, STAY) == [Subscribe("table:7")]
    assert bot.sit_at_ring(GAME, STAY) == [], "it follows the table already"
    empty: Any = msgspec.to_builtins(snapshot(stages.empty(2), 1))
    seat = {"seat": 1, "entry": 10**12, "user": 1, "name": "bot", "chips": 500}
    _told(bot, "snapshot", id="1-0", state=empty)
    assert bot.ring_seat == HeldRingSeat(GAME, STAY), "the seat arrives at the next boundary"
    _told(bot, "snapshot", id="1-1", state=empty | {"seats": [seat]})
    assert bot.ring_seat == HeldRingSeat(GAME, STAY)
    left = _told(bot, "snapshot", id="1-2", state=empty)
    assert left.send == [Unsubscribe("table:7")] and bot.ring_seat is None


@pytest.mark.rule("R-03")
def test_a_bot_goes_from_hand_to_hand_of_a_rapid_pool() -> None:
    bot, pool = _bot(), msgspec.structs.replace(GAME, rapid=True, pool_min=4)
    between = msgspec.structs.replace(STAY, table=None)
    assert bot.sit_at_ring(pool, between) == [] and _sits_nowhere(bot)
    assert _dealt_in(bot, 7) == [Subscribe("table:7")]
    empty: Any = msgspec.to_builtins(snapshot(stages.empty(2), 1))
    seat = {"seat": 1, "entry": 10**12, "user": 1, "name": "bot", "chips": 500}
    _told(bot, "snapshot", id="1-0", state=empty | {"seats": [seat]})
    assert not _sits_nowhere(bot)
    assert _dealt_in(bot, 7) == [], "the next hand may be at the same table"
    assert _dealt_in(bot, 8) == [Unsubscribe("table:7"), Subscribe("table:8")]
    assert bot.ring_seat == HeldRingSeat(pool, msgspec.structs.replace(STAY, table=8))
    assert _sits_nowhere(bot), "its seat is not seen yet"


@pytest.mark.rule("R-03")
def test_small_pools_are_joined_first_and_never_waited_for() -> None:
    pool = msgspec.structs.replace(GAME, game=5, rapid=True, free=0, players=4, pool_min=4)
    chance = random.Random(1)
    assert stays.choose_game([GAME, pool], 0, Habits(), chance) is pool
    large = msgspec.structs.replace(pool, players=9)
    assert stays.choose_game([large, GAME], 0, Habits(), chance) is GAME
    assert stays.choose_wait([pool], Habits(waits=100), chance) is None
    posts = stays.arrived(pool, STAY, chance, "fast", Habits(straddles=100, posts=100, fills_up=0))
    assert posts == []


def _dealt_in(bot: Bot, table: int) -> list[ClientMessage]:
    event = {"id": "0-1", "type": "rapid_dealt_in", "game": 3, "table": table, "seat": 1}
    line = {"type": "events", "stream": "user:1", "events": [event]}
    return bot.received(msgspec.json.encode(line), 0.0).send


def test_a_bot_is_free_again_when_it_left_the_table() -> None:
    bot = _bot()
    bot.sit_at_ring(GAME, STAY)
    state: Any = msgspec.to_builtins(snapshot(stages.empty(2), 1))
    seat = {"seat": 1, "entry": 10**12, "user": 1, "name": "bot", "chips": 500}
    _told(bot, "snapshot", id="1-0", state=state | {"seats": [seat]})
    event = SeatLeft(seat=1, entry=10**12, reason="left")
    _told(bot, "events", events=[{"id": "1-1", **msgspec.to_builtins(event)}])
    assert bot.ring_seat is None and bot.tables == {}


class _Room:
    """Addresses of a room in memory: answers by path, and the requests that were posted."""

    def __init__(self, seen: list[RingRows], *answers: dict[str, Any]) -> None:
        self.seen, self.answers = seen, list(answers)
        self.posted: list[tuple[str, Body]] = []

    async def get(self, _: Identity, path: str) -> dict[str, Any]:
        assert path == rows.PATH
        found: dict[str, Any] = msgspec.to_builtins(self.seen.pop(0))
        return found

    async def post(self, _: Identity, path: str, body: Body) -> dict[str, Any]:
        self.posted.append((path, body))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def _visit(room: _Room, habits: Habits, tally: Tally) -> tuple[Bot, list[ClientMessage]]:
    """Let one bot visit the ring games once."""
    bot, said = _bot(), list[ClientMessage]()
    identity = Identity(1, "bot-1", "key")
    ring = _floor(room, [(identity, bot)], habits, tally, said)
    asyncio.run(ring._visit(identity, bot))
    return bot, said


def _floor(
    room: _Room,
    bots: list[tuple[Identity, Bot]],
    habits: Habits,
    tally: Tally,
    said: list[ClientMessage],
) -> RingFloor:
    return RingFloor(
        room,  # type: ignore[arg-type]
        bots,
        lambda _, messages: said.extend(messages),
        habits=habits,
        leave_seats=0,
        seed=1,
        tally=tally,
    )


@pytest.mark.rule("R-01")
def test_a_bot_takes_a_seat_and_follows_its_table() -> None:
    tally = Tally()
    room = _Room([RingRows((GAME,)), RingRows((GAME,), (STAY,))], {"ok": True})
    bot, said = _visit(room, Habits(posts=0, fills_up=0), tally)
    [(path, body)] = room.posted
    assert path == "/ring-games/3/sessions" and body["amount"] in range(2_000, 10_001)
    assert bot.ring_seat == HeldRingSeat(GAME, STAY) and said == [Subscribe("table:7")]
    assert tally.counts["ring_sit"] == tally.counts["ring_sessions"] == 1


@pytest.mark.rule("A-03")
@pytest.mark.parametrize("code", ["return_too_small", "buy_in_exact"])
def test_a_bot_comes_back_with_what_it_left_with(code: str) -> None:
    tally = Tally()
    refused = {"ok": False, "code": code, "allowed": {"least": 12_345, "most": 12_345}}
    room = _Room([RingRows((GAME,)), RingRows((GAME,), (STAY,))], refused, {"ok": True})
    bot, _ = _visit(room, Habits(posts=0, fills_up=0), tally)
    assert [body["amount"] for _, body in room.posted][1:] == [12_345]
    assert bot.ring_seat is not None and not tally.refused


@pytest.mark.rule("R-01")
def test_a_bot_waits_for_a_full_game_and_takes_the_offered_seat() -> None:
    full = msgspec.structs.replace(GAME, free=0)
    waits = _Room([RingRows((full,))], {"ok": True})
    bot, _ = _visit(waits, Habits(waits=100), Tally())
    assert waits.posted == [("/ring-games/3/waiting", {})] and bot.ring_seat is None
    again = _Room([RingRows((full,), waiting=(3,))], {"ok": True})
    _visit(again, Habits(waits=100), Tally())
    assert again.posted == [], "it waits already"
    offer = rows.RingSeatOfferRow(offer=9, game=3)
    offered = _Room([RingRows((full,), offers=(offer,)), RingRows((full,), (STAY,))], {"ok": True})
    bot, _ = _visit(offered, Habits(buys=100, posts=0, fills_up=0), Tally())
    assert [path for path, _ in offered.posted] == ["/ring-offers/9/sessions"]
    unnamed = _Room([RingRows((full,), offers=(replace(offer, game=8),), waiting=(8,))])
    _visit(unnamed, Habits(buys=100, waits=100), Tally())
    assert unnamed.posted == [], "an offer at a game that the rows do not name"
    assert bot.ring_seat == HeldRingSeat(full, STAY)


def test_a_bot_that_was_too_late_tries_every_other_game_at_once() -> None:
    tally = Tally()
    other = msgspec.structs.replace(GAME, game=4, players=GAME.players + 1)
    room = _Room([RingRows((GAME, other))], {"ok": False, "code": "no_free_seat"})
    bot, _ = _visit(room, Habits(), tally)
    assert [path for path, _ in room.posted] == ["/ring-games/3/sessions", "/ring-games/4/sessions"]
    assert tally.refused == {"ring_sit_no_free_seat": 2} and bot.ring_seat is None


def test_a_bot_that_waits_in_its_pool_reads_the_rows_once() -> None:
    pool = msgspec.structs.replace(GAME, rapid=True)
    stay = msgspec.structs.replace(STAY, table=None)
    room = _Room([RingRows((pool,), (stay,))], {"ok": True})
    bot, _ = _visit(room, Habits(fills_up=0), Tally())
    assert (room.seen, room.posted) == ([], []) and bot.ring_seat == HeldRingSeat(pool, stay)


class _Door(_Room):
    """Pages of a room that counts its visitors, and the most of them between two looks."""

    def __init__(self, wanted: int) -> None:
        super().__init__([], {})
        self.wanted, self.came, self.before, self.most = wanted, 0, 0, 0

    async def get(self, _: Identity, path: str) -> dict[str, Any]:
        self.came += 1
        return {}

    def is_full(self) -> bool:
        """Return whether everybody came."""
        self.most = max(self.most, self.came - self.before)
        self.before = self.came
        return self.came == self.wanted


def test_bots_come_one_after_the_other_and_not_in_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor, "LOOK_EVERY_S", 0.02)
    bots = [(Identity(user, f"bot-{user}", "key"), _bot()) for user in range(40)]
    room = _Door(len(bots))
    asyncio.run(_floor(room, bots, Habits(), Tally(), []).run(room.is_full))
    assert room.came == 40 and room.most == 40 // floor.LOOK_PARTS


def test_a_refused_bot_keeps_looking_and_counts_the_reason() -> None:
    tally = Tally()
    room = _Room([RingRows((GAME,))], {"ok": False, "code": "seat_taken"})
    bot, said = _visit(room, Habits(), tally)
    assert bot.ring_seat is None and said == []
    assert tally.refused == {"ring_sit_seat_taken": 1}


@pytest.mark.rule("R-02")
@pytest.mark.parametrize("per_street", [False, True])
def test_a_raked_hand_is_no_violation_and_a_lost_chip_is(per_street: bool) -> None:
    rake = Rake(500, 0, 1_000, False, per_street)
    setup = HandSetup(
        hand=1,
        rules=Rules("holdem", "no_limit", Stakes(50, 100), Options(rake=rake)),
        positions=Positions(1, 1, 2, (2, 1)),
        players=(Player(1, 1_000), Player(2, 1_000)),
        deck=tuple(sorted(VARIANTS["holdem"].deck)),
    )
    state, said = begun(setup).state, [*begin(setup)]
    while state.actor is not None:
        option = legal_actions(state, state.actor)
        step = played(state, state.actor, Check() if option.check else Call())
        state, said = step.state, [*said, *step.events]
    assert state.finished and sum(seat.stack for seat in state.seats) == 1_990
    for lost in (0, 1):
        watch = TableWatch("table:7", 0)
        watch.resume("1-0")
        end = said[-1]
        assert isinstance(end, HandEnded)
        first, *others = end.stacks
        end = replace(end, stacks=(replace(first, chips=first.chips - lost), *others))
        for number, event in enumerate((*said[:-1], end), start=1):
            watch.event(f"1-{number}", heard(view(event, None)), None)
        assert len(watch.violations) == lost
        assert all("began with 2000 chips, ended with 1999" in found for found in watch.violations)
