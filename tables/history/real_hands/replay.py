"""Replay a recorded hand through the engine: exact, or the difference."""

from __future__ import annotations

from tables.engine.actions import Action, Bet, Call, Check, Fold, Raise
from tables.engine.begin import begin
from tables.engine.decide import decide
from tables.engine.events import HandEvent, Posted
from tables.engine.evolve import evolve_all
from tables.engine.refusals import ActionRefusal
from tables.engine.result import HandResult, result
from tables.engine.state import HandState
from tables.history.real_hands.record import RealAction, RealHand
from tables.history.real_hands.setup import setup


class NotExact(Exception):
    """First difference between the engine and the record, in one sentence."""


def replay(hand: RealHand) -> HandResult:
    """Play the hand and compare each step; return its result, or raise NotExact."""
    state = evolve_all(None, events := begin(setup(hand)))
    _compare_posts(hand, events)
    early: set[int] = set()
    for act in hand.actions:
        if act.seat in hand.away and act.seat != state.actor and act.kind == "fold":
            early.add(act.seat)
            continue
        state = _act(_fold_early(state, early), act)
    state = _fold_early(state, early)
    if not state.finished:
        raise NotExact(f"the record ends but seat {state.actor} is asked on the {state.street}")
    outcome = result(state)
    _compare_uncalled(hand, outcome)
    if _all_known(hand, state):
        _compare_collected(hand, outcome)
    return outcome


def _fold_early(state: HandState, early: set[int]) -> HandState:
    """Fold seats that folded early while sitting out, once their turn comes."""
    while state.actor in early:
        state = evolve_all(state, decide(state, state.actor, Fold()))
    return state


def _compare_posts(hand: RealHand, events: tuple[HandEvent, ...]) -> None:
    recorded: dict[int, int] = {}
    for seat, _, amount in hand.posts:
        recorded[seat] = recorded.get(seat, 0) + amount
    posted: dict[int, int] = {}
    for event in events:
        if isinstance(event, Posted):
            posted[event.seat] = posted.get(event.seat, 0) + event.amount
    if posted != recorded:
        raise NotExact(f"posts are {posted}, recorded {recorded}")


def _act(state: HandState, act: RealAction) -> HandState:
    where = f"{act.street}: seat {act.seat} {act.kind} {act.amount}"
    if state.finished:
        raise NotExact(f"{where}, but the hand is over")
    if (state.street, state.actor) != (act.street, act.seat):
        raise NotExact(f"{where}, but seat {state.actor} is asked on the {state.street}")
    owed = state.seat(act.seat)
    try:
        after = evolve_all(state, decide(state, act.seat, _action(act, level=state.level)))
    except ActionRefusal as refusal:
        raise NotExact(f"{where} is refused: {refusal.code} {refusal.allowed}") from None
    if act.kind in ("call", "bring_in"):
        added = _committed(after, act.seat) - owed.committed
        if added != act.amount:
            raise NotExact(f"{where}, but the engine takes {added}")
    return after


def _committed(state: HandState, seat: int) -> int:
    """Chips that a seat has put in, including those returned to it as uncalled."""
    returned = state.uncalled
    back = returned.chips if returned is not None and returned.seat == seat else 0
    return state.seat(seat).committed + back


def _action(act: RealAction, *, level: int) -> Action:
    """Return the engine's action; an opening of stud above the bring-in is a completion."""
    match act.kind:
        case "fold":
            return Fold()
        case "check":
            return Check()
        case "call" | "bring_in":
            return Call()
        case "bet" if level:
            return Raise(act.amount)
        case "bet":
            return Bet(act.amount)
        case "raise_to":
            return Raise(act.amount)
    raise NotExact(f"{act.kind} is no action of the format")


def _compare_uncalled(hand: RealHand, outcome: HandResult) -> None:
    """Compare the uncalled chips; older records omit the line and count them as collected."""
    ours = outcome.uncalled and (outcome.uncalled.seat, outcome.uncalled.chips)
    if hand.uncalled is not None and ours != hand.uncalled:
        raise NotExact(f"uncalled is {ours}, recorded {hand.uncalled}")


def _all_known(hand: RealHand, state: HandState) -> bool:
    """Return whether the record reveals the winner: one seat left, or all hands shown."""
    live = [seat for seat in state.seats if not seat.folded]
    return len(live) == 1 or all(
        len(hand.cards.get(seat.seat, ())) == len(seat.cards) for seat in live
    )


def _compare_collected(hand: RealHand, outcome: HandResult) -> None:
    won: dict[int, int] = {}
    if hand.uncalled is None and outcome.uncalled is not None:
        won[outcome.uncalled.seat] = outcome.uncalled.chips
    for award in outcome.awards:
        for share in award.winners:
            won[share.seat] = won.get(share.seat, 0) + share.amount
    if won != hand.collected:
        raise NotExact(f"collected {won}, recorded {hand.collected}")
