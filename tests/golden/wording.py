"""Plain words for each event of a hand, one line each."""

from __future__ import annotations

from tables.engine.events import (
    BetMade,
    BetsCollected,
    Called,
    CardsShown,
    Checked,
    Folded,
    HandBegan,
    HandEnded,
    HandEvent,
    HandsRevealed,
    HoleCardsDealt,
    Mucked,
    Posted,
    PotAwarded,
    Raised,
    RakeTaken,
    StreetDealt,
    UncalledReturned,
)


def told(event: HandEvent) -> list[str]:
    """Return the event in words; an empty list for the hand's first and last."""
    match event:
        case HandBegan() | HandEnded():
            return []
        case Posted(seat, kind, amount, all_in):
            return [f"seat {seat} posts {kind.replace('_', ' ')} {amount}{_all_in(all_in)}"]
        case HoleCardsDealt(seat, cards, up):
            hidden = len(cards) - up
            words = [*cards[:hidden], *(f"[{card}]" for card in cards[hidden:])]
            return [f"seat {seat} gets {' '.join(words)}"]
        case Folded(seat):
            return [f"seat {seat} folds"]
        case Checked(seat):
            return [f"seat {seat} checks"]
        case Called(seat, amount, all_in):
            return [f"seat {seat} calls {amount}{_all_in(all_in)}"]
        case BetMade(seat, amount, all_in):
            return [f"seat {seat} bets {amount}{_all_in(all_in)}"]
        case Raised(seat, to, amount, all_in):
            return [f"seat {seat} raises to {to}, adding {amount}{_all_in(all_in)}"]
    return _dealer(event)


def _dealer(event: HandEvent) -> list[str]:
    match event:
        case UncalledReturned(seat, amount):
            return [f"{amount} uncalled go back to seat {seat}"]
        case BetsCollected(pots):
            return [
                f"pot {number}: {pot.amount} for {_seats(pot.seats)}"
                for number, pot in enumerate(pots)
            ]
        case RakeTaken(amount):
            return [f"rake {amount} is taken of the pots"]
        case HandsRevealed(hands):
            return [f"seat {seat} turns up {' '.join(cards)}" for seat, cards in hands]
        case StreetDealt(street, cards):
            return [f"{street}: {' '.join(cards)}" if cards else f"{street} street"]
        case CardsShown(seat, cards, made, low):
            return [f"seat {seat} shows {' '.join(cards)} {made} {low}".rstrip()]
        case Mucked(seat):
            return [f"seat {seat} mucks"]
        case PotAwarded(pot, amount, winners, half, rake):
            part = "" if half == "all" else f", {half} half"
            taken = f", rake {rake}" if rake else ""
            shares = ", ".join(f"seat {share.seat} wins {share.amount}" for share in winners)
            return [f"pot {pot} ({amount}{part}{taken}): {shares}"]
    raise AssertionError(event)


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""


def _seats(seats: tuple[int, ...]) -> str:
    return "seat " + ", ".join(map(str, seats))
