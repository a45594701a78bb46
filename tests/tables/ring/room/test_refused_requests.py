"""Every bad request of a player at a ring table is refused in words and changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import Max
from django.utils import timezone
from redis import Redis

from accounts.ledger import transfers
from accounts.models import Posting, User
from accounts.users import bots
from tables.models import Seat, Table
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.monitor import audit
from tables.ring.refusals import REFUSALS, words_of
from tables.ring.sessions import choices, leaving, sit_down, top_up, waiting_list
from tests.tables.ring.room.ring_table import RingArena, open_ring

pytestmark = pytest.mark.django_db(transaction=True)


def facts() -> tuple[object, ...]:
    """Every row that a refused request must leave unchanged."""
    return (
        Posting.objects.aggregate(last=Max("pk"))["last"],
        list(RingSession.objects.order_by("pk").values()),
        list(WaitingPlayer.objects.order_by("pk").values()),
        list(Seat.objects.order_by("pk").values()),
        list(Table.objects.order_by("pk").values("pk", "status", "hand")),
    )


def refused(code: str, act: Callable[[], object]) -> str:
    """Assert that a request is refused with a code and changes nothing; return the sentence."""
    before = facts()
    with pytest.raises(REFUSALS) as refusal:
        act()
    assert refusal.value.code == code
    assert facts() == before
    words = words_of(refusal.value)
    assert words and "%(" not in words
    return words


def table_of(game: RingGame) -> Table:
    """Return the first table of a game."""
    return Table.objects.filter(director="ring", game=game.pk).order_by("pk")[0]


@pytest.mark.rule("A-03")
def test_a_seat_that_is_taken_or_does_not_exist(room: Redis, broker: Redis) -> None:
    first, second = bots.create(2)
    game = open_ring()
    table = table_of(game).pk
    sit_down.sit(first, game.pk, amount=1_000, table_id=table, seat=2)

    def sit(player: User, table_id: int, seat: int) -> Callable[[], object]:
        return lambda: sit_down.sit(player, game.pk, amount=1_000, table_id=table_id, seat=seat)

    refused("seat_taken", sit(second, table, 2))
    refused("no_such_seat", sit(second, table, 0))
    refused("no_such_seat", sit(second, table, 5))
    refused("seated_already", sit(first, table, 3))
    refused("no_such_table", sit(second, table + 1_000, 1))
    refused("no_such_game", lambda: sit_down.sit(second, game.pk + 1_000, amount=1_000))


@pytest.mark.rule("A-03")
def test_a_table_of_another_game_or_a_closed_one(room: Redis, broker: Redis) -> None:
    [player] = bots.create(1)
    game, other = open_ring(), open_ring(name="Other")
    here = table_of(other).pk
    refused(
        "no_such_table", lambda: sit_down.sit(player, game.pk, amount=1_000, table_id=here, seat=1)
    )
    Table.objects.filter(pk=here).update(status=Table.Status.CLOSED)
    refused(
        "no_such_table", lambda: sit_down.sit(player, other.pk, amount=1_000, table_id=here, seat=1)
    )
    RingGame.objects.filter(pk=game.pk).update(state=RingGame.State.CLOSING)
    refused("no_such_game", lambda: sit_down.sit(player, game.pk, amount=1_000))


@pytest.mark.rule("A-03")
def test_a_top_up_above_the_maximum_of_nothing_and_of_a_stranger(
    room: Redis, broker: Redis
) -> None:
    player, stranger = bots.create(2)
    session = sit_down.sit(player, open_ring().pk, amount=4_000).pk
    refused("top_up_too_large", lambda: top_up.top_up(player, session, 1_001))
    refused("top_up_too_small", lambda: top_up.top_up(player, session, 0))
    refused("top_up_too_small", lambda: top_up.top_up(player, session, -5))
    refused("not_at_table", lambda: top_up.top_up(stranger, session, 500))
    refused("not_at_table", lambda: top_up.top_up(player, session + 1, 500))
    top_up.top_up(player, session, 1_000)
    refused("stack_full", lambda: top_up.top_up(player, session, 1))


@pytest.mark.rule("A-03")
def test_chips_bought_during_a_hand_reach_the_seat_after_it(room: Redis, broker: Redis) -> None:
    first, second = bots.create(2)
    game = open_ring()
    sessions = [sit_down.sit(player, game.pk, amount=1_000) for player in (first, second)]
    arena, table = RingArena(game.pk), table_of(game).pk
    while table not in arena.tables() or arena.states[table].phase != "granted":
        arena.step(table)
    top_up.top_up(first, sessions[0].pk, 4_000)
    assert Seat.objects.get(entry=sessions[0].pk).chips == 1_000
    assert RingSession.objects.get(pk=sessions[0].pk).coming == 4_000
    arena.play(table)
    after_hand = Seat.objects.get(entry=sessions[0].pk).chips
    assert after_hand <= 2_000
    arena.step(table)
    assert Seat.objects.get(entry=sessions[0].pk).chips == after_hand + 4_000
    assert RingSession.objects.get(pk=sessions[0].pk).coming == 0
    assert audit.violations() == []


@pytest.mark.rule("A-03")
def test_leaving_twice_pays_once(room: Redis, broker: Redis) -> None:
    [player] = bots.create(1)
    before = transfers.held_by(player)
    game = open_ring()
    session = sit_down.sit(player, game.pk, amount=1_000).pk
    arena, table = RingArena(game.pk), table_of(game).pk
    arena.tables()
    arena.step(table)
    leaving.leave(player, session)
    leaving.leave(player, session)
    refused("leaving", lambda: top_up.top_up(player, session, 500))
    arena.step(table)
    arena.step(table)
    assert transfers.held_by(player) == before
    refused("not_at_table", lambda: leaving.leave(player, session))
    refused("not_at_table", lambda: choices.set_posting(player, session, True))


@pytest.mark.rule("H-09")
def test_a_straddle_where_the_game_has_none(room: Redis, broker: Redis) -> None:
    [player] = bots.create(1)
    session = sit_down.sit(player, open_ring().pk, amount=1_000).pk
    refused("no_straddle", lambda: choices.set_straddle(player, session, True))


@pytest.mark.rule("R-01")
def test_waiting_while_a_seat_is_free_twice_or_not_at_all(room: Redis, broker: Redis) -> None:
    players = bots.create(4)
    game = open_ring(seats_max=2)
    refused("seat_free", lambda: waiting_list.join(players[2], game.pk))
    for player in players[:2]:
        sit_down.sit(player, game.pk, amount=1_000)
    refused("no_free_seat", lambda: sit_down.sit(players[2], game.pk, amount=1_000))
    refused("seated_already", lambda: waiting_list.join(players[0], game.pk))
    waiting_list.join(players[2], game.pk)
    refused("waiting_already", lambda: waiting_list.join(players[2], game.pk))
    refused("not_waiting", lambda: waiting_list.give_up(players[3], game.pk))


@pytest.mark.rule("R-01")
def test_an_offer_is_held_for_its_player_and_not_taken_after_its_end(
    room: Redis, broker: Redis
) -> None:
    players = bots.create(4)
    game = open_ring(seats_max=2)
    sessions = [sit_down.sit(player, game.pk, amount=1_000) for player in players[:2]]
    place = waiting_list.join(players[2], game.pk)
    refused("offer_expired", lambda: waiting_list.take(players[2], place.pk, 1_000))
    leaving.leave(players[0], sessions[0].pk)
    arena = RingArena(game.pk)
    arena.tables()
    arena.step(table_of(game).pk)
    place.refresh_from_db()
    assert place.offered_seat == sessions[0].seat
    refused("no_free_seat", lambda: sit_down.sit(players[3], game.pk, amount=1_000))
    refused("not_waiting", lambda: waiting_list.take(players[3], place.pk, 1_000))
    until = place.offered_until
    WaitingPlayer.objects.filter(pk=place.pk).update(offered_until=timezone.now())
    refused("offer_expired", lambda: waiting_list.take(players[2], place.pk, 1_000))
    WaitingPlayer.objects.filter(pk=place.pk).update(offered_until=until)
    refused("buy_in_too_small", lambda: waiting_list.take(players[2], place.pk, 1))
    assert waiting_list.take(players[2], place.pk, 1_000).seat == sessions[0].seat
    assert not WaitingPlayer.objects.exists()
    assert audit.violations() == []
