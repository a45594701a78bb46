"""Lobby as the swarm sees it: tournaments and their state."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from room_client import wire
from room_client.messages.commands import Act, Subscribe
from room_client.messages.frames import Events, Snapshot, Welcome
from room_client.steps import DueTurn
from tables.bots.bot import Todo
from tables.bots.lobby_rows import LobbyTournament
from tables.bots.tally import Tally

LOBBY = "lobby"
OVER = frozenset({"finished", "cancelled"})


class Scout:
    """Follower of the stream `lobby`, without an account."""

    def __init__(self, *, chance: Random, tally: Tally) -> None:
        self.chance = chance
        self.tally = tally
        self.offers: dict[int, LobbyTournament] = {}
        self._last: str | None = None

    def open_offers(self, *, private: bool = False) -> list[LobbyTournament]:
        """Tournaments open for registration now, oldest first; with `private` those too."""
        return [
            offer
            for _, offer in sorted(self.offers.items())
            if (offer.state == "registering" or offer.late)
            and (private or not offer.private)
            and not offer.full
        ]

    def is_over(self, tournament: int) -> bool:
        """Return whether a tournament is finished or cancelled."""
        offer = self.offers.get(tournament)
        return offer is not None and offer.state in OVER

    def is_sit_and_go(self, tournament: int) -> bool:
        """Return whether the lobby shows a tournament as a Sit & Go."""
        offer = self.offers.get(tournament)
        return offer is not None and offer.start == "sit_and_go"

    def received(self, raw: str | bytes, now_s: float) -> Todo:
        """Take in one server message."""
        message = wire.decode(raw)
        match message:
            case Welcome():
                return Todo(send=[Subscribe(LOBBY, after=self._last)])
            case Snapshot(stream="lobby"):
                self._last = message.id
                self._all(wire.facts(message.state))
            case Events(stream="lobby"):
                for line in message.events:
                    self._last = wire.event_id(line)
                    self._one(wire.facts(line).get("summary"))
            case _:
                pass
        return Todo()

    def answer(self, due: DueTurn, now_s: float) -> Act | None:
        """Return None: a scout does not play."""
        return None

    def _all(self, state: dict[str, Any]) -> None:
        for row in state.get("tournaments", ()):
            self._one(row)

    def _one(self, row: object) -> None:
        if row is not None:
            offer = msgspec.convert(row, LobbyTournament)
            self.offers[offer.tournament] = offer
