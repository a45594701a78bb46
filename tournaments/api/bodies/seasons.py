"""Answers of the API about seasons; points are decimals as text, days those of the zone."""

from __future__ import annotations

from datetime import date

from ninja import Schema


class SeasonAnswer(Schema):
    """A season with its terms; `club` is the address of its club, empty for one of the room."""

    id: int
    name: str
    club: str | None
    first_day: date
    last_day: date
    zone: str
    series: str
    formula: str
    best_of: int
    ties: list[str]


class SeasonPage(Schema):
    """Some seasons, newest first; `next` is the cursor of the page after it, or empty."""

    items: list[SeasonAnswer]
    next: str


class SeasonResultAnswer(Schema):
    """A player's result; one that is not `certain` may still become better."""

    tournament: int
    place: int
    points: str
    counted: bool
    certain: bool


class SeasonPlayerAnswer(Schema):
    """A player's row of the table, results best first."""

    rank: int
    name: str
    points: str
    wins: int
    results: list[SeasonResultAnswer]


class SeasonTableAnswer(Schema):
    """A page of a season's table; `live` are the numbers of tournaments that are not over."""

    season: SeasonAnswer
    tournaments: int
    live: list[int]
    players: int
    items: list[SeasonPlayerAnswer]
