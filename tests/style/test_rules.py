"""Table of rules and tests is read from the current tests and is complete."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tests.rules import book, live, page, shown, sources
from tests.style.calls import units

MODULE = '''
pytestmark = [pytest.mark.rule("T-01")]

@pytest.mark.rule("K-01")
@pytest.mark.parametrize("one", [pytest.param(1, marks=pytest.mark.rule("K-02"))])
def test_marked(one):
    """Said in words, too (K-03)."""

class TestClass:
    """Holds E-04."""

    def test_inside(self):
        pass

def not_a_test():
    """K-09."""
'''


def test_marks_docstrings_and_golden_hands_are_found(tmp_path: Path) -> None:
    hands = tmp_path / "golden" / "hands"
    hands.mkdir(parents=True)
    (hands / "B-01_raises.txt").write_text("B-01 Blinds")
    (tmp_path / "test_one.py").write_text(MODULE)
    found = shown.by_rule(tmp_path)
    assert found == {
        "T-01": ["test_one.py: marked", "test_one.py: inside"],
        "K-01": ["test_one.py: marked"],
        "K-02": ["test_one.py: marked"],
        "K-03": ["test_one.py: marked"],
        "E-04": ["test_one.py: TestClass"],
        "B-01": ["golden/hands: raises"],
    }


def test_every_section_of_the_rulebook_is_listed_in_order() -> None:
    sections = book.sections()
    letters = [section.title[0] for section in sections]
    assert letters == list("CHBPSODLTEKZYFNXARJ")
    for section, letter in zip(sections, letters, strict=True):
        ids = [rule.rule_id for rule in section.rules]
        assert ids == [f"{letter}-{number:02d}" for number in range(1, len(ids) + 1)]
    assert len(book.rules()) == 109


def test_every_rule_without_a_test_is_missing() -> None:
    wanted = [rule.rule_id for rule in page.missing({"T-01": ["somewhere"]})]
    assert "T-02" in wanted and "T-01" not in wanted and "J-01" in wanted
    assert page.unknown({"T-99": ["test_x.py: y"]}) == ["T-99 in test_x.py: y"]
    text = page.page(book.sections(), {"T-01": ["a.py: one", "a.py: two"]}, {"T-01": ["a.b: seat"]})
    assert "| T-01 | " in text and " | `a.b`: seat | `a.py`: one; two |" in text
    assert "| T-02 | " in text and page.MISSING in text


def test_live_functions_are_named_by_their_docstrings() -> None:
    found = live.by_rule(
        units(
            {
                "tournaments.engine.seats": (
                    'def draw():\n    """Draw (E-01..E-03)."""\n    return _lot()\n'
                    'def _lot():\n    """Lot (E-02, E-04)."""\n'
                    'def dead():\n    """Nobody calls this (E-05)."""\n'
                ),
                "tournaments.entries.late": (
                    "from tournaments.engine import seats\n"
                    'class Late:\n    """A class (E-06)."""\n'
                    '    def seat(self):\n        """Seat (E-01)."""\n        seats.draw()\n'
                ),
            }
        )
    )
    assert found == {
        "E-01": ["tournaments.engine.seats: draw", "tournaments.entries.late: Late.seat"],
        "E-02": ["tournaments.engine.seats: draw"],
        "E-03": ["tournaments.engine.seats: draw"],
        "E-04": ["tournaments.engine.seats: _lot"],
    }
    assert "T-01" in [rule.rule_id for rule in page.missing(found)]


def test_sections_of_the_sources_lead_to_rules_that_exist() -> None:
    known = {rule.rule_id for rule in book.rules()}
    sections = sources.source_sections()
    assert {section.source[:2] for section in sections} == {"S0", "S1", "S2", "S3", "S4"}
    assert all(section.rules and known.issuperset(section.rules) for section in sections)
    assert {"R", "J", "A", "X"} <= {rule[0] for section in sections for rule in section.rules}


def test_the_setting_of_every_contradiction_exists() -> None:
    for choice in sources.source_choices():
        assert choice.settings, choice.subject
        for setting in choice.settings:
            module, _, path = setting.partition(":")
            owner, _, name = path.partition(".")
            found = getattr(import_module(module), owner)
            fields = getattr(found, "__struct_fields__", None) or [
                field.name for field in found._meta.get_fields()
            ]
            assert name in fields, setting


def test_the_page_names_each_section_contradiction_and_limit() -> None:
    lines = "\n".join(sources.part({"J-01": ["a.b: fall"]}, {"J-01": ["a.py: it falls"]}))
    assert "| Jackpot | J-01 | `a.b`: fall | `a.py`: it falls |" in lines
    assert "| Glossary, rapid | R-03 | *missing* |" in lines
    for words in (*(row.subject for row in sources.source_choices()), *sources.LIMITS):
        assert words in lines
