"""The showdown choice moves with the player: the first hand at the new table uses it."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from redis import Redis

from config import redis as doors
from tables.dealer.state import TableSeat
from tables.models import Seat, Table
from tables.store import fenced, inbox
from tables.wire.client_commands import ChooseShowdown, ShowdownChoice
from tables.workers import advance, recovery, settle
from tests.tournaments.cast import Arena, started
from tournaments.models import Move, Tournament

CHOICES: tuple[ShowdownChoice, ...] = ("auto", "muck", "show")


class Onlooker:
    """Showdown choices set at each player's first table, checked in every later hand.

    A player moved before the first hand of that table has no stored choice, also after a move back.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.arena = Arena(tournament.pk, seed=5)
        self.moved: set[int] = set()
        self.known: set[int] = set()
        self.unstored: set[int] = set()
        self.first = {
            seat.entry: table for table in self.arena.tables() for seat in self._seats(table)
        }
        for table in self.first.values():
            state = self.arena.states[table]
            seats = tuple(replace(seat, showdown=chosen(seat.user)) for seat in state.seats)
            self.arena.states[table] = replace(state, seats=seats)

    def look(self) -> None:
        """Assert that every seat of a hand plays its player's choice at any table."""
        for table in self.arena.tables():
            state = self.arena.states[table]
            seated = {seat.entry for seat in self._seats(table)}
            self.unstored |= {entry for entry in seated - self.known if self.first[entry] != table}
            if state.setup is None or state.phase != "finished":
                continue
            dealt = {player.seat: player for player in state.setup.players}
            for seat in self._seats(table):
                player = dealt.get(seat.seat)
                if player is None:
                    continue
                if seat.entry in self.known:
                    wanted = chosen(seat.user)
                    flags = player.open_loser, player.closed_loser
                    assert flags == (wanted == "show", wanted == "muck"), (table, seat)
                    if table != self.first[seat.entry]:
                        self.moved.add(seat.entry)
                elif seat.entry not in self.unstored:
                    self.known.add(seat.entry)

    def _seats(self, table: int) -> tuple[TableSeat, ...]:
        return self.arena.states[table].seats


def chosen(user: int) -> ShowdownChoice:
    """Choice of this player, constant."""
    return CHOICES[user % len(CHOICES)]


@pytest.mark.rule("S-01")
@pytest.mark.parametrize(
    ("players", "fields"),
    [
        (19, {"seats_per_table": 4}),
        (9, {"format": "shootout", "players_min": 9, "players_max": 9, "seats_per_table": 3}),
    ],
)
def test_the_choice_moves_with_the_player_through_a_whole_tournament(
    house: Redis, players: int, fields: dict[str, object]
) -> None:
    seen = Onlooker(started(players, **fields))
    seen.arena.run(after=seen.look)
    reasons = set(Move.objects.values_list("reason", flat=True))
    assert len(seen.moved) >= 3 and reasons & {"final", "round"}


@pytest.mark.rule("S-01")
def test_a_choice_between_two_hands_is_kept_and_survives_an_emptied_redis(house: Redis) -> None:
    tournament = started(3)
    room = doors.room()
    table = Table.objects.get(game=tournament.pk).pk
    seat = Seat.objects.filter(table=table).order_by("pk")[0]
    command = msgspec.json.encode(ChooseShowdown("c", table, "muck"))
    assert inbox.append(room, table, seat.user_id, command).status == "accepted"
    advance.advance(room, table)
    settle.settle(room, table)
    seat.refresh_from_db()
    assert seat.showdown == "muck"
    room.flushall()
    assert recovery.adopt(room, 0)
    state = fenced.peek(room, table)
    assert state is not None
    assert {one.entry: one.showdown for one in state.seats}[seat.entry] == "muck"
