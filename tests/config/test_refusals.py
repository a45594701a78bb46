"""Refusals: one base with code, sentence and accepted values, translated where it is shown."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from accounts.refusals import InsufficientFunds, line_of, words_of
from config.environment import HOME
from config.refusals import Refusal, RuleRefusal
from deploy.documents import catalogs
from tournaments.engine.refusals import NoMoreEntries

APPS = ("accounts", "config", "deploy", "tables", "tournaments")


def _sentences(tree: ast.Module) -> Iterator[str]:
    """Yield the sentences of a module that marks them as those of refusals."""
    marks = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    names = {(node.module, alias.name, alias.asname) for node in marks for alias in node.names}
    if ("config.refusals", "marked", "_") not in names:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
            yield ast.literal_eval(node.args[0])


def test_each_sentence_of_a_refusal_stands_once_in_the_code() -> None:
    found: Counter[str] = Counter()
    for app in APPS:
        for path in sorted(Path(HOME / app).rglob("*.py")):
            found.update(_sentences(ast.parse(path.read_text())))
    assert len(found) > 250
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
def test_a_sentence_may_speak_of_percent(allowed: dict[str, Any]) -> None:
    assert str(RuleRefusal("odd", "The shares add up to 100 %.", **allowed)) == (
        "The shares add up to 100 %."
    )


def test_subclasses_keep_their_own_code_and_sentence() -> None:
    assert (Refusal().code, str(Refusal())) == ("refused", "That is not possible.")
