"""Events that a page missed come all at once, when its connection is back."""

from __future__ import annotations

from typing import Any

from tests.web.browsing import SOUNDS_COUNTED, browser
from tests.web.scenes import Opened, drawn, scene

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
