"""Answers of the API about ladders of bots."""

from __future__ import annotations

from ninja import Schema


class LadderAnswer(Schema):
    """A ladder; `rated` is the number of tournaments it has rated."""

    id: int
    name: str
    is_open: bool
    rated: int


class LadderPage(Schema):
    """Some ladders, newest first; `next` is the cursor of the page after it, or empty."""

    items: list[LadderAnswer]
    next: str


class DecisionCountsAnswer(Schema):
    """Decisions of a bot, and those that the room made: time-outs, lost connections, absences."""

    decisions: int
    time_outs: int
    crashes: int
    missed: int


class RatedBotAnswer(DecisionCountsAnswer):
    """A bot's row of the table; `owner` is empty for a bot of the room."""

    rank: int
    id: int
    name: str
    owner: str
    mu: float
    sigma: float
    games: int
    wins: int
    mean_place: float


class LadderTableAnswer(Schema):
    """A page of a ladder's table, the strongest bot first."""

    ladder: LadderAnswer
    bots: int
    items: list[RatedBotAnswer]


class RatedResultAnswer(DecisionCountsAnswer):
    """A rated game of a bot, with its rating after it."""

    game: int
    tournament: int
    players: int
    place: float
    mu: float
    sigma: float


class RatedResultPage(Schema):
    """Some rated games of a bot, newest first; `next` is the cursor of the page after it."""

    items: list[RatedResultAnswer]
    next: str
