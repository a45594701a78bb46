"""Rules with their IDs and one line each, by section."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("rulebook.txt")
RULE = re.compile(r"\b[A-Z]-\d\d\b")


class Rule(NamedTuple):
    """Rule with its ID and its line."""

    rule_id: str
    line: str


class Section(NamedTuple):
    """Letter of the rulebook with its rules."""

    title: str
    rules: tuple[Rule, ...]


def sections(text: str | None = None) -> list[Section]:
    """Return all sections in order."""
    found: list[Section] = []
    for line in (FILE.read_text() if text is None else text).splitlines():
        if line.startswith("# "):
            found.append(Section(line.removeprefix("# "), ()))
        else:
            rule_id, _, words = line.partition(" ")
            assert RULE.fullmatch(rule_id), line
            last = found.pop()
            found.append(last._replace(rules=(*last.rules, Rule(rule_id, words))))
    return found


def rules() -> list[Rule]:
    """Return all rules in order."""
    return [rule for section in sections() for rule in section.rules]
