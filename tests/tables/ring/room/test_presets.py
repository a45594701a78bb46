"""Presets of a fresh room: the rake tables and jackpots of the rules (R-02, J-01..J-03)."""

from __future__ import annotations

import msgspec
import pytest

from tables.engine.rake_tables import HOLDEM, OMAHA, check_rows
from tables.ring.engine.jackpots import JACKPOTS, check_terms
from tables.ring.migrations import _presets as presets
from tables.ring.models import RakeTable, RakeTableRow


@pytest.mark.rule("R-02")
def test_a_fresh_room_has_the_rake_rows_of_the_rules() -> None:
    table = RakeTable(name="Standard")
    rows = [RakeTableRow(table=table, **values).rake_row() for values in presets.rows()]
    check_rows(rows)
    assert sorted(map(repr, rows)) == sorted(map(repr, (*HOLDEM, *OMAHA)))


@pytest.mark.rule("J-01", "J-02", "J-03")
def test_a_fresh_room_has_the_jackpots_of_the_rules() -> None:
    for kind, terms in JACKPOTS.items():
        stored = {"kind": kind, **presets.JACKPOTS[kind]}
        assert msgspec.convert(stored, type(terms)) == terms
        check_terms(terms)
