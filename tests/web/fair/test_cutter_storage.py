"""The page's cutter: pledges without storage, after damage, and with a bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tables.fairness.cutting import pledge_of
from tables.fairness.encoding import digest, tag
from tests.web import browsing

ROOM = "5a" * 16
_CUT = """async ([room, entries]) => {
  const { Cutter } = await import('/static/js/table/cutter.js');
  const said = [];
  const cutter = new Cutter({ welcome: { room }, say: (message) => said.push(message) });
  for (const entry of entries) {
    const seat = { seat: 1, entry };
    cutter.shown({ table: 7, epoch: 1, hand: 2 }, seat);
    const called = { type: 'cut_called', hand: 3, call: 'c', seats: [1] };
    cutter.heard(called, { table: 7, epoch: 1, hand: 3 }, seat);
  }
  await cutter.work;
  return said;
}"""


@pytest.fixture
def page() -> Iterator[Page]:
    """An empty page of the room's scripts."""
    with browsing.empty_page() as opened:
        yield opened


def _said(page: Page, *entries: int) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = page.evaluate(_CUT, [ROOM, list(entries)])
    return said


def _is_right(pledged: dict[str, Any], opened: dict[str, Any], entry: int) -> bool:
    bound = pledge_of(bytes.fromhex(ROOM), entry, bytes.fromhex(opened["seed"]))
    first, second = str(pledged["pledge"]), str(opened["pledge"])
    return bound.hex() == first != second


def test_a_seed_opens_the_pledge_before_it_and_the_next_is_pledged(page: Page) -> None:
    pledged, opened = _said(page, 11)
    assert _is_right(pledged, opened, 11)
    again, _ = _said(page, 11)
    assert again["pledge"] == opened["pledge"], "a page that is loaded again keeps its pledge"


_WINDOWS = """async ([room, entries]) => {
  const { Cutter } = await import('/static/js/table/cutter.js');
  const windows = entries.map((entry) => {
    const said = [];
    const cutter = new Cutter({ welcome: { room }, say: (message) => said.push(message) });
    return { cutter, said, seat: { seat: 1, entry }, table: entry };
  });
  for (const { cutter, seat, table } of windows) cutter.shown({ table, epoch: 1, hand: 2 }, seat);
  await Promise.all(windows.map(({ cutter }) => cutter.work));
  for (const { cutter, seat, table } of windows) {
    const called = { type: 'cut_called', hand: 3, call: 'c', seats: [1] };
    cutter.heard(called, { table, epoch: 1, hand: 3 }, seat);
  }
  await Promise.all(windows.map(({ cutter }) => cutter.work));
  return windows.map(({ said }) => said);
}"""


def test_windows_whose_tables_call_at_once_keep_the_seeds_of_all(page: Page) -> None:
    entries = [11, 12, 13]
    told = page.evaluate(_WINDOWS, [ROOM, entries])
    for entry, (pledged, opened) in zip(entries, told, strict=True):
        assert opened["seed"] and _is_right(pledged, opened, entry), entry


_DECK_CUT = """async ([room, cuts]) => {
  const { Cutter } = await import('/static/js/table/cutter.js');
  const said = [];
  const cutter = new Cutter({ welcome: { room }, say: (message) => said.push(message) });
  const seat = { seat: 1, entry: 11 };
  cutter.heard({ type: 'deck_cut', hand: 4, cuts }, { table: 7, epoch: 2, hand: 3 }, seat);
  await cutter.work;
  return said;
}"""


def test_a_page_pledges_again_when_its_seat_had_no_pledge(page: Page) -> None:
    [again] = page.evaluate(_DECK_CUT, [ROOM, [[1, 0, ""], [2, 2, "ab"]]])
    assert (again["table"], again["epoch"], again["hand"]) == (7, 2, 4)
    assert again["pledge"] and not again["seed"]
    assert page.evaluate(_DECK_CUT, [ROOM, [[1, 2, "ab"], [2, 0, ""]]]) == []


_NOTED = """async ([room, way]) => {
  const { Cutter } = await import('/static/js/table/cutter.js');
  const { noted } = await import('/static/js/fair/notes.js');
  const said = [];
  const opened = () => new Cutter({ welcome: { room }, say: (message) => said.push(message) });
  const seat = { seat: 1, entry: 11 };
  const first = opened();
  first.shown({ table: 7, epoch: 1, hand: 2 }, seat);
  await first.work;
  if (way !== 'at once') await new Promise((later) => setTimeout(later, 1_200));
  if (way === 'taken over') first.takenOver();
  const cutter = way === 'another page' ? opened() : first;
  const cutting = { hand: 3, call: 'c', seats: [1] };
  const state = { table: 7, epoch: 1, hand: 3, cutting };
  cutter.shown(state, seat);
  cutter.shown(state, seat);
  await cutter.work;
  return [said, noted({ room, table: 7, epoch: 1, hand: 3 })];
}"""


def test_only_a_page_that_pledged_notes_the_called_pledge_as_its_own(page: Page) -> None:
    (pledged, *cuts), notes = page.evaluate(_NOTED, [ROOM, ""])
    assert notes["pledge"] == pledged["pledge"] and notes["seed"] == cuts[0]["seed"]
    # Between its pledge and the call another browser may have pledged for the same seat, and a
    # pledge that was on its way when the room called is not the called one.
    for way in ("another page", "taken over", "at once"):
        page.evaluate("localStorage.clear()")
        (pledged, *cuts), notes = page.evaluate(_NOTED, [ROOM, way])
        assert _is_right(pledged, cuts[0], 11) and cuts[1]["seed"] == cuts[0]["seed"], way
        assert notes is None, way


@pytest.mark.parametrize("refused", ["setItem", "getItem"])
def test_a_browser_without_storage_cuts_too(page: Page, refused: str) -> None:
    page.evaluate(
        "(name) => { Storage.prototype[name] = () => { throw new Error('no storage'); }; }", refused
    )
    pledged, opened = _said(page, 11)
    assert _is_right(pledged, opened, 11)


@pytest.mark.parametrize("kept", ["{", "7", "null", '{"room": "another"}', f'{{"room": "{ROOM}"}}'])
def test_unreadable_notes_begin_anew(page: Page, kept: str) -> None:
    page.evaluate("(kept) => localStorage.setItem('cuts', kept)", kept)
    pledged, opened = _said(page, 11)
    assert _is_right(pledged, opened, 11)


def test_seeds_of_old_entries_are_forgotten(page: Page) -> None:
    _said(page, *range(1, 101))
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('cuts'))")
    assert list(kept["seeds"]) == [str(entry) for entry in range(69, 101)]
    assert len(kept["opened"]) == 1, "one call of one hand"


def _seed_with(page: Page, byte: int, words: str) -> bytes:
    """The seed that a page opens first, when its random bytes are known."""
    page.evaluate(
        """([byte, words]) => {
          localStorage.clear();
          if (words) localStorage.setItem("room.own_seed", words);
          crypto.getRandomValues = (bytes) => bytes.fill(byte);
        }""",
        [byte, words],
    )
    _, opened = _said(page, 11)
    return bytes.fromhex(opened["seed"])


def test_own_words_are_mixed_into_the_random_seed_and_never_replace_it(page: Page) -> None:
    assert _seed_with(page, 7, "") == b"\x07" * 32
    mixed = _seed_with(page, 7, "mine, not yours: äöü")
    assert mixed == digest(tag("ownseed"), b"\x07" * 32, "mine, not yours: äöü".encode())
    assert _seed_with(page, 7, "other words") != mixed
    assert _seed_with(page, 8, "mine, not yours: äöü") != mixed, "the random bytes count"
