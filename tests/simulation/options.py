"""Random small tournaments: the offers and the operator steps on them; extend the options here."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from datetime import datetime
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from tables.engine.variants import VARIANTS
from tests.simulation import formats, ring_terms
from tests.simulation.ring_terms import RingOffered
from tournaments.engine.structure import AnteKind, BlindStructure, Break, Level, validate_structure
from tournaments.running import batches
from tournaments.schedule.making import PAYOUTS

PLAYERS_MAX = 14
SCHEDULED_AFTER_MS = (500, 4_000)
FIELDS = (2, 3, 4, 4, 5, 6, 6, 7, 8, 9)
LARGE_FIELDS = (10, 12, PLAYERS_MAX)


@dataclass
class Offered:
    """One tournament to offer: fields of `Tournament`, its levels and its players.

    Of its `players`, `late` register during play. `target` are the fields of the tournament a
    satellite leads to; `templated` offers come from a template that opens the next one. `ring` is a
    ring game beside it.
    """

    structure: BlindStructure
    fields: dict[str, Any]
    players: int
    late: int = 0
    password: str = ""
    operations: list[tuple[int, str]] = field(default_factory=list)
    target: dict[str, Any] | None = None
    ring: RingOffered | None = None
    templated: bool = False

    @property
    def sells(self) -> bool:
        """True while players can buy chips or entries during play."""
        return bool(self.fields.get("rebuys_max") or self.fields.get("entries_max", 1) > 1)


@contextmanager
def small_batches(seed: int) -> Iterator[None]:
    """Start, end and cancel in batches of a table and two entries in half of the seeds."""
    small = random.Random(f"{seed} batches").random() < 0.5
    with ExitStack() as stack:
        if small:
            stack.enter_context(patch.object(batches, "TABLES", 1))
            stack.enter_context(patch.object(batches, "ENTRIES", 2))
            stack.enter_context(patch.object(batches, "LOOKED_AT", 3))
        yield


def of_seed(seed: int, later: Callable[[int], datetime]) -> Offered:
    """Return the offer of a seed; `later(ms)` is a time in the future."""
    offer, hands = random.Random(f"{seed} offer"), random.Random(f"{seed} rules of the hand")
    return replaced(draw(offer, hands, later), ring=ring_terms.of_ring_seed(seed))


def draw(chance: random.Random, hands: random.Random, later: Callable[[int], datetime]) -> Offered:
    """Return an offer that can be played to its end; `later(ms)` is a time in the future.

    Settings of the hands and steps on the level clock are drawn from `hands`, everything else from
    `chance`.
    """
    players = chance.choice(LARGE_FIELDS if chance.random() < 0.08 else FIELDS)
    stack = chance.choice((100, 200, 400, 1_000))
    game = _game(chance)
    fields = {
        **game,
        **_seats(chance, players),
        **_money(chance),
        **_pace(chance),
        **_hand_for_hand(chance),
        **_bounties(chance),
        **_play_time(chance),
        **_rules_of_hands(hands),
        "starting_stack": stack,
    }
    fields["seen_by"] = ("known", "entered", "everybody")[players % 3]
    late, target = 0, None
    if chance.random() < 0.2:
        fields = formats.of_a_set_number(chance, players, fields)
        players = fields["players_max"]
    elif chance.random() < 0.4:
        fields |= {
            "start": "scheduled",
            "starts_at": later(chance.randint(*SCHEDULED_AFTER_MS)),
            "players_min": 2,
            "players_max": players + 2,
        }
        if chance.random() < 0.5:
            fields |= _late(chance)
            late = chance.randint(0, players - 2)
        if chance.random() < 0.35:
            fields |= _rebuys(chance, stack)
        elif fields.get("late_ends") != "at_first_out" and chance.random() < 0.25:
            fields |= formats.several_at_once(chance, players)
    else:
        fields |= {"start": "sit_and_go", "players_min": players, "players_max": players}
    if "format" not in fields and chance.random() < 0.1:
        fields |= formats.satellite(chance)
        target = formats.target(chance, fields, later)
    if fields.get("format", "heads_up") == "heads_up" and chance.random() < 0.3:
        fields |= formats.deals(chance)
    if chance.random() < 0.15 and fields["buy_in"]:
        fields |= formats.tickets(chance)
    return Offered(
        structure=_structure(chance, stack, players, VARIANTS[game["variant"]].brings_in),
        fields=fields,
        players=players,
        late=late,
        password="secret" if chance.random() < 0.05 else "",
        operations=[*_operations(chance), *_clock_steps(hands)],
        target=target,
        templated=fields["start"] == "sit_and_go" and target is None and chance.random() < 0.1,
    )


def _game(chance: random.Random) -> dict[str, str]:
    """Draw a game: mostly no-limit hold'em, which ends soonest; else any game with one of its
    limits.
    """
    if chance.random() < 0.7:
        return {"variant": "holdem", "limit": "no_limit"}
    variant = chance.choice(sorted(VARIANTS))
    return {"variant": variant, "limit": chance.choice(VARIANTS[variant].limits)}


def _seats(chance: random.Random, players: int) -> dict[str, Any]:
    """Draw one table or several; small tables cause many moves."""
    return {"seats_per_table": chance.choice((2, 2, 3, 3, 4, 5, 6, 8)) if players > 2 else 2}


def _money(chance: random.Random) -> dict[str, Any]:
    """Draw freerolls, fees, added money and guarantees above the pool (T-03, Z-01)."""
    buy_in = chance.choice((0, 100, 1_000, 3_333))
    return {
        "buy_in": buy_in,
        "fee": chance.choice((0, 10, 99)) if buy_in else 0,
        "added": chance.choice((0, 0, 500)),
        "guarantee": chance.choice((0, 0, 0, 7_777)),
        "payout_preset": chance.choice(PAYOUTS),
    }


def _bounties(chance: random.Random) -> dict[str, Any]:
    """Draw bounties, of which a part may go on the winner's own head (N-01, N-04, N-06)."""
    if chance.random() < 0.6:
        return {}
    return {
        "bounty": chance.choice((100, 501)),
        "progressive_bp": chance.choice((10_000, 5_000, 3_333)),
        "bounties_at_end": chance.random() < 0.3,
    }


def _play_time(chance: random.Random) -> dict[str, Any]:
    """Draw a play time that may end before one player is left (T-11)."""
    if chance.random() < 0.85:
        return {}
    return {
        "play_time_ms": chance.randint(3_000, 20_000),
        "time_up": chance.choice(("table", "proportional")),
    }


def _late(chance: random.Random) -> dict[str, Any]:
    """Draw late registration, with a second entry after a bust (E-01, E-02)."""
    ends = (("at_level", 3), ("at_time", 10_000), ("at_left", 2), ("at_first_out", 0))
    until, value = chance.choice(ends)
    again = 1 if until == "at_first_out" else chance.choice((1, 1, 2))
    return {"late_ends": until, "late_value": value, "entries_max": again}


def _rebuys(chance: random.Random, stack: int) -> dict[str, Any]:
    """Draw re-buys through the first levels and the add-on after them (E-04, E-05)."""
    add_on = {"add_on": True, "add_on_price": 500, "add_on_chips": stack // 2}
    return {
        "offer_ms": chance.choice((1_500, 4_000)),
        "rebuys_max": chance.choice((1, 2)),
        "rebuy_threshold": chance.choice(("zero", "half", "full")),
        "rebuy_until_level": chance.choice((2, 3)),
        "rebuy_price": chance.choice((0, 700)),
        "rebuy_fee": chance.choice((0, 33)),
        **(add_on if chance.random() < 0.4 else {}),
    }


def _pace(chance: random.Random) -> dict[str, Any]:
    return {
        "action_ms": chance.choice((1_000, 4_000, 8_000)),
        "bank_ms": chance.choice((0, 0, 2_000)),
        "hand_pause_ms": chance.choice((0, 0, 400)),
        "showdown_pause_ms": chance.choice((0, 0, 300)),
        "street_pause_ms": chance.choice((0, 100)),
    }


def _rules_of_hands(chance: random.Random) -> dict[str, Any]:
    """Draw the settings of a hand, mostly the defaults (C-04, B-03, H-11, S-03)."""
    return {
        "first_button": chance.choice(("cards", "random")),
        "s0_order": chance.random() < 0.25,
        "cap_lift": chance.choice(("last_street", "event")),
        "muck_secret": chance.random() < 0.3,
    }


def _hand_for_hand(chance: random.Random) -> dict[str, Any]:
    return {
        "bubble_places": chance.choice((0, 1, 1, 2, 4)),
        "bubble_final": chance.choice((0, 0, 1, 2)),
        "bubble_charge_ms": chance.choice((1_000, 4_000)),
        "tie_rule": chance.choice(("by_stack", "share")),
    }


def _structure(chance: random.Random, stack: int, players: int, is_stud: bool) -> BlindStructure:
    """Draw levels that rise until all are all-in, by time or by hands, with antes and breaks."""
    small = max(1, stack // chance.choice((10, 20, 40)))
    by_hands = chance.random() < 0.3
    length = chance.choice((2, 3, 5)) if by_hands else chance.choice((3_000, 6_000, 12_000))
    kinds: tuple[AnteKind, ...] = ("none", "none", "per_seat", "big_blind")
    ante = "per_seat" if is_stud else chance.choice(kinds)
    breaks = chance.random() < 0.3
    items: list[Level | Break] = []
    while True:
        level = _stud(small) if is_stud else _blinds(small, ante)
        lasts = {"lasts_hands": length} if by_hands else {"lasts_ms": length}
        items.append(replace(level, **lasts))
        if small >= stack * players:
            return validate_structure(BlindStructure(items=tuple(items)))
        if breaks and len(items) % 3 == 2:
            items.append(Break(lasts_ms=chance.choice((1_000, 3_000))))
        small *= 2


def _blinds(small: int, ante: AnteKind) -> Level:
    amount = {"none": 0, "per_seat": max(1, small // 4), "big_blind": small}[ante]
    return Level(small_blind=small, big_blind=2 * small, ante=amount, ante_kind=ante)


def _stud(small: int) -> Level:
    return Level(
        small_blind=0,
        big_blind=0,
        ante=max(1, small // 2),
        ante_kind="per_seat",
        bring_in=small,
        small_bet=2 * small,
    )


def _operations(chance: random.Random) -> list[tuple[int, str]]:
    """Draw operator steps, each with its time in ms after registration opened."""
    asked: list[tuple[int, str]] = []
    if chance.random() < 0.25:
        at_ms = chance.randint(300, 12_000)
        asked += [(at_ms, "pause"), (at_ms + chance.randint(200, 6_000), "resume")]
    if chance.random() < 0.12:
        asked.append((chance.randint(100, 15_000), chance.choice(("cancel", "cancel_forward"))))
    return asked


def _clock_steps(chance: random.Random) -> list[tuple[int, str]]:
    """Draw steps on the level clock as `_operations` does, some of them by a double click."""
    asked: list[tuple[int, str]] = []
    if chance.random() < 0.25:
        for _ in range(chance.randint(1, 3)):
            at_ms, step = chance.randint(2_000, 20_000), chance.choice(("next_level", "more_time"))
            asked.append((at_ms, step))
            if chance.random() < 0.5:
                asked.append((at_ms + chance.randint(50, 2_000), step))
    return asked
