"""Sections of the source documents with their rules, and contradictions with their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

BESIDE = ("tables/bots/", "deploy/", "web/")
"""Tests that show a rule from outside; another one is named first."""

SOURCES = Path(__file__).with_name("sources.txt")
CHOICES = Path(__file__).with_name("choices.txt")

LIMITS = (
    "One currency of play money: amounts are whole cents. Rows of a rake table carry a currency"
    " for tables of other rooms; the room itself holds accounts in one.",
    "Money is virtual (S0 1.2): nothing is paid out, and no debt is claimed.",
    "The first hand of a ring table has no straddle: its button is drawn with the deal, so that no"
    " seat is left of the big blind before it.",
    "A table has 10 seats at most (S4); five-card Omaha and stud have 8, because of the deck.",
)
"""Limits of the room, stated on the page."""

HEAD = """## Sources

Each section of each source document with its rules, a live function and a test of each. Rules that
no source names are the custom of tournaments (TDA) or follow from the others.

| section | rule | live function | test or page |
|---|---|---|---|"""

CONTRADICTIONS = """### Contradictions between the sources

| subject | sources | default | setting |
|---|---|---|---|"""


class SourceSection(NamedTuple):
    """Section of a source document with the IDs of its rules."""

    source: str
    title: str
    rules: tuple[str, ...]


class SourceChoice(NamedTuple):
    """Contradiction between sources, the default and the settings as `module:Class.field`."""

    subject: str
    sources: str
    default: str
    settings: tuple[str, ...]


def source_sections() -> list[SourceSection]:
    """Return all sections of all sources in order."""
    found: list[SourceSection] = []
    source = ""
    for line in SOURCES.read_text().splitlines():
        if line.startswith("# "):
            source = line.removeprefix("# ")
        else:
            title, _, rules = line.rpartition(": ")
            found.append(SourceSection(source, title, tuple(rules.split())))
    return found


def source_choices() -> list[SourceChoice]:
    """Return all contradictions with their settings."""
    rows = [line.split(" | ") for line in CHOICES.read_text().splitlines()]
    return [SourceChoice(row[0], row[1], row[2], tuple(row[3].split())) for row in rows]


def part(live: Mapping[str, Sequence[str]], shown: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines of the page about sources, contradictions and limits."""
    lines = [HEAD]
    source = ""
    for section in source_sections():
        if section.source != source:
            source = section.source
            lines.append(f"| **{source}** | | | |")
        for number, rule in enumerate(section.rules):
            title = section.title if number == 0 else ""
            lines.append(f"| {title} | {rule} | {_first(live, rule)} | {_first(shown, rule)} |")
    named = {rule for section in source_sections() for rule in section.rules}
    lines += ["", f"In no source: {', '.join(sorted(_all(live, shown) - named))}.", ""]
    lines.append(CONTRADICTIONS)
    for choice in source_choices():
        settings = "<br>".join(f"`{setting}`" for setting in choice.settings)
        lines.append(f"| {choice.subject} | {choice.sources} | {choice.default} | {settings} |")
    return [*lines, "", "### Limits", "", *(f"- {limit}" for limit in LIMITS), ""]


def _first(places: Mapping[str, Sequence[str]], rule: str) -> str:
    if not places.get(rule):
        return "*missing*"
    nearest = min(places[rule], key=lambda place: place.startswith(BESIDE))
    file, _, name = nearest.partition(": ")
    return f"`{file}`: {name}"


def _all(*places: Mapping[str, Sequence[str]]) -> set[str]:
    return {rule for found in places for rule in found}
