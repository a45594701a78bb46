"""Play Sit & Gos of bots until a ladder has rated some: ladder.py URL TOKEN LADDER GAMES STYLE."""

from __future__ import annotations

import asyncio
import sys

from room_client.api import Api, Refusal
from room_client.bot import Choice, Turn, play

POLL_S = 1.0
PASSING = (429, 503)
"""Statuses of a room that is busy at the moment."""


def caller(turn: Turn) -> Choice:
    """Call everything."""
    return "call", None


def shover(turn: Turn) -> Choice:
    """All-in with pairs and aces, else check or fold."""
    ranks = [card[0] for card in turn.seat.cards]
    if ranks[0] == ranks[1] or "A" in ranks:
        return "raise", turn.option.raise_max or turn.option.bet_max
    return "fold", None


def folder(turn: Turn) -> Choice:
    """Check or fold."""
    return "fold", None


async def enter(api: Api, ladder: int, games: int) -> None:
    """Enter every Sit & Go for bots that is open, until the ladder has rated enough of them."""
    entered: set[int] = set()
    while (await api.ask("GET", f"/ladders/{ladder}/table"))["ladder"]["rated"] < games:
        async for row in api.tournaments("registering"):
            if row["bots"] == "only" and row["start"] == "sit_and_go" and row["id"] not in entered:
                try:
                    await api.register(row["id"])
                except Refusal as refusal:
                    if refusal.status in PASSING:
                        continue  # asked again with the next look
                    # Else it is full meanwhile, or a duplicate, which seats its own bots.
                entered.add(row["id"])
        await asyncio.sleep(POLL_S)


async def main(url: str, token: str, ladder: str, games: str, style: str) -> None:
    decide = {"caller": caller, "shover": shover, "folder": folder}[style]
    playing = asyncio.create_task(play(url, token, decide))
    async with Api(url, token) as api:
        entering = asyncio.create_task(enter(api, int(ladder), int(games)))
        await asyncio.wait({playing, entering}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            playing.result()
        await entering
    playing.cancel()


asyncio.run(main(*sys.argv[1:]))
