"""Sounds of a table: of events that were missed, and after the system interrupted them."""

from __future__ import annotations

from typing import Any

from tests.web.browsing import SOUNDS_COUNTED, browser
from tests.web.scenes import Opened, drawn, scene, turn_comes

__all__ = ["browser", "scene"]

HANDS = 20


def test_missed_events_sound_once_for_each_kind(scene: Opened) -> None:
    page = scene("other", script=SOUNDS_COUNTED)
    page.mouse.click(640, 300)
    begun = page.evaluate("() => room.model.state.log.find(({ type }) => type === 'hand_began')")
    missed: list[dict[str, Any]] = []
    for hand in range(43, 43 + HANDS):
        missed.append({**begun, "hand": hand})
        missed += [{"type": "called", "seat": seat, "amount": 200} for seat in (2, 3, 5)]
        missed.append({"type": "checked", "seat": 8})
    missed.append({**begun, "hand": 43 + HANDS})
    page.evaluate("() => { window.tones = 0; }")
    page.evaluate("(events) => room.model.events(events)", missed)
    drawn(page)
    assert 0 < page.evaluate("() => tones") <= 4


# A browser whose sound the system has interrupted, and that may not resume it yet.
_INTERRUPTED = """
  Object.defineProperty(BaseAudioContext.prototype, "state", { get: () => "interrupted" });
  window.resumed = 0;
  AudioContext.prototype.resume = () => {
    window.resumed += 1;
    return Promise.reject(new DOMException("Not now", "InvalidStateError"));
  };
"""


def test_a_turn_resumes_the_sound_that_the_system_interrupted(scene: Opened) -> None:
    page = scene("other", script=_INTERRUPTED)
    page.mouse.click(640, 300)
    turn_comes(page, call=800)
    assert page.evaluate("() => resumed") >= 1
