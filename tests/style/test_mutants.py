"""Catalog of mutants fits the code, and its judgement detects survivors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutants import warm
from tests.mutants.catalog import Mutant, catalog, misplaced
from tests.mutants.copies import FAILED, PASSED, Copy, Verdict
from tests.mutants.table import table

SAMPLE = "a ticket below the price pays (K-01)"
AREAS = {
    *(
        "cardsup",
        "chat",
        "decided",
        "door",
        "engine",
        "lua",
        "money",
        "providers",
        "research",
        "rights",
        "ring",
        "room",
        "seals",
        "shards",
    ),
}


def sample() -> Mutant:
    (mutant,) = (one for one in catalog() if one.name == SAMPLE)
    return mutant


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """Copy of the project; no test leaves a change in it."""
    return Copy(tmp_path_factory.mktemp("copy"))


def test_every_mutant_has_its_place_and_its_tests() -> None:
    assert misplaced() == []
    assert len(catalog()) >= 140
    assert len({mutant.name for mutant in catalog()}) == len(catalog())
    assert {mutant.area for mutant in catalog()} == AREAS


def test_mutants_reach_scripts_rules_money_views_gateway_balancer_and_rights() -> None:
    files = {mutant.file for mutant in catalog()}
    for part in (
        "lua/",
        "tables/engine/",
        "ledger",
        "visibility",
        "gateway",
        "balancing",
        "gateway/credentials",
        "run_out",
        "privacy",
        "seals",
        "door/",
    ):
        assert any(part in file for file in files), part


def test_a_mutant_is_killed_and_a_change_that_changes_nothing_survives(copy: Copy) -> None:
    mutant = sample()
    killed = copy.judge(mutant)
    assert (killed.code, killed.is_right) == (FAILED, True)
    assert killed.killer.startswith(mutant.tests[0])
    assert copy.judge(replace(mutant, new=mutant.old)).code == PASSED
    assert (copy.place / mutant.file).read_text() == Path(mutant.file).read_text(), "reverted"


def test_a_change_that_cannot_be_imported_is_not_killed(copy: Copy) -> None:
    verdict = copy.judge(replace(sample(), new="if ("))
    assert verdict.code not in (FAILED, PASSED)
    assert not verdict.is_right


def test_an_interrupted_change_is_taken_back(copy: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = sample()

    def interrupted(place: Path, *_: object) -> None:
        assert mutant.new in (place / mutant.file).read_text()
        raise KeyboardInterrupt

    monkeypatch.setattr(warm, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        copy.judge(mutant)
    assert (copy.place / mutant.file).read_text() == Path(mutant.file).read_text()


def test_the_table_counts_by_area() -> None:
    first, other = catalog()[0], catalog()[-1]
    verdicts = [Verdict(first, FAILED, "", 2.0), Verdict(first, None, "", 3.4)]
    lines = table([*verdicts, Verdict(other, PASSED, "", 1.0)], 5.0).splitlines()
    assert lines[2:] == [
        f"| {first.area} | 2 | 2 | 0 | 5 |",
        f"| {other.area} | 1 | 0 | 1 | 1 |",
        "| all | 3 | 2 | 1 | 5 |",
    ]
