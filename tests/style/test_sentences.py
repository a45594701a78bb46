"""Sentences of the code: a docstring names its thing first, and so does the name of a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.style.sources import modules, name

RIDDLES = re.compile(
    r"(Who|Whose|Whom|What|Whether|How|When|Where|Which|Why|That|Those|These|It|Until|The same)\b"
)
"""First words of a docstring after which its subject is still unknown."""

TEST_RIDDLES = re.compile(r"test_(who|whose|whom|what|whether|whoever|whatever|how|why|so|it)_")


def test_docstrings_and_test_names_begin_with_their_subject() -> None:
    found = [
        f"{name(path)}:{line}: {sentence}"
        for path in modules()
        for line, sentence in riddles(path.read_text())
    ]
    assert found == []


def test_planted_riddles_are_found() -> None:
    source = (
        '"""What is here."""\n'
        'class Seat:\n    """Whose turn it is."""\n'
        'def deal() -> None:\n    """Deal what is left of the deck."""\n'
        "def test_who_is_gone_is_gone() -> None: ...\n"
        'LIMIT = 3\n"""How many there are."""\n'
    )
    assert sorted(line for line, _ in riddles(source)) == [1, 3, 6, 8]


def riddles(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each test name and docstring, of a constant too, that is a riddle."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and TEST_RIDDLES.match(
            node.name
        ):
            yield node.lineno, node.name
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            sentence = str(node.value.value)
            if RIDDLES.match(sentence):
                yield node.lineno, sentence.partition("\n")[0]
