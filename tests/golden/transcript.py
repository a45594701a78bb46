"""Hand as a text for card players: settings, actions (">"), questions and events.

A file begins with its rule and its title, followed by the settings, one per line:

    game holdem no_limit          stakes small_blind=50 big_blind=100     options face_up=false
    button 1                      board As Kd 7c 7h 2s                    options rake=250,10,30
    seat 3 1000 9c 9d             its chips, and its hole cards in the order dealt
    post 3 straddle 200           what a seat pays beyond the blinds
    losers closed 3               seats that muck a beaten hand, or show it ("open")

and the actions: "> seat 3 raises 300", or "> all check" for the rest of a street. All other lines
are events of the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from tables.engine.actions import Action, Bet, Call, Check, Fold, Option, Raise, Show
from tables.engine.events import HandEvent, Options, Rake, Stakes
from tables.engine.refusals import ActionRefusal
from tables.engine.result import HandResult
from tables.engine.state import Post
from tests.golden.wording import told
from tests.tables.engine.scene import Scene, scene

HANDS = Path(__file__).with_name("hands")
SETTINGS = ("game", "stakes", "options", "button", "seat", "board", "post", "losers")


def written(text: str) -> str:
    """Return the text of a hand, from its title, its settings and its actions."""
    lines = text.splitlines()
    settings = [line for line in lines[1:] if line.split(" ")[0] in SETTINGS]
    actions = [line for line in lines[1:] if line.startswith("> ")]
    hand = _dealt(settings)
    out = [lines[0], "", *settings, "", *_tell(hand.events), *_asked(hand)]
    for line in actions:
        out += ["", line, *_acted(hand, line)]
    if hand.now.finished:
        out += ["", *_outcome(hand.result())]
    return "\n".join(out) + "\n"


def _dealt(settings: list[str]) -> Scene:
    rows: dict[str, list[list[str]]] = {}
    for line in settings:
        word, *rest = line.split()
        rows.setdefault(word, []).append(rest)
    variant, limit = rows["game"][0]
    posts: dict[int, tuple[Post, ...]] = {}
    for seat, kind, amount in rows.get("post", []):
        posts[int(seat)] = (*posts.get(int(seat), ()), Post(kind, int(amount)))  # type: ignore[arg-type]
    return scene(
        {int(seat): int(chips) for seat, chips, *_ in rows["seat"]},
        button=int(rows["button"][0][0]),
        variant=variant,
        limit=limit,
        stakes=msgspec.convert(_fields(rows["stakes"][0]), Stakes, strict=False),
        options=_options(*rows.get("options", [[]])),
        hole={int(seat): cards for seat, _, *cards in rows["seat"]},
        board=rows.get("board", [[]])[0],
        posts=posts,
        open_losers=_losers(rows, "open"),
        closed_losers=_losers(rows, "closed"),
    )


def _losers(rows: dict[str, list[list[str]]], how: str) -> list[int]:
    return [int(seat) for word, *seats in rows.get("losers", []) if word == how for seat in seats]


def _options(words: list[str]) -> Options:
    """Read the settings; a rake is written basis points, minimum, maximum, and 1 when
    per street.
    """
    fields = _fields(words)
    if "rake" in fields:
        share, least, most, *streets = [int(word) for word in fields["rake"].split(",")]
        fields["rake"] = Rake(share, least, most, per_street=bool(streets))
    return msgspec.convert(fields, Options, strict=False, from_attributes=True)


def _fields(words: Iterable[str]) -> dict[str, Any]:
    parts = (word.partition("=") for word in words)
    return {name: value for name, _, value in parts}


def _acted(hand: Scene, line: str) -> list[str]:
    before = len(hand.events)
    if line == "> all check":
        street = hand.now.street
        while hand.now.actor is not None and hand.now.street == street:
            hand.does((hand.now.actor, Check()))
        return [*_tell(hand.events[before:]), *_asked(hand)]
    seat, action = _action(line)
    try:
        hand.does((seat, action))
    except ActionRefusal as refusal:
        return [f"  refused: {refusal.sentence} {refusal.allowed or ''}".rstrip()]
    return [*_tell(hand.events[before:]), *_asked(hand)]


def _action(line: str) -> tuple[int, Action]:
    _, _, seat, word, *amount = line.split()
    match word:
        case "folds":
            return int(seat), Fold()
        case "checks":
            return int(seat), Check()
        case "calls":
            return int(seat), Call()
        case "bets":
            return int(seat), Bet(int(amount[0]))
        case "raises":
            return int(seat), Raise(int(amount[0]))
        case "shows":
            return int(seat), Show(amount[0])  # type: ignore[arg-type]
    raise AssertionError(line)


def _tell(events: Iterable[HandEvent]) -> list[str]:
    return [f"  {line}" for event in events for line in told(event)]


def _asked(hand: Scene) -> list[str]:
    if hand.now.actor is None:
        return []
    return [f"? seat {hand.now.actor}: {_ways(hand.option())}"]


def _ways(option: Option) -> str:
    ways = ["fold"] if option.fold else []
    if option.check:
        ways.append("check")
    if option.call is not None:
        ways.append(f"call {option.call}" if option.fold else f"bring in {option.call}")
    if option.bet_min is not None:
        ways.append(f"bet {_span(option.bet_min, option.bet_max)}")
    if option.raise_min is not None:
        ways.append(f"raise to {_span(option.raise_min, option.raise_max)}")
    return ", ".join(ways)


def _span(least: int, most: int | None) -> str:
    return str(least) if least == most else f"{least}-{most}"


def _outcome(result: HandResult) -> list[str]:
    lines = [
        f"= seat {before.seat}: {before.chips} -> {after.chips}"
        for before, after in zip(result.stacks_before, result.stacks_after, strict=True)
    ]
    for out in result.busted:
        by = ", ".join(f"seat {share.seat} ({share.amount})" for share in out.winners)
        lines.append(f"= seat {out.seat} is out, its last chips were won by {by}")
    if result.rake:
        lines.append(f"= rake {result.rake}")
    return lines
