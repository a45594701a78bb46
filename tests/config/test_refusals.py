"""Refusals: one base with code, sentence and accepted values, translated where it is shown."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from accounts.refusals import InsufficientFunds, line_of, words_of
from config.environment import HOME
from config.refusals import Refusal, RuleRefusal
from deploy.documents import catalogs
from tournaments.engine.refusals import NoMoreEntries

APPS = ("accounts", "config", "tables", "tournaments")


def _sentences(tree: ast.Module) -> Iterator[str]:
    """Yield the sentences of the refusals that a module defines or raises."""
    for node in ast.walk(tree):
        given: ast.expr | None = None
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "sentence":
            given = node.value
        if isinstance(node, ast.Call) and len(node.args) > 1:
            name = getattr(node.func, "id", "")
            given = node.args[1] if name.endswith(("Refusal", "Refused", "_refusal")) else None
        if isinstance(given, ast.Call) and getattr(given.func, "id", "") == "_":
            yield ast.literal_eval(given.args[0])


def test_each_sentence_of_a_refusal_stands_once_in_the_code() -> None:
    found: Counter[str] = Counter()
    for app in APPS:
        for path in sorted(Path(HOME / app).rglob("*.py")):
            found.update(set(_sentences(ast.parse(path.read_text()))))
    assert len(found) > 120
    assert {sentence for sentence, count in found.items() if count > 1} == set()


def test_a_refusal_is_english_until_it_is_shown() -> None:
    catalogs.compile_all()
    with translation.override("de"):
        refusal = NoMoreEntries(2)
        assert str(refusal) == "You have used all your entries to this tournament: 2."
        assert words_of(refusal) == "Alle Startplätze in diesem Turnier sind verbraucht: 2."
    assert (refusal.code, refusal.allowed) == ("no_more_entries", {"entries_max": 2})


def test_money_is_shown_in_units_and_lists_with_commas() -> None:
    refusal = InsufficientFunds(price=100, balance=50, lowest=-20)
    with translation.override("en"):
        assert words_of(refusal) == (
            "This costs 1.00, but the account holds 0.50 and may be overdrawn down to -0.20."
        )
        listed = RuleRefusal("odd", "There are: %(names)s.", field="game", names=["a", "b"])
        assert line_of(listed) == "game: There are: a, b."


@pytest.mark.parametrize("allowed", [{}, {"most": 3}])
def test_a_sentence_may_speak_of_percent(allowed: dict[str, object]) -> None:
    assert str(RuleRefusal("odd", "The shares add up to 100 %.", **allowed)) == (
        "The shares add up to 100 %."
    )


def test_subclasses_keep_their_own_code_and_sentence() -> None:
    assert (Refusal().code, str(Refusal())) == ("refused", "That is not possible.")
