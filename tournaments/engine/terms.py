"""Demands of a format on its field: number of players, tables, start and ways to buy in."""

from __future__ import annotations

from typing import Literal

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tournaments.engine.formats import FORMATS, Format, even_field, shootout_rounds

Start = Literal["scheduled", "sit_and_go"]

PLAYERS_MAX = 3_000
"""Most players of a tournament, unless the room sets a higher limit (T-01)."""


class FormatTerms(msgspec.Struct, frozen=True):
    """The options of a tournament that its format limits.

    At most `tables_max` tables are in play, 0 sets no limit; a player has up to `entries_at_once`
    live entries, each at another table (T-05, E-03). `buying` is true when there is late
    registration, re-entry, multi-entry, re-buy or add-on, `time_limit` when the play time is
    limited (T-11), `deals` when the final table may deal (Y-01).
    """

    format: Format
    start: Start
    players_min: int
    players_max: int
    seats_per_table: int
    late_registration: bool
    buying: bool
    time_limit: bool = False
    deals: bool = False
    tables_max: int = 0
    entries_at_once: int = 1


def validate_terms(terms: FormatTerms, *, players_limit: int = PLAYERS_MAX) -> FormatTerms:
    """Return the terms if they fit together; raise RuleRefusal otherwise (T-04, F-01..F-09)."""
    if not 2 <= terms.players_min <= terms.players_max <= players_limit:
        raise RuleRefusal(
            "bad_field",
            _("A tournament has between 2 and %(players)s players."),
            field="players_max",
            players=players_limit,
        )
    if not 2 <= terms.seats_per_table <= 10:
        raise RuleRefusal(
            "bad_seats", _("A table has between 2 and 10 seats."), field="seats_per_table"
        )
    _check_tables(terms)
    if terms.start == "sit_and_go" and terms.late_registration:
        raise RuleRefusal(
            "late_sit_and_go", _("A Sit & Go has no late registration."), field="late_ends"
        )
    rules = FORMATS[terms.format]
    if rules.fixed_field:
        _check_fixed(terms, rules.players)
    if rules.one_table and terms.players_max > terms.seats_per_table:
        raise RuleRefusal(
            "one_table", _("This format is played at a single table."), field="players_max"
        )
    if rules.half_wins:
        even_field(terms.players_max)
    if rules.stops_early and terms.deals:
        raise RuleRefusal(
            "own_end_no_deals",
            _("This format has its own ending; there is nothing to deal about."),
            field="deals_allowed",
        )
    if (rules.stops_early or rules.has_rounds) and terms.time_limit:
        raise RuleRefusal(
            "no_time_limit",
            _("This format has its own ending; it takes no time limit."),
            field="play_time_ms",
        )
    if rules.has_rounds:
        shootout_rounds(terms.players_max, terms.seats_per_table)
    return terms


def _check_tables(terms: FormatTerms) -> None:
    """Refuse more live entries than the tables have seats (T-05)."""
    if not terms.tables_max:
        return
    places = terms.tables_max * terms.seats_per_table // terms.entries_at_once
    if terms.entries_at_once > terms.tables_max or terms.players_max > places:
        raise RuleRefusal(
            "too_few_tables",
            _("%(tables)s tables have places for %(places)s players at most."),
            field="tables_max",
            tables=terms.tables_max,
            places=places,
        )


def _check_fixed(terms: FormatTerms, players: int) -> None:
    if terms.start != "sit_and_go" or terms.players_min != terms.players_max:
        raise RuleRefusal(
            "set_number",
            _("This format starts as soon as a set number is registered."),
            field="players_min",
        )
    if terms.buying or terms.late_registration:
        raise RuleRefusal(
            "no_buying",
            _("This format has no entries or chips to buy after the start."),
            field="format",
        )
    if players and terms.players_max != players:
        raise RuleRefusal(
            "exact_players",
            _("This format has exactly %(players)s players."),
            field="players_max",
            players=players,
        )
