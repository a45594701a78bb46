"""A player at tables of two tournaments behind a running server; turns come on request."""

from __future__ import annotations

from redis import Redis

from accounts.models import User
from accounts.users import bots
from accounts.users.signup import sign_up
from tables.models import Seat
from tests.tournaments import course
from tests.web.played import PlayedTournament
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import operations


class TwoTables:
    """Anna in "Friday" and in "Monday", each with two bots that check and call."""

    def __init__(self, redis: Redis) -> None:
        self.anna = sign_up("anna", "correct horse battery")
        self.games = [self._started(name) for name in ("Friday", "Monday")]
        self.played = [PlayedTournament(redis, game) for game in self.games]

    def _started(self, name: str) -> Tournament:
        made = course.offer(3, 3)
        Tournament.objects.filter(pk=made.pk).update(name=name)
        for player in (self.anna, *bots.create(2)):
            registration.register(player, made)
        operations.start(made.pk)
        made.refresh_from_db()
        return made

    def table(self, game: int) -> int:
        """Table of the first (0) or second (1) tournament."""
        return Seat.objects.get(user=self.anna, table__game=self.games[game].pk).table_id

    def ask(self, game: int, user: User | None = None) -> None:
        """Play on at a table until this player has the turn, Anna by default."""
        wanted = (user or self.anna).pk
        assert self.played[game].until_turn(lambda asked: asked == wanted)

    def ask_another(self, game: int) -> None:
        """Play on at a table, with Anna too, until another player has the turn."""
        assert self.played[game].until_turn(lambda asked: asked != self.anna.pk)
