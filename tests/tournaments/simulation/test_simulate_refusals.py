"""`manage.py simulate` refuses invalid options with the room's sentences and the allowed values."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation


def refused(*words: str) -> str:
    """Line of the refusal of a simulation with these options."""
    with pytest.raises(CommandError) as wrong:
        call_command("simulate", "--options", *words, stdout=StringIO())
    return str(wrong.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([" "], "An option reads name=value"),
        (["buy_in"], "An option reads name=value, not buy_in."),
        (["unknown=1"], "unknown is no option of a tournament. There are: format, start, players,"),
        (["format=bingo"], "format: This is no valid choice. There are: freezeout, heads_up, spin"),
        (["start=now"], "start: This is no valid choice. There are: scheduled, sit_and_go."),
        (["late_ends=soon"], "late_ends: This is no valid choice. There are: never_open, at_level"),
        (["structure=none"], "structure: This is no valid choice. There are: T100, T200"),
        (["variant=razz"], "variant: There is no game of that name. There are: holdem, omaha"),
        (["variant=omaha", "limit=spread_limit"], "limit: That game is not played with this limit"),
        (["payout_preset=none"], "payout_preset: There is no payout table of that name. There are"),
        (["buy_in=-1"], "buy_in: Ensure this value is greater than or equal to 0."),
        (["think_ms=-1"], "think_ms: Ensure this value is greater than or equal to 0."),
        (["buy_in=ten"], "buy_in: Enter a whole number."),
        (["players=ten"], "players: Enter a whole number."),
        (["buy_in="], "buy_in: Enter a whole number."),
        (["add_on=maybe"], "add_on: This is either true or false."),
        (["buy_in=999999999999999"], "players: The prize pool could become too large"),
        (["starting_stack=1"], "starting_stack: The starting stack is at least one big blind."),
        (["starting_stack=-5"], "starting_stack: Ensure this value is greater than or equal to 1."),
        (["players=1"], "players: A tournament has between 2 and"),
        (["format=spin", "players=4"], "players: This format has exactly 3 players."),
        (["offer_ms=1"], "offer_ms: This time lies between"),
        (["late_ends=at_first_out", "entries_max=2"], "entries_max: When registration ends with"),
        (
            ["start=sit_and_go", "late_ends=at_level", "late_value=2"],
            "late_ends: A Sit",
        ),
        (["variant=omaha5", "seats_per_table=10"], "seats_per_table: At most 8 players sit"),
        (["seats_per_table=11"], "seats_per_table: Ensure this value is less than or equal"),
        (["progressive_bp=10001"], "progressive_bp: Ensure this value is less than or equal to"),
        (["format=fifty_fifty", "players=5"], "players: This format needs an even number"),
        (["format=fifty_fifty", "players=10"], "players: This format is played at a single table."),
        (["format=double_or_nothing", "players=10"], "players: This format is played at a single"),
        (["format=satellite", "deals_allowed=true"], "deals_allowed: This format has its own"),
        (["format=spin", "added=100"], "added: The pool of a spin is drawn"),
        (["format=spin", "play_time_ms=60000"], "play_time_ms: This format has an end of its own"),
        (["format=shootout", "play_time_ms=60000"], "play_time_ms: This format has its own ending"),
        (["format=double_or_nothing", "guarantee=100"], "added: Double or nothing pays twice"),
        (["several_at_once=true"], "entries_max: Several entries at once need more than one"),
        (["entries_max=2"], "late_ends: Re-entry needs late registration."),
        (["merge_at=3"], "merge_at: Only several entries at once can merge."),
        (["rebuys_max=1"], "rebuy_until_level: Re-buys need the last level they are sold in."),
        (["add_on=true"], "add_on: An add-on is sold at the end of a re-buy period"),
        (["progressive_bp=5000"], "bounty: A progressive bounty needs a bounty."),
        (["structure=stud"], "structure: This game needs a structure with blinds"),
        (["cash_value=true"], "buy_in: Chips with cash value are bought one to one"),
        (["cash_value=true", "buy_in=1500"], "payout_preset: With chips of cash value"),
        (
            ["cash_value=true", "buy_in=1500", "bounty=5"],
            "bounty: Chips with cash value are all that is paid",
        ),
    ],
)
@pytest.mark.rule("T-05")
def test_an_unplayable_option_is_refused_with_its_name(words: list[str], said: str) -> None:
    assert refused(*words).startswith(said)


def test_refusals_of_a_simulation_are_in_the_language_of_the_operator() -> None:
    with translation.override("de"):
        told = refused("format=double_or_nothing", "players=10")
    assert told.startswith("players: ") and "einem einzigen Tisch" in told
