"""Enter a Sit & Go, play it to its end, keep the own hands: sit_and_go.py URL TOKEN FOLDER."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from room_client.api import Api
from room_client.bot import Choice, Turn, play


def decide(turn: Turn) -> Choice:
    """All-in with pairs and aces, otherwise check or call small bets."""
    ranks = [card[0] for card in turn.seat.cards]
    if ranks[0] == ranks[1] or "A" in ranks:
        return "raise", turn.option.raise_max or turn.option.bet_max
    if turn.option.call is not None and turn.option.call * 5 <= turn.seat.chips:
        return "call", None
    return "fold", None  # becomes a check where nothing is owed


async def main(url: str, token: str, folder: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    async with Api(url, token) as api:
        open_now = api.tournaments("registering")
        number = await anext(row["id"] async for row in open_now if row["start"] == "sit_and_go")
        await api.register(number)
        await play(url, token, decide, until=number)
        files = [text async for text in api.export_hands(number)]
    for page, text in enumerate(files, start=1):
        Path(folder, f"{page}.phhs").write_text(text)


asyncio.run(main(*sys.argv[1:]))
