"""The catalog of mutants fits the code, and the way they are judged can tell a survivor."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.mutants.catalog import catalog, misplaced
from tests.mutants.copies import FAILED, PASSED, Copy

SAMPLE = "cards are looked up before the end (S-03)"


def test_every_mutant_has_its_place_and_its_tests() -> None:
    assert misplaced() == []
    assert len(catalog()) >= 60
    assert len({mutant.name for mutant in catalog()}) == len(catalog())


def test_mutants_reach_scripts_rules_money_views_gateway_balancer_and_rights() -> None:
    files = {mutant.file for mutant in catalog()}
    for part in (
        "lua/",
        "tables/engine/",
        "ledger",
        "visibility",
        "gateway",
        "balancing",
        "session",
    ):
        assert any(part in file for file in files), part


def test_a_mutant_is_killed_and_a_change_that_changes_nothing_survives(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    (mutant,) = (one for one in catalog() if one.name == SAMPLE)
    assert copy.judge(mutant).code == FAILED
    assert copy.judge(replace(mutant, new=mutant.old)).code == PASSED
    assert (tmp_path / mutant.file).read_text() == Path(mutant.file).read_text(), "taken back"
