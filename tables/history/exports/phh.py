"""A hand as Poker Hand History (PHH), a TOML document that pokerkit and other programs read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from tables.engine.events import HandEvent, Posted
from tables.engine.state import HandSetup, Rules
from tables.history.exports import toml_text
from tables.history.exports.differs import difference
from tables.history.exports.hand import ExportedHand
from tables.history.exports.phh_actions import actions, shown_afterwards
from tables.history.exports.toml_text import Value

CODES: dict[tuple[str, str], str] = {
    ("holdem", "no_limit"): "NT",
    ("holdem", "fixed_limit"): "FT",
    ("omaha", "pot_limit"): "PO",
    ("omaha_hilo", "fixed_limit"): "FO/8",
    ("stud", "fixed_limit"): "F7S",
    ("stud_hilo", "fixed_limit"): "F7S/8",
}
"""Codes of the standard by variant and limit; other games are named by `no_code`."""


def no_code(rules: Rules) -> str:
    """Return the name of a game without a code of the standard, with a leading underscore."""
    return f"_{rules.variant}_{rules.limit}"


def written(hand: ExportedHand) -> str:
    """Return the document of one hand; fields with a leading underscore are the room's own."""
    return toml_text.document(fields(hand))


def fields(hand: ExportedHand) -> dict[str, Value | None]:
    """Return the fields of the document in the order of the standard."""
    kept, names = hand.kept, hand.names
    rules = kept.setup.rules
    code = CODES.get((rules.variant, rules.limit))
    everything = kept.events()
    before = {stack.seat: stack.chips for stack in kept.result.stacks_before}
    after = {stack.seat: stack.chips for stack in kept.result.stacks_after}
    began = datetime.fromtimestamp(kept.began_ms / 1_000, UTC)
    return {
        "variant": code or no_code(rules),
        **_stakes(hand, everything),
        "starting_stacks": [before[seat] for seat in hand.order],
        "actions": actions(hand),
        "event": hand.game.name,
        "time": began.time().replace(microsecond=0),
        "time_zone": "UTC",
        "day": began.day,
        "month": began.month,
        "year": began.year,
        "hand": kept.hand,
        "level": kept.level,
        "seats": list(hand.order),
        "seat_count": hand.seats_max,
        "table": hand.table,
        "players": [names[seat] for seat in hand.order],
        "finishing_stacks": [after[seat] for seat in hand.order],
        "winnings": [_won(hand, seat) for seat in hand.order],
        "_variant": rules.variant,
        "_limit": rules.limit,
        "_ante_kind": rules.stakes.ante_kind,
        "_button": kept.setup.positions.button,
        "_board": list(kept.result.board) or None,
        "_rake": kept.result.rake or None,
        "_posts": _posts(hand, everything) or None,
        "_shown_afterwards": shown_afterwards(hand) or None,
        "_times": [note.at_ms for note in kept.notes] or None,
        "_by_room": _by_room(hand) or None,
        "_research": hand.game.research or None,
        "_differs": difference(everything, has_code=code is not None),
    }


def _stakes(hand: ExportedHand, events: Sequence[HandEvent]) -> dict[str, Value | None]:
    """Return antes and bets; pokerkit reads the first two lists of two players in reverse."""
    setup = hand.kept.setup
    rules, positions, stakes = setup.rules, setup.positions, setup.rules.stakes
    antes = _antes(setup, events)
    straddles = {
        player.seat: post.amount
        for player in setup.players
        for post in player.posts
        if post.kind == "straddle"
    }
    blinds = straddles | {
        seat: amount
        for seat, amount in (
            (positions.small_blind, stakes.small_blind),
            (positions.big_blind, stakes.big_blind),
        )
        if seat is not None
    }
    listed = hand.order[::-1] if len(hand.order) == 2 else hand.order
    without_blinds = positions.big_blind is None
    fixed = rules.limit == "fixed_limit"
    return {
        "ante_trimming_status": stakes.ante_kind != "big_blind",
        "antes": [antes.get(seat, 0) for seat in listed],
        "blinds_or_straddles": (
            None if without_blinds else [blinds.get(seat, 0) for seat in listed]
        ),
        "bring_in": stakes.bring_in if without_blinds else None,
        "small_bet": stakes.lower_bet if fixed else None,
        "big_bet": stakes.upper_bet if fixed else None,
        "min_bet": None if fixed else stakes.unit,
    }


def _antes(setup: HandSetup, events: Sequence[HandEvent]) -> dict[int, int]:
    """Return the ante of each seat; that of the big blind is what was left for it."""
    stakes = setup.rules.stakes
    if stakes.ante_kind == "per_seat":
        return dict.fromkeys(setup.positions.dealt, stakes.ante)
    posted = (event for event in events if isinstance(event, Posted) and event.kind == "ante")
    return {post.seat: post.amount for post in posted}


def _won(hand: ExportedHand, seat: int) -> int:
    """Return the chips that a seat took from the pots."""
    shares = (share for award in hand.kept.result.awards for share in award.winners)
    return sum(share.amount for share in shares if share.seat == seat)


def _by_room(hand: ExportedHand) -> list[str]:
    """Return the decisions the room made, as `4 p2 time_out`: fourth decision, of player 2."""
    kept = hand.kept
    # Records that are older than the notes have fewer notes than actions: none.
    return [
        f"{count} p{hand.order.index(played.seat) + 1} {note.made_by}"
        for count, (played, note) in enumerate(zip(kept.actions, kept.notes, strict=False), 1)
        if note.made_by != "player"
    ]


def _posts(hand: ExportedHand, events: Sequence[HandEvent]) -> list[str]:
    """Return debts and penalties as `p1 dead 50`, as far as their seats had the chips."""
    paid = {(one.seat, one.kind): one.amount for one in events if isinstance(one, Posted)}
    return [
        f"p{hand.order.index(player.seat) + 1} {post.kind} {paid[player.seat, post.kind]}"
        for player in hand.kept.setup.players
        for post in player.posts
        if post.kind != "straddle" and (player.seat, post.kind) in paid
    ]
