"""Page that a bot's window shows: what its HTML says, and what it knows by now."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import inf

import msgspec

CALM_S = 1.5
"""Seconds until the page of a tournament is read again, unless the page names its own."""


class _Summary(msgspec.Struct):
    state: str


class _Overview(msgspec.Struct):
    summary: _Summary
    tables_open: int
    clock_runs: bool
    hand_for_hand: bool


class _Field(msgspec.Struct):
    overview: _Overview


class _OwnSeat(msgspec.Struct):
    sells: bool


class _Seated(msgspec.Struct):
    users: list[int]


decode_seated = msgspec.json.Decoder(_Seated).decode
decode_seat = msgspec.json.Decoder(_OwnSeat).decode
decode_field = msgspec.json.Decoder(_Field).decode


@dataclass
class ShownPage:
    """Facts of a page: those it was written with, and what it knows by now."""

    table: str = ""
    tournament: str = ""
    calm_s: float = CALM_S
    streams: dict[str, str | None] = field(default_factory=dict)
    """Streams that the page follows beside tables, each with the last event read."""
    users: list[int] = field(default_factory=list)
    faces: set[int] = field(default_factory=set)
    looks_at_faces: bool = False
    lost: set[str] = field(default_factory=set)
    refreshes_in_s: float = inf
    is_field_due: bool = False
    stands: bool = False
    tables_open: int = 0
    has_field: bool = False
    own_stack: int | None = None
    """Chips of the own seat, those of its bet with them; None without a seat."""
    rank_asked_s: float | None = None
    has_notes: bool = False
    """True until the notes of a player who has some are asked for."""
    sells: bool = False
    """True where a hand may change what the seat can buy."""

    @classmethod
    def of(cls, words: str) -> ShownPage:
        """Return the page with this HTML."""
        table = re.search(r'<poker-table data-table="(\d+)"([^>]*)', words)
        calm = re.search(r'data-calm="(\d+)"', words)
        page = cls(calm_s=int(calm[1]) / 1_000 if calm else CALM_S)
        if table is None:
            page.streams |= dict.fromkeys(re.findall(r'data-stream="([a-z]+:\d+|lobby)"', words))
            return page
        page.table = table[1]
        page.has_notes = "data-notes" in table[2]
        page.sells = "data-sells" in words
        if seated := re.search(r'<script id="seated-faces"[^>]*>([^<]*)<', words):
            page.faces.update(decode_seated(seated[1]).users)
        if tournament := re.search(r'data-tournament="(\d+)"', table[2]):
            page.tournament = tournament[1]
            page.streams[f"tournament:{page.tournament}"] = None
        if "data-chat" in table[2]:
            page.streams[f"tablechat:{page.table}"] = None
        return page
