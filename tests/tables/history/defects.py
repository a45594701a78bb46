"""Defects planted in honest histories, each with the words in which the checker reports it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.tables.history.scene import SPECTATOR, STREAM, USERS, Scene

Log = list[dict[str, Any]]


def is_deal(event: dict[str, Any], seat: int) -> bool:
    """Return whether an event deals hole cards to a seat."""
    return bool(event["type"] == "hole_cards_dealt" and event["seat"] == seat)


def events_of(log: Log) -> list[dict[str, Any]]:
    """Return the events that a client received, in order."""
    return [
        event
        for entry in log
        if entry.get("got", {}).get("type") == "events"
        for event in entry["got"]["events"]
    ]


def _find(scene: Scene, user: int, kind: str, **fields: Any) -> dict[str, Any]:
    return next(
        event
        for event in events_of(scene.logs[user])
        if event["type"] == kind and fields.items() <= event.items()
    )


def _message_with(log: Log, event_id: str) -> dict[str, Any]:
    return next(
        entry["got"]
        for entry in log
        if entry.get("got", {}).get("type") == "events"
        and any(event["id"] == event_id for event in entry["got"]["events"])
    )


def lose_an_event(scene: Scene) -> None:
    lost = _find(scene, 201, "street_dealt")
    message = _message_with(scene.logs[201], lost["id"])
    message["events"].remove(lost)


def tell_twice(scene: Scene) -> None:
    told = _find(scene, 202, "street_dealt")
    scene.got(202, {"type": "events", "stream": STREAM, "events": [told]})


def swap_two_events(scene: Scene) -> None:
    message = next(
        entry["got"]
        for entry in scene.logs[203]
        if entry.get("got", {}).get("type") == "events" and len(entry["got"]["events"]) > 1
    )
    message["events"].reverse()


def tell_one_client_otherwise(scene: Scene) -> None:
    _find(scene, SPECTATOR, "posted")["amount"] += 1


def go_back_with_a_snapshot(scene: Scene) -> None:
    first = next(e for e in scene.logs[201] if e.get("got", {}).get("type") == "snapshot")
    scene.got(201, first["got"])


def deal_face_up_to_a_spectator(scene: Scene) -> None:
    own = _find(scene, 201, "hole_cards_dealt", seat=1)
    _find(scene, SPECTATOR, "hole_cards_dealt", id=own["id"])["cards"] = own["cards"]


def show_a_card_in_a_snapshot(scene: Scene) -> None:
    """Show user 202 a card of seat 1 in a snapshot in the middle of the first hand."""
    own = _find(scene, 201, "hole_cards_dealt", seat=1)
    last = next(e for e in events_of(scene.logs[202]) if e["type"] == "turn_began")
    place = next(n for n, e in enumerate(scene.logs[202]) if last in _told(e))
    scene.show(202)
    entry = scene.logs[202].pop()
    entry["got"]["id"] = _told(scene.logs[202][place])[-1]["id"]
    entry["got"]["state"]["hand"] = 1
    entry["got"]["state"]["board"] = []
    for seat in entry["got"]["state"]["seats"]:
        seat["cards"] = [own["cards"][0], "??"] if seat["seat"] == 1 else []
    scene.logs[202].insert(place + 1, entry)


def _told(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return list(entry.get("got", {}).get("events", ()))


def show_a_card_as_another(scene: Scene) -> None:
    """Replace a shown card by a hole card of another seat."""
    own = _find(scene, 201, "hole_cards_dealt", seat=1)
    _find(scene, 203, "hole_cards_dealt", seat=3)["cards"][0] = own["cards"][0]


def show_what_was_folded(scene: Scene) -> None:
    """Let a folded seat show its cards in place of the next action."""
    _show_in_place_of(scene, "folded", ("called", "checked", "pot_awarded"))


def show_cards_while_others_bet(scene: Scene) -> None:
    """Let a seat show its cards in place of a turn while betting continues."""
    _show_in_place_of(scene, "turn_began", ("turn_began",))


def _show_in_place_of(scene: Scene, whose: str, what: tuple[str, ...]) -> None:
    """In every history, replace the first event of kind `what` after one of kind `whose`."""
    events = events_of(scene.logs[SPECTATOR])
    first = next(n for n, e in enumerate(events) if e["type"] == whose)
    seat, number = events[first]["seat"], _number(scene, events[first])
    replaced = next(e["id"] for e in events[first + 1 :] if e["type"] in what)
    cards = _hole_cards(scene, seat, number)
    shown = {"type": "cards_shown", "seat": seat, "cards": cards, "made": "", "low": ""}
    for user in USERS:
        for event in [e for e in events_of(scene.logs[user]) if e["id"] == replaced]:
            event.clear()
            event.update(shown, id=replaced)


def _hole_cards(scene: Scene, seat: int, number: int) -> list[str]:
    """Return what a seat was dealt in the hand of this number."""
    return next(
        list(e["cards"])
        for e in events_of(scene.logs[200 + seat])
        if is_deal(e, seat) and _number(scene, e) == number
    )


def show_the_card_of_another(scene: Scene) -> None:
    """Show a card at a showdown that was dealt to another player."""
    shown = _find(scene, SPECTATOR, "cards_shown")
    number = _number(scene, shown)
    seat = next(s for s in (1, 2, 3) if s != shown["seat"])
    other = _hole_cards(scene, seat, number)
    for user in USERS:
        for event in events_of(scene.logs[user]):
            if event["id"] == shown["id"]:
                event["cards"] = [event["cards"][0], other[0]]


def _number(scene: Scene, event: dict[str, Any]) -> int:
    """Return the number of the hand in which a spectator received an event."""
    number = 0
    for told in events_of(scene.logs[SPECTATOR]):
        number = told.get("hand", number) if told["type"] == "hand_began" else number
        if told["id"] == event["id"]:
            return number
    return 0


def hide_own_cards(scene: Scene) -> None:
    _find(scene, 201, "hole_cards_dealt", seat=1)["cards"] = ["??", "??"]


def tell_the_deck(scene: Scene) -> None:
    for user in USERS:
        _find(scene, user, "hand_began")["deck"] = ["As", "Kd"]


def first_sent(scene: Scene, action: str | None = None) -> tuple[int, dict[str, Any]]:
    """Return the first command that was sent, of a kind if given, with its user."""
    return next(
        (user, entry["sent"])
        for user in USERS
        for entry in scene.logs[user]
        if "sent" in entry and action in (None, entry["sent"]["action"])
    )


def acknowledge_what_never_happened(scene: Scene) -> None:
    user, act = first_sent(scene)
    scene.sent(user, {**act, "id": "made-up", "turn": act["turn"] + 500})
    scene.got(user, {"type": "result", "id": "made-up", "ok": True})


def acknowledge_two_for_one_turn(scene: Scene) -> None:
    user, act = first_sent(scene)
    scene.sent(user, {**act, "id": "second"})
    scene.got(user, {"type": "result", "id": "second", "ok": True})


def do_something_else(scene: Scene) -> None:
    _, act = first_sent(scene, "call")
    act["action"] = "fold"


def raise_by_another_amount(scene: Scene) -> None:
    _, act = first_sent(scene, "raise")
    act["amount"] += 1


def act_for_somebody(scene: Scene) -> None:
    user, act = first_sent(scene)
    scene.logs[user] = [
        entry
        for entry in scene.logs[user]
        if entry.get("sent", {}).get("id") != act["id"]
        and entry.get("got", {}).get("id") != act["id"]
    ]


def refuse_but_do(scene: Scene) -> None:
    user, act = first_sent(scene)
    answer = next(e for e in scene.logs[user] if e.get("got", {}).get("id") == act["id"])
    answer["got"] = {"type": "refused", "id": act["id"], "code": "stale_command", "message": "?"}


def say_both(scene: Scene) -> None:
    user, act = first_sent(scene)
    refused = {"type": "refused", "id": act["id"], "code": "stale_command", "message": "?"}
    scene.got(user, refused)


def answer_what_nobody_sent(scene: Scene) -> None:
    scene.got(202, {"type": "result", "id": "never-sent", "ok": True})


DEFECTS: dict[Callable[[Scene], None], str] = {
    lose_an_event: "a gap after",
    tell_twice: "told again after",
    swap_two_events: "told again after|a gap after",
    tell_one_client_otherwise: "told otherwise to others",
    go_back_with_a_snapshot: "went back behind",
    deal_face_up_to_a_spectator: "face up",
    show_a_card_in_a_snapshot: "user 202 saw",
    show_a_card_as_another: "user 203 saw",
    show_what_was_folded: "which it folded",
    show_cards_while_others_bet: "showed cards before the turn",
    show_the_card_of_another: "which it was not dealt",
    hide_own_cards: "own cards are hidden",
    tell_the_deck: "the deck is told",
    acknowledge_what_never_happened: "without effect",
    acknowledge_two_for_one_turn: "2 commands for it were acknowledged",
    do_something_else: "fold of seat . acknowledged, but seat . call",
    raise_by_another_amount: "raise of seat . acknowledged",
    act_for_somebody: "which nobody sent",
    refuse_but_do: "refused or unasked",
    say_both: "was acknowledged and refused",
    answer_what_nobody_sent: "which he never sent",
}
