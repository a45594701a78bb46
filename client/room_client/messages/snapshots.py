"""States of streams that are no tables. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec

from room_client.messages.buying import (
    OfferMade,
)
from room_client.messages.mine import (
    MySeat,
    MyStart,
)
from room_client.messages.overview import (
    Overview,
    TableRow,
)
from room_client.messages.tournaments import (
    Summary,
)


class TournamentSnapshot(msgspec.Struct, frozen=True):
    """First state of a tournament's stream: its overview and tables; players are paged separately.
    `heads` are the cents on live entries whose bounty differs from the one bought (N-04). In a
    `research` room bots alone play, with decks from seeds and without proofs.
    """

    overview: Overview
    tables: list[TableRow]
    heads: dict[int, int]
    research: bool = False


class LobbySnapshot(msgspec.Struct, frozen=True):
    """All rows of the lobby, or of a club's lobby, and whether this is a `research` room."""

    tournaments: list[Summary]
    research: bool = False


class UserSnapshot(msgspec.Struct, frozen=True):
    """Seats of a user now, and tournaments of the user with the state of the entry, by id.
    `offers` wait for the user's answer; `starts` are to come.
    """

    seats: list[MySeat]
    tournaments: dict[int, str]
    offers: list[OfferMade]
    starts: list[MyStart]
