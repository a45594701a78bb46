"""docs/rules.md: every rule with its line, its live functions and the tests that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.rules import sources
from tests.rules.book import Rule, Section, rules

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "rules.md"

MISSING = "*missing*"

HEAD = """# Rules, their live functions and the tests that show them

Written by `python -m tests.rules` from the marks and docstrings of the tests, and from the
docstrings of the functions that the running room reaches (`tests/style/live_path.py`); `make
lint` fails when a rule has no test or no live function, when a test or a function names a rule
that is not listed here, or when this page is old. Functions of the engines stand first. The rules
are those of `tests/rules/rulebook.txt`; the last part leads from the sources to them.
"""


def page(
    chapters: Sequence[Section],
    shown: Mapping[str, Sequence[str]],
    live: Mapping[str, Sequence[str]],
) -> str:
    """Return the whole page."""
    lines = [HEAD]
    for section in chapters:
        letter, _, title = section.title.partition(" ")
        lines += [
            f"## {letter}: {title}",
            "",
            "| rule | | live functions | tests |",
            "|---|---|---|---|",
        ]
        lines += [
            _row(rule, live.get(rule.rule_id, ()), shown.get(rule.rule_id, ()))
            for rule in section.rules
        ]
        lines.append("")
    lines += sources.part(live, shown)
    return "\n".join(lines).rstrip() + "\n"


def missing(shown: Mapping[str, Sequence[str]]) -> list[Rule]:
    """Return the rules that need a test, or a live function, and have none."""
    return [rule for rule in rules() if not shown.get(rule.rule_id)]


def unknown(shown: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the tests or functions that name a rule that does not exist."""
    known = {rule.rule_id for rule in rules()}
    return [
        f"{rule_id} in {place}"
        for rule_id, places in sorted(shown.items())
        if rule_id not in known
        for place in places
    ]


def _row(rule: Rule, live: Sequence[str], shown: Sequence[str]) -> str:
    found = " | ".join(_by_file(places) or MISSING for places in (live, shown))
    return f"| {rule.rule_id} | {rule.line} | {found} |"


def _by_file(places: Sequence[str]) -> str:
    files: dict[str, list[str]] = {}
    for place in places:
        file, _, name = place.partition(": ")
        files.setdefault(file, []).append(name)
    return "<br>".join(f"`{file}`: {'; '.join(names)}" for file, names in files.items())
