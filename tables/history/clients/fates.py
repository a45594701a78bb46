"""Judge commands: an acknowledged one happened exactly once, and no other action happened."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from room_client.messages.commands import Act
from room_client.messages.hands import (
    BetMade,
    Called,
    Checked,
    Folded,
    HandBegan,
    HandEnded,
    Posted,
    Raised,
)
from room_client.messages.streams import TableEvent
from room_client.messages.tables import HandVoided, SatOut, TimedOut, TurnBegan
from tables.history.clients.room import ClientEvidence, Place, SentCommand

Turn = tuple[str, int, int, int]
"""Stream, epoch, hand, turn."""

_UNDECIDED = frozenset({"unavailable", "no_answer"})
"""Refusals after which the command may have taken effect or not."""


@dataclass(frozen=True, slots=True)
class Done:
    """Action at a turn: seat, kind and amount, and whether the clock forced it."""

    seat: int
    action: str
    amount: int | None
    by_itself: bool


def judge(room: ClientEvidence) -> dict[str, int]:
    """Note violations in `room`; return the number of actions by fate."""
    done, over = _course(room)
    fates: Counter[str] = Counter(sent=len(room.acts))
    by_turn: dict[Turn, list[SentCommand]] = {}
    for asked in room.acts.values():
        turn = _turn(asked.command)
        by_turn.setdefault(turn, []).append(asked)
        fates[_answered(asked, room)] += 1
    for turn, all_asked in by_turn.items():
        _judge_turn(turn, all_asked, done.get(turn), turn[:3] in over, fates, room)
    for turn, what in done.items():
        if turn not in by_turn and not what.by_itself and _logged(turn, what.seat, room):
            room.violate(f"{_named(turn)}: seat {what.seat} {what.action}, which nobody sent")
    return dict(fates)


def _judge_turn(
    turn: Turn,
    all_asked: list[SentCommand],
    what: Done | None,
    seen_whole: bool,
    fates: Counter[str],
    room: ClientEvidence,
) -> None:
    accepted = [asked for asked in all_asked if None in asked.answers]
    if len(accepted) > 1:
        room.violate(f"{_named(turn)}: {len(accepted)} commands for it were acknowledged")
    for asked in accepted:
        if what is None:
            # The hand was void, or its end was seen by no client.
            fates["void_or_unseen"] += 1
            if seen_whole:
                room.violate(f"{_named(turn)}: {asked.command.id} acknowledged, without effect")
        elif not _matches(asked, what):
            room.violate(
                f"{_named(turn)}: {asked.command.action} of seat {asked.seat} acknowledged,"
                f" but seat {what.seat} {what.action}"
            )
        else:
            fates["took_effect"] += 1
    if what is None or what.by_itself or accepted:
        return
    open_ = [a for a in all_asked if not (set(a.answers) - _UNDECIDED) and _matches(a, what)]
    if open_:
        fates["took_effect_unanswered"] += 1
    else:
        room.violate(
            f"{_named(turn)}: seat {what.seat} {what.action}, which was refused or unasked"
        )


def _answered(asked: SentCommand, room: ClientEvidence) -> str:
    answers = set(asked.answers)
    if len(answers - _UNDECIDED) > 1:
        room.violate(f"{asked.command.id} of user {asked.user} was acknowledged and refused")
    if None in answers:
        return "acknowledged"
    return "refused" if answers - _UNDECIDED else "unanswered"


def _course(room: ClientEvidence) -> tuple[dict[Turn, Done], set[tuple[str, int, int]]]:
    """Action at each turn, and the hands that were seen to their end without a gap."""
    done: dict[Turn, Done] = {}
    over: set[tuple[str, int, int]] = set()
    for (stream, epoch), events in room.course.items():
        turn: Turn | None = None
        late, last, whole = False, 0, False
        for seq in sorted(events):
            hand, event = events[seq]
            if seq != last + 1:  # no client was connected to hear the events in between
                whole, turn, late = False, None, False
            last = seq
            match event:
                case HandBegan():
                    whole, turn, late = True, None, False
                case TurnBegan():
                    turn = (stream, epoch, hand, event.turn)
                    late = False
                case TimedOut() | SatOut():
                    late = True
                case HandEnded() if whole:
                    over.add((stream, epoch, hand))
                case HandVoided():
                    turn = None
                case _:
                    what = _done(event, late)
                    if what is not None and turn is not None:
                        done[turn] = what
                        turn, late = None, False
    return done, over


def _done(event: TableEvent, late: bool) -> Done | None:
    match event:
        case Folded():
            return Done(event.seat, "fold", None, late)
        case Checked():
            return Done(event.seat, "check", None, late)
        case Called() | Posted(kind="bring_in"):  # the seat that brings in is asked, and calls it
            return Done(event.seat, "call", None, late)
        case BetMade():
            return Done(event.seat, "bet", event.amount, late)
        case Raised():
            return Done(event.seat, "raise", event.to, late)
        case _:
            return None


def _matches(asked: SentCommand, what: Done) -> bool:
    same = asked.command.action == what.action and asked.command.amount == what.amount
    return same and asked.seat in (what.seat, None)


def _logged(turn: Turn, seat: int, room: ClientEvidence) -> bool:
    """Return whether the player at this seat wrote a history, which must hold each action."""
    return seat in room.owned.get(Place(*turn[:3]), {})


def _turn(command: Act) -> Turn:
    return (f"table:{command.table}", command.epoch, command.hand, command.turn)


def _named(turn: Turn) -> str:
    stream, epoch, hand, number = turn
    return f"{stream} epoch {epoch} hand {hand} turn {number}"
