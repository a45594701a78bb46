"""Room with all its keys that forges hands: later hashes, signatures and leaves are remade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from tables.engine.begin import begin
from tables.engine.betting import legal_actions
from tables.engine.cards import DECK
from tables.engine.decide import decide
from tables.engine.events import HandEvent
from tables.engine.evolve import evolve
from tables.engine.positions import next_positions
from tables.engine.state import HandSetup, HandState
from tables.engine.visibility import view
from tables.fairness import cutting, leaves, notes, signing, tree
from tables.fairness.course import course_of
from tables.fairness.cutting import CutState, RosterRow
from tables.fairness.encoding import digest, hand_id, room_id
from tables.fairness.openings import Opening, open_envelopes, open_positions
from tables.fairness.positions import dealt_positions
from tables.fairness.proof import FinishedHand, HandName, HandTimes, LeafProof, LogProof, proof_of
from tables.fairness.public_part import public_hash, public_part
from tables.fairness.sealing import CARDS, SealedCards, seal_deck
from tests.tables.engine.random_hands import random_action, random_setup
from tests.tables.fairness import log_reader

ORIGIN = "forged.example/fair"
LOG_KEY, CALL_KEY = bytes([1]) * 32, bytes([2]) * 32
"""Private keys of the forging room."""

LOG_PUBLIC, CALL_PUBLIC = signing.public_key_of(LOG_KEY), signing.public_key_of(CALL_KEY)
SEALED_MS = 1_763_800_000_000
LEAVES_BEFORE = [bytes([number]) * 50 for number in range(3)]

Change = Callable[["Forger"], None]


class Forger:
    """One hand from seal to log; a change of a step is kept by all later steps.

    `changes` holds functions by step: sealed, called, cut, played, opened, logged. `noted` is the
    honest browser's memory, taken before any change of that step.
    """

    def __init__(self, seed: int = 1, *, variant: str = "holdem", seats: int = 4) -> None:
        self.random = Random(seed)
        self.setup = random_setup(self.random, variant=variant, limit="no_limit", seats=seats)
        self.seats = list(self.setup.positions.dealt)
        self.viewer: int = min(self.seats)
        self.looked_up: list[int] = []
        self.room = room_id(ORIGIN)
        self.name = HandName(ORIGIN, table=7, epoch=2, hand=self.setup.hand)
        self.hand = hand_id(self.room, table=7, epoch=2, hand=self.setup.hand)
        self.times = HandTimes(SEALED_MS, SEALED_MS + 10, SEALED_MS + 20, SEALED_MS + 30)
        self.fate, self.reason = leaves.Fate.PLAYED, leaves.FateReason.NONE
        self.secret = self.random.randbytes(32)
        self.changes: dict[str, Change] = {}
        self.call_private, self.log_private = CALL_KEY, LOG_KEY
        self.logged_fate: leaves.Fate | None = None
        self.public_secret: bytes | None = None
        self.older_leaves = list(LEAVES_BEFORE)
        self.first_button = False
        self.forged_button: int | None = None
        self.cards = CARDS
        self.engine_cards: tuple[int, ...] | None = None
        self.engine_order = list(range(len(DECK)))
        self.swap_leaves = False
        self.deck: SealedCards
        self.roster: list[RosterRow]
        self.call: bytes
        self.cut_key: bytes | None
        self.cut: tuple[int, ...]
        self.events: list[dict[str, Any]] = []
        self.openings: list[Opening]
        self.logged_course: bytes | None = None
        self.noted: dict[str, Any] = {}

    def forge(self, **changes: Change) -> dict[str, Any]:
        """Return the proof with notes and the auditor's part."""
        self.changes = changes
        self._seal()
        self._call()
        self._cut()
        self._play()
        self._open()
        return self._prove()

    def _seal(self) -> None:
        self.deck = seal_deck(self.secret, self.hand)
        self._change("sealed")

    def _call(self) -> None:
        self.roster = []
        for seat in sorted(self.seats):
            seed, entry = self.random.randbytes(32), 700 + seat
            pledge = cutting.pledge_of(self.room, entry, seed)
            self.roster.append(RosterRow(seat, entry, pledge, CutState.OPENED, seed))
        own = self.row(self.viewer)
        self.call = cutting.call_of(self.hand, self.deck.seal, self.roster)
        self.noted = {"seal": self.deck.seal.hex(), "call": self.call.hex(), "entry": own.entry}
        self.noted |= {"pledge": _hex(own.pledge), "seed": _hex(own.seed), "in_time": True}
        self._change("called")
        self.call = cutting.call_of(self.hand, self.deck.seal, self.roster)

    def _cut(self) -> None:
        self.cut_key = cutting.cut_key_of(self.call, self.roster)
        self.cut = cutting.cut_of(self.cut_key, self.hand)
        self._change("cut")
        order = self.engine_cards or self.deck.order
        dealt = [DECK[order[self.cut[place]]] for place in self.engine_order]
        self.setup = replace(self.setup, deck=tuple(dealt))

    def _play(self) -> None:
        self.events = []
        drawn = self._draw_button() if self.first_button else []
        if self.fate < leaves.Fate.VOID_BEFORE_CARDS:
            hand = play_out(self.random, self.setup)
            self.events = drawn + [public_event(event) for event in hand]
        else:
            self.cut_key, self.cut = None, ()
            self.times = self.times._replace(dealt_ms=0)
        self._change("played")

    def _draw_button(self) -> list[dict[str, Any]]:
        assert self.cut_key is not None
        drawn = cutting.button_draw(self.cut_key, self.hand, self.seats)
        button = self.forged_button or max(drawn, key=lambda seat: drawn[seat])
        positions = next_positions(None, tuple(sorted(self.seats)), frozenset(), button=button)
        self.setup = replace(self.setup, positions=positions)
        cards = [[seat, DECK[card]] for seat, card in drawn.items()]
        return [{"type": "button_drawn", "cards": cards, "button": button}]

    def _open(self) -> None:
        dealt = dealt_positions(self.events, cards=self.cards)
        rights = open_positions(dealt, viewer=self.viewer, looked_up=self.looked_up)
        positions = {self.engine_order[place]: to for place, to in rights.items()}
        self.openings = list(open_envelopes(self.deck, self.cut, positions))
        self._change("opened")

    def _prove(self) -> dict[str, Any]:
        course = course_of(self.hand, self.deck.seal, self.events) if self.events else None
        own = [
            DECK[self.deck.order[self.cut[self.engine_order[place]]]]
            for place in dealt_positions(self.events, cards=self.cards).hole.get(self.viewer, ())
        ]
        self.noted |= {"hole": own, "course": _hex(course)}
        self._change("logged")
        finished = FinishedHand(
            self.name,
            self.setup.rules.variant,
            self.times,
            self.deck,
            self.call,
            signing.sign_message(self.call_private, cutting.called_message(self.call)),
            self.cut_key,
            self.cut,
            tuple(self.roster),
            tuple(self.events),
            digest(b"escrow"),
            self.fate,
            self.reason,
            self.public_secret,
        )
        proof = proof_of(
            finished, self.openings, viewer=self.viewer, looked_up=self.looked_up,
            log=self._log(self.logged_course or course),
        )  # fmt: skip
        dealt = "".join(DECK[self.deck.order[place]] for place in self.cut)
        proof["log"]["older"] = self._older()
        return proof | {
            "notes": self.noted,
            "auditor": {"secret": self.secret.hex(), "deck": dealt or None},
        }

    def _log(self, course: bytes | None) -> LogProof:
        part = public_part(
            self.hand, self.deck.seal, called_ms=self.times.called_ms,
            dealt_ms=self.times.dealt_ms, roster=self.roster, openings=self.openings,
        )  # fmt: skip
        sealed = leaves.seal_leaf(
            self.hand,
            self.deck.seal,
            sealed_ms=self.times.sealed_ms,
            escrow_hash=digest(b"escrow"),
        )
        ended = leaves.fate_leaf(
            self.hand, self.deck.seal, fate=self.logged_fate or self.fate, reason=self.reason,
            ended_ms=self.times.ended_ms, public=public_hash(part), course=course,
        )  # fmt: skip
        both = [ended, sealed] if self.swap_leaves else [sealed, ended]
        logged = (*LEAVES_BEFORE, both[0], b"other", both[1])
        self.hashes = [tree.leaf_hash(leaf) for leaf in logged]
        first, second = len(LEAVES_BEFORE), len(LEAVES_BEFORE) + 2
        places = (second, first) if self.swap_leaves else (first, second)
        head = notes.LogHead(ORIGIN, len(self.hashes), tree.root_of(self.hashes))
        seal_at, fate_at = (
            LeafProof(place, log_reader.inclusion_path(place, self.hashes)) for place in places
        )
        return LogProof(seal_at, fate_at, notes.sign_head(head, self.log_private))

    def _older(self) -> dict[str, Any]:
        kept = [tree.leaf_hash(leaf) for leaf in self.older_leaves]
        head = notes.LogHead(ORIGIN, len(kept), tree.root_of(kept))
        path = log_reader.consistency_path(len(kept), self.hashes)
        checkpoint = notes.sign_head(head, self.log_private)
        return {"checkpoint": checkpoint, "path": [node.hex() for node in path]}

    def _change(self, step: str) -> None:
        if step in self.changes:
            self.changes[step](self)

    def row(self, seat: int) -> RosterRow:
        """Row of a seat."""
        return next(row for row in self.roster if row.seat == seat)

    def replace_row(self, seat: int, **fields: Any) -> None:
        """Change fields of a seat's row."""
        self.roster = [row._replace(**fields) if row.seat == seat else row for row in self.roster]


def play_out(random: Random, setup: HandSetup) -> list[HandEvent]:
    """Events of a hand with random actions to its end."""
    state: HandState | None = None
    told: list[HandEvent] = []
    happened: Sequence[HandEvent] = begin(setup)
    while True:
        for event in happened:
            state = evolve(state, event)
            told.append(event)
        assert state is not None
        if state.finished:
            return told
        assert state.actor is not None
        action = random_action(random, legal_actions(state, state.actor))
        happened = decide(state, state.actor, action)


def public_event(event: HandEvent) -> dict[str, Any]:
    """Event as the public stream tells it."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view(event, None)))
    return told


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()
