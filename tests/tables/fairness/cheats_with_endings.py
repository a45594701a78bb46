"""Cheats with ends of hands: hands looked up without a showdown, early ends, calls of no hand."""

from __future__ import annotations

from typing import Any

from tables.engine.cards import DECK
from tables.fairness import cutting, leaves
from tables.fairness.cutting import RosterRow
from tables.fairness.openings import Opening
from tables.fairness.positions import dealt_positions
from tests.tables.fairness.cheats import (
    SEEDS,
    cut_short,
    first,
    found_by,
    showdown,
    void_hand,
    void_in_play,
)
from tests.tables.fairness.forger import Forger

SEATS_OF_55_CARDS = 11
"""Seats that five cards each take more cards for than a deck has."""


def uncontested() -> Forger:
    """A hand that ends because all others fold to a seat that is not the viewer's."""
    for seed in SEEDS:
        forger = Forger(seed)
        forger.forge()
        dealt = dealt_positions(forger.events)
        live = dealt.hole.keys() - dealt.folded
        if len(live) == 1 and forger.viewer not in live:
            return Forger(seed)
    raise AssertionError("no seed has such a hand")


def look_up_a_live_seat(forger: Forger) -> None:
    """Open to the viewer all cards of another seat that did not fold."""
    dealt = dealt_positions(forger.events)
    seat = min(dealt.hole.keys() - dealt.folded - {forger.viewer})
    forger.looked_up = [seat]
    for position in set(dealt.hole[seat]) - dealt.shown.keys():
        place = forger.cut[position]
        card, salt = forger.deck.order[place], forger.deck.salts[place]
        forger.openings.append(Opening(position, place, card, salt, "you"))


@found_by("V11")
def hand_looked_up_to_which_all_others_folded() -> dict[str, Any]:
    return uncontested().forge(opened=look_up_a_live_seat)


@found_by("V11")
def hand_looked_up_of_a_void_hand() -> dict[str, Any]:
    def fold_to_two(forger: Forger) -> None:
        dealt = [told["seat"] for told in forger.events if told["type"] == "hole_cards_dealt"]
        del forger.events[1 + max(_places(forger, "hole_cards_dealt")) :]
        forger.events += [{"type": "folded", "seat": seat} for seat in sorted(dealt)[2:]]

    return void_in_play().forge(played=fold_to_two, opened=look_up_a_live_seat)


def _places(forger: Forger, kind: str) -> list[int]:
    """Numbers of the events of a type."""
    return [at for at, told in enumerate(forger.events) if told["type"] == kind]


@found_by("V11")
def secret_of_a_played_hand_published() -> dict[str, Any]:
    forger = Forger()
    forger.public_secret = forger.secret
    return forger.forge()


@found_by("V11")
def secret_of_a_hand_void_in_play_published() -> dict[str, Any]:
    forger = void_in_play()
    forger.public_secret = forger.secret
    return forger.forge(played=cut_short)


@found_by("V09")
def folded_hand_shown() -> dict[str, Any]:
    def show(forger: Forger) -> None:
        dealt = dealt_positions(forger.events)
        seat = min(dealt.folded - {forger.viewer})
        cards = [DECK[forger.deck.order[forger.cut[place]]] for place in dealt.hole[seat]]
        shown = {"type": "cards_shown", "seat": seat, "cards": cards, "made": ""}
        forger.events.insert(-1, shown)

    return showdown().forge(played=show)


@found_by("V09")
def hand_ended_before_its_last_street() -> dict[str, Any]:
    def end(forger: Forger) -> None:
        ended = forger.events[-1]
        cut_short(forger)
        forger.events.append(ended)

    return showdown().forge(played=end)


@found_by("V09")
def stud_hand_ended_before_its_last_street() -> dict[str, Any]:
    def end(forger: Forger) -> None:
        del forger.events[_places(forger, "street_dealt")[-1] : -1]

    return showdown(variant="stud").forge(played=end)


@found_by("V03")
def unplayed_deck_that_was_called() -> dict[str, Any]:
    forger = void_hand()
    forger.fate = leaves.Fate.UNPLAYED
    return forger.forge()


@found_by("V09")
def more_cards_dealt_than_the_deck_has() -> dict[str, Any]:
    forger = Forger(variant="omaha5", seats=8)
    forger.cards = 5 * SEATS_OF_55_CARDS
    others = range(20, 20 + SEATS_OF_55_CARDS - len(forger.seats))

    def call(forger: Forger) -> None:
        forger.roster += [RosterRow(seat, 700 + seat) for seat in others]
        forger.noted["call"] = cutting.call_of(forger.hand, forger.deck.seal, forger.roster).hex()

    def deal(forger: Forger) -> None:
        began, ended = first(forger, "hand_began"), forger.events[-1]
        seats = sorted([*forger.seats, *others], key=lambda seat: (seat <= began["button"], seat))
        began["stacks"] = [{"seat": seat, "chips": 100} for seat in seats]
        dealt = {"type": "hole_cards_dealt", "cards": ["??"] * 5, "up": 0}
        folded = [{"type": "folded", "seat": seat} for seat in seats if seat != forger.viewer]
        forger.events = [began, *({**dealt, "seat": seat} for seat in seats), *folded, ended]

    return forger.forge(called=call, played=deal)
