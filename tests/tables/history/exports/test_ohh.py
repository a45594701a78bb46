"""Hands as Open Hand History: published fields, chips in as chips out, shown cards alone."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from msgspec.structs import replace

from tables.dealer.record import HandRecord
from tables.dealer.state import DecisionNote
from tables.engine.events import Card, HoleCardsDealt, Options, Rake
from tables.engine.variants import VARIANTS
from tables.history.exports import hand, ohh
from tables.history.exports.games import GameFacts, TournamentFacts, facts_of
from tables.history.exports.hand import ExportedHand
from tests.tables.engine.random_hands import random_setup
from tests.tables.history.exports.played import GAME, USER, played_at_random, random_record

SCHEMA = Draft202012Validator(
    json.loads(Path(__file__).with_name("ohh_schema.json").read_text(encoding="utf-8"))
)
GAMES = [(name, limit) for name, variant in VARIANTS.items() for limit in variant.limits]
HANDS = 15
CUP = TournamentFacts(
    start_ms=1_795_440_000_000,
    buy_in=1_000,
    bounty=250,
    fee=100,
    starting_stack=1_500,
    is_single_table=False,
    level_ms=300_000,
    flags=("Bounty",),
)


def seen(kept: HandRecord, user: int | None = None, game: GameFacts = GAME) -> ExportedHand:
    """The hand as a user was shown it."""
    return hand.seen_by(user, kept, game=game, table=4, seats_max=9)


def read(exported: ExportedHand) -> dict[str, Any]:
    """The hand of a document that has the published fields alone."""
    document = json.loads(ohh.written(exported))
    SCHEMA.validate(document)
    fields: dict[str, Any] = document["ohh"]
    return fields


def actions(fields: dict[str, Any]) -> list[dict[str, Any]]:
    """All actions in order."""
    return [action for told in fields["rounds"] for action in told["actions"]]


def stacks_of(fields: dict[str, Any], uncalled: dict[int, int]) -> dict[int, float]:
    """Stacks after the hand by what the document says of chips."""
    stacks = {player["id"]: player["starting_stack"] for player in fields["players"]}
    for action in actions(fields):
        stacks[action["player_id"]] -= action["amount"]
    for pot in fields["pots"]:
        for win in pot["player_wins"]:
            stacks[win["player_id"]] += win["win_amount"]
    return {seat: chips + uncalled.get(seat, 0) for seat, chips in stacks.items()}


def returned(kept: HandRecord) -> dict[int, int]:
    """Chips that nobody called, by seat."""
    uncalled = kept.result.uncalled
    return {} if uncalled is None else {uncalled.seat: uncalled.chips}


@pytest.mark.parametrize(("variant", "limit"), GAMES)
def test_chips_in_are_chips_out(variant: str, limit: str) -> None:
    for seed in range(HANDS):
        kept = random_record(Random(seed), variant, limit)
        fields = read(seen(kept))
        after = {stack.seat: stack.chips for stack in kept.result.stacks_after}
        uncalled = returned(kept)
        assert stacks_of(fields, uncalled) == after, seed
        put_in = sum(action["amount"] for action in actions(fields))
        pots = sum(pot["amount"] for pot in fields["pots"])
        assert put_in - sum(uncalled.values()) == pots
        for pot in fields["pots"]:
            wins = sum(win["win_amount"] for win in pot["player_wins"])
            assert pot["amount"] == pot["rake"] + wins
        assert (fields["_variant"], fields["_limit"]) == (variant, limit)


@pytest.mark.rule("S-03")
@pytest.mark.parametrize("variant", list(VARIANTS))
def test_only_cards_that_were_shown_are_named(variant: str) -> None:
    for seed in range(HANDS):
        kept = random_record(Random(seed), variant, "fixed_limit")
        every = hand.with_all_cards(kept, game=GAME, table=4, seats_max=9)
        held: dict[int, tuple[Card, ...]] = {}
        up: set[Card] = set(kept.result.board)
        for event in every.events:
            if isinstance(event, HoleCardsDealt):
                held[event.seat] = held.get(event.seat, ()) + event.cards
                up.update(event.cards[len(event.cards) - event.up :])
        open_cards = up | {card for _, cards in kept.result.shown for card in cards}
        for user, own in ((None, ()), *((USER + seat, cards) for seat, cards in held.items())):
            exported = seen(kept, user)
            fields = read(exported)
            named = {card for act in actions(fields) for card in act.get("cards", ())}
            named |= {card for told in fields["rounds"] for card in told.get("cards", ())}
            assert named <= open_cards | set(own)
            assert set(own) <= named
            assert fields.get("hero_player_id") == exported.viewer
            assert ("Observed" in fields["flags"]) == (user is None)


def test_rounds_begin_with_the_posts_and_end_with_the_showdown() -> None:
    kept = random_record(Random(4), "holdem", "no_limit")
    fields = read(seen(kept))
    streets = [told["street"] for told in fields["rounds"]]
    assert streets[0] == "Preflop"
    assert [told["id"] for told in fields["rounds"]] == list(range(len(streets)))
    assert "Showdown" not in streets[:-1]
    for told in fields["rounds"]:
        numbers = [action["action_number"] for action in told["actions"]]
        assert numbers == list(range(1, len(numbers) + 1))
    assert all(action["action"] != "Bet" for action in fields["rounds"][0]["actions"])


def test_times_and_decisions_of_the_room_are_fields_of_the_room() -> None:
    kept = random_record(Random(4), "holdem", "no_limit")
    notes = tuple(DecisionNote(100 * at, "time_out") for at, _ in enumerate(kept.actions))
    told = [act for act in actions(read(seen(replace(kept, notes=notes)))) if "_at_ms" in act]
    assert [act["_at_ms"] for act in told] == [note.at_ms for note in notes]
    assert [act["player_id"] for act in told] == [played.seat for played in kept.actions]
    assert {act["_by_room"] for act in told} == {"time_out"}


def test_a_tournament_is_named_with_its_price_and_speed() -> None:
    kept = random_record(Random(1), "holdem", "no_limit")
    fields = read(seen(kept, game=GameFacts("Cup", tournament=CUP)))
    info = fields["tournament_info"]
    assert (fields["tournament"], info["tournament_number"]) == (True, str(kept.game))
    assert (info["buyin_amount"], info["bounty_fee_amount"], info["fee_amount"]) == (10, 2.5, 1)
    assert info["speed"] == {"type": "Turbo", "round_time": 300}
    assert (info["type"], info["flags"]) == ("MTT", ["Bounty"])
    before = read(seen(kept, game=GameFacts("Cup", tournament=replace(CUP, start_ms=None))))
    assert before["tournament_info"]["start_date_utc"] == fields["start_date_utc"]
    by_hands = read(seen(kept, game=GameFacts("Cup", tournament=replace(CUP, level_ms=0))))
    assert by_hands["tournament_info"]["speed"] == {"type": "Normal", "round_time": 0}


def test_money_is_written_in_its_unit_with_the_rake() -> None:
    setup = random_setup(Random(3), variant="holdem", limit="no_limit", seats=3)
    rules = replace(setup.rules, options=Options(rake=Rake(500, 0, 900)))
    kept = played_at_random(Random(3), replace(setup, rules=rules))
    fields = read(seen(kept, game=GameFacts("0.50/1.00", for_money=True)))
    assert "tournament_info" not in fields and fields["tournament"] is False
    rake = sum(pot["rake"] for pot in fields["pots"])
    assert rake > 0 and round(rake * 100) == kept.result.rake
    stacks = {player["seat"]: player["starting_stack"] for player in fields["players"]}
    assert stacks == {stack.seat: stack.chips / 100 for stack in kept.result.stacks_before}


@pytest.mark.rule("R-03")
@pytest.mark.parametrize(
    ("director", "flags"), [("rapid", ["Observed", "Fast"]), ("ring", ["Observed"])]
)
@pytest.mark.django_db
def test_hands_of_rapid_pools_are_fast(director: str, flags: list[str]) -> None:
    game = replace(facts_of(director, 0), name="Pool")
    kept = random_record(Random(1), "holdem", "no_limit")
    assert read(seen(kept, game=game))["flags"] == flags


def test_the_schema_refuses_other_fields() -> None:
    document = json.loads(ohh.written(seen(random_record(Random(1), "holdem", "no_limit"))))
    for path, value in (("dealer", 1), ("game_type", "Poker"), ("pots", [])):
        with pytest.raises(ValidationError):
            SCHEMA.validate({"ohh": document["ohh"] | {path: value}})
