"""Notices to a player as a bot reads them: offers that wait, tables to go to."""

from __future__ import annotations

from typing import Any


def offers_in(facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the offers of a notice, or of the snapshot of all notices."""
    match facts:
        case {"type": "offer_made"}:
            return [facts]
        case {"offers": [*offers]}:
            return offers
        case _:
            return []


def tables_in(facts: dict[str, Any]) -> list[int]:
    """Return the tables to which a notice, or the snapshot of all notices, sends the player."""
    match facts:
        case {"type": "seated" | "rapid_dealt_in", "table": int(table)}:
            return [table]
        case {"type": "moved", "to_table": int(table)}:
            return [table]
        case {"seats": [*seats]}:
            return [seat["table"] for seat in seats]
        case _:
            return []
