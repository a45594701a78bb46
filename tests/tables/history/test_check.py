"""The checker passes honest histories and finds every planted defect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.engine.events import Stakes
from tables.engine.state import Rules
from tables.history.clients.check import Verdict, check_folder, check_histories
from tests.tables.history.scene import SPECTATOR, STREAM, USERS, Scene, begin

Log = list[dict[str, Any]]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), hands=st.integers(1, 4))
def test_honest_histories_are_sound(seed: int, hands: int) -> None:
    scene = Scene(seed).play(hands)
    verdict = check_histories(scene.raw())
    assert verdict.violations == []
    fates = Counter(verdict.fates)
    assert fates["took_effect"] == fates["acknowledged"] == scene.number
    assert verdict.hands >= 1
    assert verdict.clients == len(USERS)


def test_actions_of_a_void_hand_are_not_reported_lost() -> None:
    verdict = check_histories(Scene(31).void().void().raw())
    assert verdict.violations == []
    assert verdict.fates["acknowledged"] == 2
    assert verdict.fates["took_effect"] == 2, "each in the epoch it names"


def test_events_without_any_listener_are_not_judged() -> None:
    """An action and the turn after it fall into an outage; all clients return by snapshots."""
    scene = Scene(31).play(6)
    user, _ = _sent(scene)
    done = next(e for e in _events(scene.logs[user]) if e["type"] == "turn_began")
    at = int(done["id"].partition("-")[2])
    for log in scene.logs.values():
        for entry in log:
            events = entry.get("got", {}).get("events", [])
            kept = [e for e in events if e["id"] not in {f"1-{at + 1}", f"1-{at + 2}"}]
            if len(kept) < len(events):
                entry["got"]["events"] = kept
    found = [line for line in check_histories(scene.raw()).violations if "a gap after" not in line]
    assert found == []


def test_a_void_hand_may_be_dealt_again() -> None:
    scene = Scene(31).void().play(3)
    verdict = check_histories(scene.raw())
    assert verdict.violations == []
    assert verdict.fates["took_effect"] == scene.number


def test_cards_dealt_to_other_players_are_found() -> None:
    assert sum(check_histories(Scene(seed).play(4).raw()).cards_judged for seed in range(5)) > 0


STUD = Rules("stud", "fixed_limit", Stakes(0, 0, 10, "per_seat", 20, 100, 200))


def test_stud_cards_of_later_streets_belong_to_their_seat() -> None:
    later, judged = 0, 0
    for seed in range(5):
        scene = Scene(seed, STUD).play(5)
        verdict = check_histories(scene.raw())
        assert verdict.violations == []
        judged += verdict.cards_judged
        dealt = [e for e in _events(scene.logs[201]) if e["type"] == "hole_cards_dealt"]
        later += sum(len(event["cards"]) == 1 for event in dealt)
    assert later and judged


@pytest.mark.parametrize("seed", range(5))
def test_a_stud_card_dealt_twice_is_found(seed: int) -> None:
    scene = Scene(seed, STUD).play(1)
    last = _events(scene.logs[201])[-1]["id"]
    scene.got(201, {"type": "events", "stream": STREAM, "events": [_next_card(scene, last)]})
    assert any(
        "dealt other cards than before" in one for one in check_histories(scene.raw()).violations
    )


def _next_card(scene: Scene, last: str) -> dict[str, Any]:
    """Let one card of user 201 come again beside another one, in the event after the given one."""
    epoch, seq = last.split("-")
    *_, own = (e for e in _events(scene.logs[201]) if _is_deal(e, seat=1) and len(e["cards"]) > 1)
    other = "2c" if "2c" not in own["cards"] else "2d"
    return {**own, "id": f"{epoch}-{int(seq) + 1}", "cards": [own["cards"][0], other], "up": 0}


def _is_deal(event: dict[str, Any], seat: int) -> bool:
    return bool(event["type"] == "hole_cards_dealt" and event["seat"] == seat)


def _scene() -> Scene:
    return Scene(31).play(6)


def _events(log: Log) -> list[dict[str, Any]]:
    return [
        event
        for entry in log
        if entry.get("got", {}).get("type") == "events"
        for event in entry["got"]["events"]
    ]


def _find(scene: Scene, user: int, kind: str, **fields: Any) -> dict[str, Any]:
    return next(
        event
        for event in _events(scene.logs[user])
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
    last = next(e for e in _events(scene.logs[202]) if e["type"] == "turn_began")
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
    events = _events(scene.logs[SPECTATOR])
    first = next(n for n, e in enumerate(events) if e["type"] == whose)
    seat, number = events[first]["seat"], _number(scene, events[first])
    replaced = next(e["id"] for e in events[first + 1 :] if e["type"] in what)
    cards = _hole_cards(scene, seat, number)
    shown = {"type": "cards_shown", "seat": seat, "cards": cards, "made": "", "low": ""}
    for user in USERS:
        for event in [e for e in _events(scene.logs[user]) if e["id"] == replaced]:
            event.clear()
            event.update(shown, id=replaced)


def _hole_cards(scene: Scene, seat: int, number: int) -> list[str]:
    """Return what a seat was dealt in the hand of this number."""
    return next(
        list(e["cards"])
        for e in _events(scene.logs[200 + seat])
        if _is_deal(e, seat) and _number(scene, e) == number
    )


def show_the_card_of_another(scene: Scene) -> None:
    """Show a card at a showdown that was dealt to another player."""
    shown = _find(scene, SPECTATOR, "cards_shown")
    number = _number(scene, shown)
    seat = next(s for s in (1, 2, 3) if s != shown["seat"])
    other = _hole_cards(scene, seat, number)
    for user in USERS:
        for event in _events(scene.logs[user]):
            if event["id"] == shown["id"]:
                event["cards"] = [event["cards"][0], other[0]]


def _number(scene: Scene, event: dict[str, Any]) -> int:
    """Return the number of the hand in which a spectator received an event."""
    number = 0
    for told in _events(scene.logs[SPECTATOR]):
        number = told.get("hand", number) if told["type"] == "hand_began" else number
        if told["id"] == event["id"]:
            return number
    return 0


def hide_own_cards(scene: Scene) -> None:
    _find(scene, 201, "hole_cards_dealt", seat=1)["cards"] = ["??", "??"]


def tell_the_deck(scene: Scene) -> None:
    for user in USERS:
        _find(scene, user, "hand_began")["deck"] = ["As", "Kd"]


def _sent(scene: Scene, action: str | None = None) -> tuple[int, dict[str, Any]]:
    return next(
        (user, entry["sent"])
        for user in USERS
        for entry in scene.logs[user]
        if "sent" in entry and action in (None, entry["sent"]["action"])
    )


def acknowledge_what_never_happened(scene: Scene) -> None:
    user, act = _sent(scene)
    scene.sent(user, {**act, "id": "made-up", "turn": act["turn"] + 500})
    scene.got(user, {"type": "result", "id": "made-up", "ok": True})


def acknowledge_two_for_one_turn(scene: Scene) -> None:
    user, act = _sent(scene)
    scene.sent(user, {**act, "id": "second"})
    scene.got(user, {"type": "result", "id": "second", "ok": True})


def do_something_else(scene: Scene) -> None:
    _, act = _sent(scene, "call")
    act["action"] = "fold"


def raise_by_another_amount(scene: Scene) -> None:
    _, act = _sent(scene, "raise")
    act["amount"] += 1


def act_for_somebody(scene: Scene) -> None:
    user, act = _sent(scene)
    scene.logs[user] = [
        entry
        for entry in scene.logs[user]
        if entry.get("sent", {}).get("id") != act["id"]
        and entry.get("got", {}).get("id") != act["id"]
    ]


def refuse_but_do(scene: Scene) -> None:
    user, act = _sent(scene)
    answer = next(e for e in scene.logs[user] if e.get("got", {}).get("id") == act["id"])
    answer["got"] = {"type": "refused", "id": act["id"], "code": "stale_command", "message": "?"}


def say_both(scene: Scene) -> None:
    user, act = _sent(scene)
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


@pytest.mark.parametrize("plant", DEFECTS, ids=lambda plant: plant.__name__)
def test_a_planted_defect_is_found(plant: Callable[[Scene], None]) -> None:
    scene = _scene()
    assert check_histories(scene.raw()).violations == []
    plant(scene)
    assert _matching(check_histories(scene.raw()), DEFECTS[plant])


def _matching(verdict: Verdict, pattern: str) -> list[str]:
    import re

    found = [line for line in verdict.violations if re.search(pattern, line)]
    assert found, verdict.violations
    assert verdict.violations_seen >= len(verdict.violations)
    return found


def test_an_empty_folder_is_reported(tmp_path: Path) -> None:
    verdict = check_folder(tmp_path)
    assert verdict.messages == 0
    assert verdict.violations == ["no client wrote down a message: there is nothing to check"]


def test_every_card_of_a_showdown_is_judged() -> None:
    scene = _scene()
    shown = [e for e in _events(scene.logs[SPECTATOR]) if e["type"] == "cards_shown"]
    cards = sum(card != "??" for event in shown for card in event["cards"])
    assert cards > 0
    with_shown = check_histories(scene.raw()).cards_judged
    for user in USERS:
        for event in _events(scene.logs[user]):
            if event["type"] == "cards_shown":
                event["cards"] = ["??" for _ in event["cards"]]
    assert with_shown - check_histories(scene.raw()).cards_judged >= cards


def test_a_torn_last_line_of_a_killed_client_is_accepted() -> None:
    raw = _scene().raw()
    raw["Client202"][-1] = raw["Client202"][-1][:20]
    assert check_histories(raw).violations == []


def test_a_killed_client_continues_in_another_process() -> None:
    scene = _scene()
    raw = scene.raw()
    scene.show(202)
    raw["Client202"] += [b'{"at":3.1,"go', begin(202), scene.raw()["Client202"][-1]]
    assert check_histories(raw).violations == []


def test_a_line_torn_in_the_middle_is_reported() -> None:
    raw = _scene().raw()
    raw["Client202"][5] = raw["Client202"][5][:20]
    assert _matching(check_histories(raw), "Client202: Torn")


def test_a_history_without_its_first_line_is_reported() -> None:
    raw = _scene().raw()
    del raw["Client203"][0]
    assert _matching(check_histories(raw), "does not begin")
