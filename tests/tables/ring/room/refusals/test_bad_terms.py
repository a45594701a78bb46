"""Bad terms of ring games, rake tables and jackpots: refused in words, no row changes (R-01)."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import translation
from msgspec.structs import replace
from redis import Redis

from accounts.models import User
from tables.ring.engine.jackpots import JACKPOTS, JackpotTerms
from tables.ring.models import Jackpot, RakeTable, RakeTableRow
from tables.ring.models.jackpot import builtins_of
from tests.tables.ring.room import cast
from tests.tables.ring.room.refusals.unchanged import refused

pytestmark = pytest.mark.django_db(transaction=True)

STUD: dict[str, Any] = {
    "variant": "stud",
    "small_blind": 0,
    "big_blind": 0,
    "ante": 10,
    "ante_kind": "per_seat",
    "bring_in": 25,
    "small_bet": 100,
}
"""Stakes of a game of stud in which the least bet is one unit of `cast.game`."""


@pytest.mark.rule("R-01", "B-04")
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"variant": "whist"}, "no_game"),
        ({"limit": "spread"}, "no_limit_of_game"),
        ({"seats_max": 11}, "seats_of_game"),
        ({"small_blind": 0}, "needs_blinds"),
        ({"big_blind": 20}, "bad_blinds"),
        ({"buy_in_min": 50}, "bad_buy_in"),
        ({"buy_in_min": 300_00}, "bad_buy_in"),
        ({"tables_min": 0}, "bad_tables"),
        ({"tables_max": 10_001}, "too_many_tables"),
        ({"pool_min": 10_001}, "too_many_tables"),
        ({"action_ms": 499}, "too_short"),
        ({"offer_ms": 0}, "offer_too_short"),
        ({"offer_ms": 9_999}, "offer_too_short"),
        ({"ante": 5}, "bad_ante"),
        ({"bring_in": 25}, "bad_bring_in"),
        ({"limit": "spread_limit", "big_bet": 99}, "bad_spread"),
    ],
)
def test_contradicting_terms_open_no_game(room: Redis, wrong: dict[str, object], code: str) -> None:
    refused(code, lambda: cast.game(**wrong))


@pytest.mark.rule("B-01", "B-02", "B-03")
@pytest.mark.parametrize("limit", ["no_limit", "pot_limit", "fixed_limit"])
def test_a_least_bet_other_than_the_big_blind_opens_no_game(room: Redis, limit: str) -> None:
    refused("bad_small_bet", lambda: cast.game(limit=limit, small_bet=50))
    assert cast.game(limit=limit, small_bet=100).stakes.lower_bet == 100


@pytest.mark.rule("B-03")
@pytest.mark.parametrize("terms", [{}, STUD])
def test_bets_that_fall_on_the_turn_or_fifth_street_open_no_game(
    room: Redis, terms: dict[str, object]
) -> None:
    limited = terms | {"limit": "fixed_limit"}
    refused("bad_big_bet", lambda: cast.game(**limited, big_bet=99))
    assert cast.game(**limited, big_bet=100).stakes.upper_bet == 100


@pytest.mark.rule("D-01", "H-08")
def test_a_stud_game_whose_big_blind_pays_the_ante_is_not_opened(room: Redis) -> None:
    words = refused("bad_ante", lambda: cast.game(**STUD | {"ante_kind": "big_blind"}))
    assert "big blind" in words, "nobody would pay it"
    assert cast.game(**STUD).stakes.ante == 10


@pytest.mark.rule("D-01")
def test_a_stud_game_without_an_ante_is_not_opened(room: Redis) -> None:
    refused("needs_ante", lambda: cast.game(**STUD | {"ante": 0, "ante_kind": "none"}))


@pytest.mark.rule("J-01")
def test_a_stud_game_with_a_jackpot_is_not_opened(room: Redis) -> None:
    Jackpot.objects.get_or_create(
        kind="smart", defaults={"stored_terms": _stored(JACKPOTS["smart"])}
    )
    words = refused("no_jackpot_of_game", lambda: cast.game(**STUD, jackpots=("smart",)))
    assert "community cards" in words


@pytest.mark.rule("J-01")
def test_jackpots_that_take_more_than_the_rake_open_no_game(room: Redis) -> None:
    row = Jackpot.objects.create(kind="smart", stored_terms=_stored(JACKPOTS["smart"], feed=9_001))
    other = JACKPOTS["monte_carlo"]
    Jackpot.objects.create(kind="monte_carlo", stored_terms=_stored(other))
    words = refused("feeds_sum", lambda: cast.game(jackpots=("smart", "monte_carlo")))
    assert "rake" in words
    row.stored_terms = _stored(JACKPOTS["smart"], feed=9_000)
    row.save()
    assert cast.game(jackpots=("smart", "monte_carlo")).jackpots.count() == 2


@pytest.mark.rule("J-01", "J-02", "J-03")
@pytest.mark.parametrize(
    ("kind", "wrong", "code"),
    [
        ("bad_beat", {"loser": 3_600}, "shares_sum"),
        ("smart", {"next": 1_400}, "shares_sum"),
        ("bad_beat", {"loser": 10_500, "winner": -5_500}, "bad_share"),
        ("monte_carlo", {"feed": 10_001}, "bad_share"),
        ("monte_carlo", {"tiers": ()}, "no_hand"),
        ("smart", {"hours": ((0, 1_441),)}, "bad_hours"),
    ],
)
def test_a_jackpot_whose_shares_are_not_the_pool_is_refused_in_words(
    kind: str, wrong: dict[str, Any], code: str
) -> None:
    row = Jackpot(kind=kind, stored_terms=_stored(JACKPOTS[kind]))
    row.clean()
    row.stored_terms = _stored(JACKPOTS[kind], **wrong)
    with pytest.raises(ValidationError) as refusal:
        row.clean()
    assert refusal.value.code == code
    [words] = refusal.value.messages
    with translation.override("de"):
        with pytest.raises(ValidationError) as refusal:
            row.clean()
        assert refusal.value.messages != [words]


def test_terms_of_a_jackpot_that_cannot_be_read_are_refused() -> None:
    row = Jackpot(kind="smart", stored_terms={"kind": "smart", "feed": "much"})
    with pytest.raises(ValidationError) as refusal:
        row.clean()
    assert refusal.value.code == "bad_terms"


@pytest.mark.rule("R-02")
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"variant": "holdem"}, {"limit": "no_limit"}], "equally many conditions"),
        ([{}, {}], "equally many conditions"),
        ([{"basis_points": "100.01"}], "less than or equal to 100"),
        ([{"basis_points": "-1"}], "greater than or equal to 0"),
        ([{"minimum": "3.01"}], "minimum rake"),
        ([{"maximum": "1e999999"}], "Enter a number."),
        ([{"players_min": "5", "players_max": "4"}], "2 to 10 players"),
        ([{"small_blind_over": "50", "small_blind_upto": "50"}], "small blinds"),
    ],
)
def test_rake_rows_that_overlap_or_exceed_the_pot_are_not_stored(
    client: Client, rows: list[dict[str, str]], words: str
) -> None:
    client.force_login(User.objects.create_superuser(name="Boss", password="x" * 12))
    before = _rake_tables()
    answer = client.post("/admin/ring/raketable/add/", _rake_form(rows))
    page = answer.content.decode()
    assert answer.status_code == 200 and words in page and "Constraint" not in page
    assert _rake_tables() == before
    accepted = client.post("/admin/ring/raketable/add/", _rake_form([{}, {"variant": "holdem"}]))
    assert accepted.status_code == 302
    assert RakeTable.objects.get(name="House").rows.count() == 2
    RakeTable.objects.filter(name="House").delete()


def _stored(terms: JackpotTerms, **changes: Any) -> dict[str, Any]:
    return builtins_of(replace(terms, **changes))


def _rake_tables() -> list[object]:
    return [*RakeTable.objects.values(), *RakeTableRow.objects.order_by("pk").values()]


def _rake_form(rows: list[dict[str, str]]) -> dict[str, str]:
    """Fields of the form of a new rake table as a person types them."""
    usual = {"players_min": "2", "players_max": "10", "small_blind_over": ""}
    usual |= {"basis_points": "2.5", "maximum": "3"}
    counts = {"TOTAL_FORMS": str(len(rows)), "INITIAL_FORMS": "0"}
    typed = {"name": "House"} | {f"rows-{name}": value for name, value in counts.items()}
    for number, row in enumerate(rows):
        typed |= {f"rows-{number}-{name}": value for name, value in (usual | row).items()}
    return typed
