"""The checker passes honest histories and finds every planted defect."""

from __future__ import annotations

import re
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
from tests.tables.history.defects import DEFECTS, events_of, first_sent, is_deal
from tests.tables.history.scene import SPECTATOR, STREAM, USERS, Scene, begin


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


@pytest.mark.parametrize("again", [False, True])
def test_void_hand_that_its_players_are_not_told_of_is_found(again: bool) -> None:
    scene = Scene(31).void(again=again)
    assert check_histories(scene.raw()).violations == []
    for log in scene.logs.values():
        assert log[-1]["got"]["state"]["voided"] == 1
        log[-1]["got"]["state"]["voided"] = None
    untold = check_histories(scene.raw()).violations
    assert len(untold) == len(USERS)
    assert all("hand 1 is void, and this does not say so" in line for line in untold)


def test_events_without_any_listener_are_not_judged() -> None:
    """An action and the turn after it fall into an outage; all clients return by snapshots."""
    scene = Scene(31).play(6)
    user, _ = first_sent(scene)
    done = next(e for e in events_of(scene.logs[user]) if e["type"] == "turn_began")
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
        dealt = [e for e in events_of(scene.logs[201]) if e["type"] == "hole_cards_dealt"]
        later += sum(len(event["cards"]) == 1 for event in dealt)
    assert later and judged


@pytest.mark.parametrize("seed", range(5))
def test_a_stud_card_dealt_twice_is_found(seed: int) -> None:
    scene = Scene(seed, STUD).play(1)
    last = events_of(scene.logs[201])[-1]["id"]
    scene.got(201, {"type": "events", "stream": STREAM, "events": [_next_card(scene, last)]})
    assert any(
        "dealt other cards than before" in one for one in check_histories(scene.raw()).violations
    )


def _next_card(scene: Scene, last: str) -> dict[str, Any]:
    """Let one card of user 201 come again beside another one, in the event after the given one."""
    epoch, seq = last.split("-")
    *_, own = (e for e in events_of(scene.logs[201]) if is_deal(e, seat=1) and len(e["cards"]) > 1)
    other = "2c" if "2c" not in own["cards"] else "2d"
    return {**own, "id": f"{epoch}-{int(seq) + 1}", "cards": [own["cards"][0], other], "up": 0}


def _scene() -> Scene:
    return Scene(31).play(6)


@pytest.mark.parametrize("plant", DEFECTS, ids=lambda plant: plant.__name__)
def test_a_planted_defect_is_found(plant: Callable[[Scene], None]) -> None:
    scene = _scene()
    assert check_histories(scene.raw()).violations == []
    plant(scene)
    assert _matching(check_histories(scene.raw()), DEFECTS[plant])


def _matching(verdict: Verdict, pattern: str) -> list[str]:
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
    shown = [e for e in events_of(scene.logs[SPECTATOR]) if e["type"] == "cards_shown"]
    cards = sum(card != "??" for event in shown for card in event["cards"])
    assert cards > 0
    with_shown = check_histories(scene.raw()).cards_judged
    for user in USERS:
        for event in events_of(scene.logs[user]):
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


def _field(*, anew: bool, stream: str = "tournament:3", asks: int = 1, got: int = 1) -> list[str]:
    """Violations of a client that gets older snapshots, after it asked for them anew or not."""
    scene = Scene(31)
    log = scene.logs[SPECTATOR]
    snapshot = {"type": "snapshot", "stream": stream, "state": {}}
    told = {"type": "events", "stream": stream, "events": [{"id": "0-6", "type": "paused"}]}
    log.append({"got": {**snapshot, "id": "0-5"}})
    log.append({"got": told})
    wish = {"type": "subscribe", "stream": stream}
    log += [{"sent": wish if anew else {**wish, "after": "0-6"}}] * asks
    log += [{"got": {**snapshot, "id": "0-5"}}, {"got": told}] * got
    return check_histories(scene.raw()).violations


def test_a_page_that_asks_anew_may_see_a_shared_snapshot_of_a_moment_ago() -> None:
    assert _field(anew=True) == []
    assert _field(anew=True, asks=2, got=2) == []
    assert any("went back behind" in line for line in _field(anew=True, asks=1, got=2))
    assert any("went back behind" in line for line in _field(anew=False))
    assert any("went back behind" in line for line in _field(anew=True, stream="user:299"))
