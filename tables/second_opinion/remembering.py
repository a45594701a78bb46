"""Cache of pokerkit's hand ranking, computed once for equal cards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

KEPT_MAX = 20_000
"""Hands remembered before all are forgotten; one hand of play needs a few dozen."""


def remembering(kind: Any) -> Any:
    """Return a subclass of the hand type that caches pokerkit's answers."""
    known: dict[tuple[str, str], Any] = {}

    class Remembering(kind):  # type: ignore[misc]
        @classmethod
        def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> Any:
            hole, board = tuple(hole_cards), tuple(board_cards)
            key = _text(hole), _text(board)
            if key not in known:
                if len(known) > KEPT_MAX:
                    known.clear()
                try:
                    known[key] = super().from_game(hole, board)
                except (KeyError, ValueError) as none:
                    known[key] = none
            found = known[key]
            if isinstance(found, Exception):
                raise found
            return found

        @cached_property
        def entry(self) -> Any:
            return super().entry

    return Remembering


def _text(cards: Iterable[Any]) -> str:
    return "".join([card.rank + card.suit for card in cards])
