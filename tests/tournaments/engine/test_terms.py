"""Each format requires a field it can be played with."""

from __future__ import annotations

import pytest

from config.refusals import Refusal
from tournaments.engine.terms import FormatTerms, validate_terms


def terms(form: str, players: int, seats: int = 9, **more: object) -> FormatTerms:
    given = {"start": "sit_and_go", "players_min": players, "players_max": players}
    buying = {"late_registration": False, "buying": False}
    return FormatTerms(**{"format": form, "seats_per_table": seats, **given, **buying, **more})  # type: ignore[arg-type]


@pytest.mark.rule("F-01")
@pytest.mark.rule("F-02")
@pytest.mark.rule("F-03")
@pytest.mark.rule("F-08")
@pytest.mark.parametrize(
    "fine",
    [
        terms("freezeout", 6, 6),
        terms("freezeout", 180, 9),
        terms("freezeout", 3_000, 9, start="scheduled", players_min=2, late_registration=True),
        terms("satellite", 100, 10, start="scheduled", players_min=10, buying=True),
        terms("heads_up", 2, 2),
        terms("spin", 3, 3),
        terms("fifty_fifty", 10, 10),
        terms("double_or_nothing", 6, 6),
        terms("shootout", 81, 9),
    ],
)
def test_the_formats_of_the_rulebook_can_be_offered(fine: FormatTerms) -> None:
    assert validate_terms(fine) == fine


@pytest.mark.rule("T-01")
@pytest.mark.rule("T-04")
@pytest.mark.rule("F-09")
@pytest.mark.parametrize(
    ("code", "bad"),
    [
        ("bad_field", terms("freezeout", 1)),
        ("bad_field", terms("freezeout", 3_001)),
        ("bad_field", terms("freezeout", 9, players_min=10)),
        ("bad_seats", terms("freezeout", 20, 11)),
        ("bad_seats", terms("freezeout", 20, 1)),
        ("late_sit_and_go", terms("freezeout", 9, late_registration=True)),
        ("exact_players", terms("heads_up", 4, 4)),
        ("exact_players", terms("spin", 4, 4)),
        ("odd_field", terms("fifty_fifty", 9, 9)),
        ("odd_field", terms("double_or_nothing", 5, 9)),
        ("one_table", terms("fifty_fifty", 12, 6)),
        ("set_number", terms("shootout", 81, 9, start="scheduled")),
        ("set_number", terms("spin", 3, 3, players_min=2)),
        ("no_buying", terms("shootout", 81, 9, buying=True)),
    ],
)
def test_terms_that_do_not_fit_together_are_refused(code: str, bad: FormatTerms) -> None:
    with pytest.raises(Refusal) as refused:
        validate_terms(bad)
    assert refused.value.code == code


@pytest.mark.rule("T-01")
def test_the_room_may_set_a_higher_limit() -> None:
    big = terms("freezeout", 30_000, start="scheduled", players_min=2)
    assert validate_terms(big, players_limit=50_000) == big
