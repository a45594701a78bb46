"""Answers and bodies of ring games; all amounts are money in minor units."""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from accounts.research.mark import told
from config import limits

Key = Annotated[int, Field(ge=1, le=limits.KEY_MAX)]
Choice = Literal["auto", "straddle", "post", "skip", "sit_out"]


class RingTableAnswer(Schema):
    """An open table of a ring game, with the seats that are free."""

    table: int
    number: int
    free: int


class RingGameAnswer(Schema):
    """A ring game: terms, seats, and figures of its last hands; `research` as of tournaments.

    Only members sit down at a game of a `club`. A `rapid` pool is never full: its `free` is at
    least 1.
    """

    id: int
    name: str
    state: str
    variant: str
    limit: str
    small_blind: int
    big_blind: int
    buy_in_min: int
    buy_in_max: int
    seats_max: int
    players: int
    free: int
    waiting: int
    private: bool
    rapid: bool
    club: int | None
    average_pot: int
    hands_per_hour: int
    tables: list[RingTableAnswer]
    research: bool = Field(default_factory=told.get)


class RingGames(Schema):
    """Every ring game that is not closed and that the user may know of, by stakes."""

    items: list[RingGameAnswer]


class RingSessionAnswer(Schema):
    """A seat of the user; `coming` was paid and joins the stack between two hands.

    In a rapid pool table and seat are those of the hand the user is in; between hands there is no
    table.
    """

    id: int
    game: int
    table: int | None
    seat: int
    stack: int
    coming: int
    leaving: bool


class RingSessions(Schema):
    """The seats of the user at ring tables, by game and table."""

    items: list[RingSessionAnswer]


class SitRequest(Schema):
    """A wish to sit down with `amount`; without a table and a seat the room finds a place."""

    model_config = ConfigDict(extra="forbid")

    amount: Key
    table: Key | None = None
    seat: Annotated[int, Field(ge=1, le=limits.SEATS_MAX)] | None = None
    password: str = Field("", max_length=limits.PASSWORD_MAX_CHARACTERS)


class TakeRequest(Schema):
    """A wish to take an offered seat with `amount`."""

    model_config = ConfigDict(extra="forbid")

    amount: Key
    password: str = Field("", max_length=limits.PASSWORD_MAX_CHARACTERS)


class WaitRequest(Schema):
    """A wish to wait for a seat of the game, or of one of its tables."""

    model_config = ConfigDict(extra="forbid")

    table: Key | None = None
    password: str = Field("", max_length=limits.PASSWORD_MAX_CHARACTERS)


class TopUpRequest(Schema):
    """A wish to pay for more chips."""

    model_config = ConfigDict(extra="forbid")

    amount: Key


class ChoiceRequest(Schema):
    """A choice of a seat that is switched on or off."""

    model_config = ConfigDict(extra="forbid")

    choice: Choice
    on: bool
