"""Pure script functions of the pages: event order, words for hands, amounts, the field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tables.engine import notation
from tests.web import browsing

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Call a function of a page module with plain values."""
    with browsing.empty_page(locale="en-GB") as page:

        def call(module: str, function: str, *arguments: Any) -> Any:
            return page.evaluate(
                "async ([module, name, given]) =>"
                " (await import(`/static/js/${module}.js`))[name](...given)",
                [module, function, list(arguments)],
            )

        yield call


@pytest.mark.parametrize(
    ("last", "event", "wanted"),
    [
        ("1-5", "1-6", "next"),
        ("1-5", "1-5", "old"),
        ("1-5", "1-2", "old"),
        ("1-5", "1-7", "gap"),
        ("1-9", "1-10", "next"),
        ("2-1", "1-99", "old"),
        ("1-5", "2-1", "gap"),
    ],
)
def test_an_event_is_next_or_old_or_shows_a_gap(
    run: Run, last: str, event: str, wanted: str
) -> None:
    assert run("shared/event_order", "follows", last, event) == wanted


def test_events_are_heard_once_and_those_of_a_table_up_to_a_gap(run: Run) -> None:
    told = [{"id": at} for at in ("1-5", "1-6", "1-8")]
    upto = {"fresh": [{"id": "1-6"}], "gap": True}
    assert run("shared/event_order", "unheard", "1-5", told, True) == upto
    beyond = {"fresh": [{"id": "1-6"}, {"id": "1-8"}], "gap": False}
    assert run("shared/event_order", "unheard", "1-5", told, False) == beyond
    assert run("shared/event_order", "unheard", None, told[:2], True)["fresh"] == told[:2]


@pytest.mark.rule("C-04")
def test_the_log_describes_a_first_button_by_cards_and_by_lot(run: Run) -> None:
    table = {"seats": [{"seat": 2, "name": "anna"}, {"seat": 5, "name": "bert"}]}
    drawn = {"type": "button_drawn", "button": 5, "cards": [[2, "7d"], [5, "Kh"]]}
    assert run("state/log_lines", "logLines", table, drawn) == [
        "High card for the button: bert (anna 7♦, bert K♥)"
    ]
    lot = drawn | {"cards": []}
    assert run("state/log_lines", "logLines", table, lot) == ["The lot gives the button to bert"]


@pytest.mark.rule("H-07", "H-09")
def test_the_log_names_dead_posts_and_straddles(run: Run) -> None:
    table = {"seats": [{"seat": 2, "name": "anna"}]}
    dead = {"type": "posted", "seat": 2, "kind": "dead", "amount": 50, "all_in": False}
    assert run("state/log_lines", "logLines", table, dead) == ["anna posts 50 dead"]
    penalty = dead | {"kind": "penalty"}
    told = ["anna pays a penalty of 50 into the pot"]
    assert run("state/log_lines", "logLines", table, penalty) == told
    blind = dead | {"kind": "big_blind", "amount": 100}
    told = ["anna posts the big blind of 100"]
    assert run("state/log_lines", "logLines", table | {"big_blind": 2}, blind) == told
    told = ["anna posts 100 live"]
    assert run("state/log_lines", "logLines", table | {"big_blind": 5}, blind) == told
    straddle = dead | {"kind": "straddle", "amount": 200}
    assert run("state/log_lines", "logLines", table, straddle) == ["anna straddles with 200"]


def _raked(*events: dict[str, object]) -> dict[str, object]:
    """A table with a main pot of 1000 and a side pot of 501 after these events."""
    pots = [{"amount": 1_000, "seats": [2, 5]}, {"amount": 501, "seats": [2, 5]}]
    seats = [{"seat": 2, "name": "anna", "bet": 0}, {"seat": 5, "name": "bert", "bet": 0}]
    return {"seats": seats, "pots": pots, "log": list(events)}


AWARD = {
    "type": "pot_awarded",
    "pot": 0,
    "amount": 1_000,
    "winners": [{"seat": 2, "amount": 975}],
    "half": "all",
    "rake": 25,
}


@pytest.mark.rule("R-02")
def test_pots_are_shown_without_the_rake_taken_after_streets(run: Run) -> None:
    street = {"type": "rake_taken", "amount": 20}
    state = _raked(street, street)
    assert run("state/bet_sizes", "raked", state) == 40
    assert run("state/bet_sizes", "potNow", state) == 1_501 - 40
    assert run("state/bet_sizes", "withoutRake", state["pots"], 40) == [974, 487]
    assert run("state/bet_sizes", "raked", _raked(street, AWARD)) == 20, "rake is counted once"
    assert run("state/bet_sizes", "potNow", _raked()) == 1_501


@pytest.mark.rule("R-02")
def test_rake_after_the_hand_is_told_with_each_pot(run: Run) -> None:
    assert run("state/bet_sizes", "raked", _raked(AWARD, AWARD | {"pot": 1, "rake": 12})) == 37
    told = ["Rake: 25 (the pot)", "anna wins 975 (the pot)"]
    assert run("state/log_lines", "logLines", _raked(), AWARD) == told
    per_street = _raked({"type": "rake_taken", "amount": 25})
    assert run("state/log_lines", "logLines", per_street, AWARD) == told[1:]
    free = AWARD | {"rake": 0, "winners": [{"seat": 2, "amount": 1_000}]}
    assert run("state/log_lines", "logLines", _raked(), free) == ["anna wins 1,000 (the pot)"]


@pytest.mark.rule("C-02")
def test_every_made_hand_has_a_name(run: Run) -> None:
    kinds = {notation.made(strength) for strength in range(1, 7463)}
    assert len(kinds) > 100
    words = {made: run("cards/hand_words", "madeWords", made) for made in sorted(kinds)}
    assert all(words.values())
    assert not [made for made, said in words.items() if "%(" in said or "  " in said]
    assert words["two_pair:KT"] == "two pair, kings and tens"
    assert words["full_house:32"] == "a full house, threes full of twos"
    assert words["straight:5"] == "a straight to the five"
    assert words["royal_flush"] == "a royal flush"


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("1200", 1200),
        ("1,200", 1200),
        ("1.200", 1200),
        (" 1 200 ", 1200),
        ("12e3", None),
        ("-5", None),
        ("", None),
        ("0x10", None),
        ("9" * 16, None),
    ],
)
def test_typed_amounts_are_read_in_every_usual_form(
    run: Run, typed: str, wanted: int | None
) -> None:
    assert run("shared/format", "amountFrom", typed) == wanted


@pytest.mark.parametrize(
    ("ms", "wanted"),
    [(0, "0:00"), (999, "0:01"), (61_000, "1:01"), (3_600_000, "1:00:00"), (90_000_000, "1 d 1 h")],
)
def test_durations_count_down_to_zero(run: Run, ms: int, wanted: str) -> None:
    assert run("shared/format", "duration", ms) == wanted


def test_presets_stay_within_the_allowed_amounts(run: Run) -> None:
    state = {
        "street": "flop",
        "stakes": {"big_blind": 100},
        "pots": [{"amount": 3_000, "seats": [1, 2]}],
        "seats": [{"seat": 1, "bet": 0, "chips": 700}, {"seat": 2, "bet": 0, "chips": 9_000}],
    }
    option = {"check": True, "call": None, "bet_min": 100, "bet_max": 700, "raise_min": None}
    found = run("state/bet_sizes", "presets", state, option)
    assert [choice["to"] for choice in found] == [100, 700, 700, 700, 700]
    assert run("state/bet_sizes", "presets", state, {"check": False, "call": 50}) == []


@pytest.mark.parametrize(
    ("kind", "option", "wanted"),
    [
        ("fold", {"check": True}, "check"),
        ("fold", {"check": False, "call": 50}, "fold"),
        ("check_fold", {"check": True}, "check"),
        ("check_fold", {"check": False, "call": 50}, "fold"),
        ("check", {"check": True}, "check"),
        ("check", {"check": False, "call": 50}, None),
        ("call", {"check": False, "call": 50}, "call"),
        ("call", {"check": False, "call": 51}, None),
        ("call", {"check": True}, None),
    ],
)
def test_an_advance_action_never_costs_more_than_selected(
    run: Run, kind: str, option: dict[str, Any], wanted: str | None
) -> None:
    choice = {"kind": kind, "round": "4:flop", "call": 50}
    for asked, answer in (("4:flop", wanted), ("4:turn", None), ("5:flop", None)):
        turn = {"round": asked, "option": option}
        assert run("table/actions/pre_actions", "answer", choice, turn) == answer


def test_the_field_follows_its_events(run: Run) -> None:
    summary = {"left": 30, "entrants": 30, "starting_stack": 1_000, "state": "running"}
    overview = {
        "summary": summary,
        "places_paid": 5,
        "average": 1_000,
        "level_ends_at_ms": 99,
        "level_ends_in_hands": None,
        "tables_open": 4,
        "break_until_ms": None,
        "clock_runs": True,
        "hand_for_hand": False,
    }
    field = run("state/field", "fieldFrom", {"overview": overview})
    out = run("state/field", "fieldAfter", field, {"type": "player_out", "left": 20})
    assert (out["players_left"], out["average_chips"]) == (20, 1_500)
    merged = run(
        "state/field", "fieldAfter", out, {"type": "entries_merged", "entry": 3, "left": 19}
    )
    assert (merged["players_left"], merged["chips"]) == (19, 30_000)
    sold = {"type": "chips_sold", "entry": 3, "kind": "rebuy", "chips": 1_000}
    bought = run("state/field", "fieldAfter", out, sold)
    assert (bought["players_left"], bought["average_chips"]) == (20, 1_550)
    moved = run("state/field", "fieldAfter", out, sold | {"kind": "merge"})
    assert (moved["chips"], moved["average_chips"]) == (30_000, 1_500)
    later = run("state/field", "fieldAfter", out, {"type": "break_began", "until_ms": 500})
    assert (later["on_break"], later["level_ends_ms"]) == (True, 500)
    longer = {"type": "level_prolonged", "ends_at_ms": 900}
    assert run("state/field", "fieldAfter", later, longer)["level_ends_ms"] == 900
    assert run("state/field", "fieldAfter", later, {"type": "resumed"}) is None


@pytest.mark.rule("L-01")
def test_the_strip_counts_the_hands_of_a_level_by_hands(run: Run) -> None:
    level = {"type": "level_began", "ends_at_ms": None, "ends_in_hands": 2}
    stopped = {"tables": 2, "paused": True, "level_ends_ms": 5, "hands_left": None}
    assert run("table/felt/strip_view", "levelLeft", stopped) == "stopped"
    field = run("state/field", "fieldAfter", stopped | {"paused": False}, level)
    assert run("table/felt/strip_view", "levelLeft", field) == "at most 2 hands"
    field = run("state/field", "fieldAfter", field, {"type": "hands_left", "hands": 1})
    assert run("table/felt/strip_view", "levelLeft", field) == "at most 1 hand"
    field = run(
        "state/field", "fieldAfter", field, {"type": "table_closed", "table": 7, "number": 2}
    )
    assert run("table/felt/strip_view", "levelLeft", field) == "1 hand"
    field = run("state/field", "fieldAfter", field, {"type": "break_began", "until_ms": 1})
    assert run("table/felt/strip_view", "levelLeft", field) == "0:00"
    last = run("state/field", "fieldAfter", field, level | {"ends_in_hands": None})
    assert run("table/felt/strip_view", "levelLeft", last) == ""


FIELD = {
    "players_left": 12,
    "entrants": 40,
    "chips": 40_000,
    "stack": 1_000,
    "places_paid": 10,
    "level_ends_ms": 99,
    "on_break": False,
    "paused": False,
    "hand_for_hand": False,
    "selling": False,
}
"""Two from the money, and the clock goes."""

LEVEL = {"type": "level_began", "level": 5, "ends_at_ms": 700}
BREAK = {"type": "break_began", "until_ms": 700}
BUBBLE = {"type": "hand_for_hand_began", "left": 11, "places_paid": 10}


@pytest.mark.rule("T-09")
@pytest.mark.rule("L-05")
def test_the_clock_of_the_field_stops_with_the_tournament_clock(run: Run) -> None:
    def paused(field: dict[str, Any], event: dict[str, Any]) -> bool:
        return bool(run("state/field", "fieldAfter", field, event)["paused"])

    assert paused(FIELD, BUBBLE)
    assert paused(FIELD, {"type": "deal_opened", "deal": 1})
    assert paused(FIELD, {"type": "paused", "reason": "frozen"})
    assert paused(FIELD, {"type": "finished", "left": 1})
    assert not paused(FIELD, LEVEL) and not paused(FIELD, BREAK)
    # A break during hand-for-hand ends by time alone.
    assert not paused({**FIELD, "on_break": True}, BUBBLE)
    assert paused({**FIELD, "on_break": True, "paused": True}, BUBBLE)


@pytest.mark.rule("T-09")
@pytest.mark.parametrize(
    ("before", "event"),
    [
        ({"hand_for_hand": True, "paused": True}, {"type": "hand_for_hand_ended"}),
        ({"paused": True}, {"type": "deal_refused", "reason": "no"}),
        ({"paused": True}, {"type": "resumed"}),
        ({"paused": True}, LEVEL),
        ({"hand_for_hand": True, "on_break": True}, LEVEL),
        ({"hand_for_hand": True, "paused": True}, BREAK),
        ({}, {"type": "started"}),
    ],
)
def test_a_snapshot_is_requested_when_the_clock_may_run_again(
    run: Run, before: dict[str, Any], event: dict[str, Any]
) -> None:
    assert run("state/field", "fieldAfter", {**FIELD, **before}, event) is None


@pytest.mark.parametrize(
    ("outs", "money"),
    [([11], 0), ([10], 1), ([11, 10], 1), ([8, 8, 8, 8], 1), ([11, 9, 9, 5], 1)],
)
def test_the_money_is_announced_once_when_several_bust_in_a_hand(
    run: Run, outs: list[int], money: int
) -> None:
    field, told = FIELD, 0
    for left in outs:
        after = run("state/field", "fieldAfter", field, {"type": "player_out", "left": left})
        told += run("state/field", "reachesMoney", field, after)
        field = after
    assert told == money


def test_the_money_is_not_reached_while_entries_are_sold(run: Run) -> None:
    selling = {**FIELD, "selling": True, "players_left": 9}
    out = run("state/field", "fieldAfter", selling, {"type": "player_out", "left": 8})
    assert not run("state/field", "reachesMoney", selling, out)
    fixed = {"type": "pool_fixed", "entrants": 40, "pool": 900, "prizes": [500, 300, 100, 0]}
    after = run("state/field", "fieldAfter", out, fixed)
    assert after["places_paid"] == 3 and not run("state/field", "reachesMoney", out, after)
    after = run("state/field", "fieldAfter", out, {**fixed, "prizes": [100] * 9})
    assert run("state/field", "reachesMoney", out, after)
    assert not run("state/field", "reachesMoney", None, after)


@pytest.mark.rule("N-04")
def test_heads_at_the_table_follow_the_stream_of_the_tournament(run: Run) -> None:
    field = {"bounty": 500, "heads": {"7": 750}}
    assert run("state/field", "headOf", field, 7) == 750
    assert run("state/field", "headOf", field, 8) == 500
    won = {"type": "bounty_won", "entry": 9, "to": [{"entry": 8, "cash": 250, "head": 900}]}
    after = run("state/field", "fieldAfter", field, won)
    assert [run("state/field", "headOf", after, entry) for entry in (7, 8)] == [750, 900]
    after = run(
        "state/field", "fieldAfter", after, {"type": "head_changed", "entry": 7, "head": 10}
    )
    assert run("state/field", "headOf", after, 7) == 10
    assert run("state/field", "headOf", None, 7) == 0


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("12", 1_200),
        (" 12.5 ", 1_250),
        ("12,50", 1_250),
        ("1.250", 125_000),
        ("1,250.5", 125_050),
        ("1.250,50", 125_050),
        ("0.05", 5),
        ("", None),
        (".", None),
        ("-5", None),
        ("1e3", None),
    ],
)
def test_typed_money_is_read_as_cents(run: Run, typed: str, cents: int | None) -> None:
    assert run("shared/format", "moneyFrom", typed) == cents


@pytest.mark.parametrize(
    ("tags", "written"),
    [
        (["en-GB"], "13:37"),
        (["en-US@posix", "de-DE", "en-GB"], "13:37"),
        (["de-DE", "en-US"], "01:37 PM"),
        (["de-DE", "x"], "01:37 PM"),
        ([], "01:37 PM"),
    ],
)
def test_times_are_written_as_the_browser_writes_the_pages_language(
    tags: list[str], written: str
) -> None:
    with browsing.empty_page(timezone_id="Etc/UTC") as page:
        page.add_init_script(
            f"Object.defineProperty(navigator, 'languages', {{ get: () => {tags!r} }})"
        )
        page.reload()
        told = page.evaluate(
            "async (at) => (await import('/static/js/shared/format.js')).moment(at, at)",
            (13 * 60 + 37) * 60_000,
        )
    assert told.replace("\u202f", " ") == written
