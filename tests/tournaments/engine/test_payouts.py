"""Prizes match the published tables and sum to the pool to the cent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.refusals import Refusal
from tournaments.engine.payout_tables import (
    BASIS_POINTS,
    PRESETS,
    PayoutTable,
    PayoutTableRow,
    validate_payout_table,
)
from tournaments.engine.payouts import prizes, satellite


@pytest.mark.rule("Z-02")
@pytest.mark.parametrize("name", ["classic", "wide"])
def test_every_row_of_the_presets_sums_to_exactly_100_percent(name: str) -> None:
    table = PRESETS[name]
    for row in table.rows:
        assert sum(row.shares) == BASIS_POINTS
        assert list(row.shares) == sorted(row.shares, reverse=True)
    assert validate_payout_table(table) == table


@pytest.mark.rule("Z-02")
@pytest.mark.parametrize(
    ("entrants", "expected"),
    [
        (2, [200]),
        (5, [350, 150]),
        (26, [1300, 780, 520]),
        (46, [1702, 1012, 690, 506, 368, 322]),
        (
            196,
            [5394, 3253, 1989, 1548, 1332, 1136, 921, 725, 509, 392]
            + [294] * 3
            + [245] * 3
            + [196] * 4,
        ),
    ],
)
def test_the_classic_vectors_at_a_hundred_a_head(entrants: int, expected: list[int]) -> None:
    assert prizes("classic", entrants, 100 * entrants) == expected


@pytest.mark.rule("Z-02")
def test_an_own_table_pays_a_real_result_to_the_cent() -> None:
    shares = (2750, 1750, 1160, 800, 600, 450, 350, 260, 170, *[120] * 9, *[70] * 9)
    own = validate_payout_table(PayoutTable("own", (PayoutTableRow(1, 400, shares),)))
    assert prizes(own, 276, 552_000) == [
        *(151_800, 96_600, 64_032, 44_160, 33_120, 24_840, 19_320, 14_352, 9_384),
        *[6_624] * 9,
        *[3_864] * 9,
    ]


@pytest.mark.rule("Z-02")
@pytest.mark.parametrize(
    ("entrants", "paid", "first", "last"),
    [
        (12, 3, 5000, 2000),
        (13, 4, 4000, 1000),
        (50, 9, 2900, 400),
        (51, 12, 2600, 300),
        (117, 18, 2500, 180),
        (700, 99, 1925, 25),
        (1100, 153, 1911, 15),
    ],
)
def test_the_wide_preset_pays_its_bands(entrants: int, paid: int, first: int, last: int) -> None:
    amounts = prizes("wide", entrants, 10_000)
    assert (len(amounts), amounts[0], amounts[-1]) == (paid, first, last)


@pytest.mark.rule("Z-02")
def test_classic_hands_larger_fields_to_wide() -> None:
    assert prizes("classic", 271, 27_100) == prizes("wide", 271, 27_100)
    assert prizes("classic", 5_000, 500_000) == prizes("wide", 5_000, 500_000)


@pytest.mark.rule("Z-02")
@given(st.integers(1_101, 20_000), st.integers(200, 50_000))
def test_above_1100_entrants_a_curve_pays_15_percent_of_the_field(
    entrants: int, buy_in: int
) -> None:
    pool = entrants * buy_in
    amounts = prizes("wide", entrants, pool)
    assert len(amounts) == entrants * 15 // 100
    assert sum(amounts) == pool
    assert amounts == sorted(amounts, reverse=True)
    assert 2 * min(amounts) >= 3 * buy_in
    assert 15 * pool <= 100 * amounts[0] <= 20 * pool


@pytest.mark.rule("Z-02")
@given(
    st.sampled_from(["classic", "wide", "winner_takes_all"]),
    st.integers(1, 2_000),
    st.integers(0, 10**7),
)
def test_any_pool_is_paid_to_the_cent_and_never_more_places_than_entrants(
    name: str, entrants: int, pool: int
) -> None:
    amounts = prizes(name, entrants, pool)
    assert sum(amounts) == pool
    assert len(amounts) <= entrants
    assert amounts == sorted(amounts, reverse=True)


@pytest.mark.rule("Z-02")
@pytest.mark.parametrize(
    ("entrants", "expected"),
    [(1, [100]), (2, [200]), (3, [300]), (4, [280, 120]), (5, [250, 150, 100])],
)
def test_wide_pays_no_place_less_than_the_buy_in(entrants: int, expected: list[int]) -> None:
    assert prizes("wide", entrants, 100 * entrants, buy_in=100) == expected


@pytest.mark.rule("Z-02")
@pytest.mark.parametrize("entrants", [*range(2, 60), 67, 118, 291, 901, 1_100, 1_101, 5_000])
def test_wide_pays_the_buy_in_to_every_place_it_pays(entrants: int) -> None:
    assert min(prizes("wide", entrants, 1_000 * entrants, buy_in=1_000)) >= 1_000
    assert prizes("wide", entrants, 500, buy_in=1_000) == [500], "a pool below one buy-in"


@pytest.mark.rule("Z-02")
def test_shares_without_a_taker_go_to_the_first_place() -> None:
    assert prizes("wide", 2, 1_000) == [700, 300]
    assert prizes("winner_takes_all", 9, 1_234) == [1_234]


@pytest.mark.rule("Z-02")
@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("no_rows", ()),
        ("not_100_percent", (PayoutTableRow(1, 9, (5000, 4999)),)),
        ("not_100_percent", (PayoutTableRow(1, 9, (10000, 0)),)),
        ("not_100_percent", (PayoutTableRow(1, 9, (11000, -1000)),)),
        ("rising_shares", (PayoutTableRow(1, 9, (4000, 6000)),)),
        ("rows_with_gaps", (PayoutTableRow(1, 9, (10000,)), PayoutTableRow(11, 20, (10000,)))),
        ("rows_with_gaps", (PayoutTableRow(1, 9, (10000,)), PayoutTableRow(9, 20, (10000,)))),
        ("rows_with_gaps", (PayoutTableRow(5, 4, (10000,)),)),
        ("more_prizes_than_players", (PayoutTableRow(1, 2, (4000, 3000, 3000)),)),
    ],
)
def test_an_unsound_table_is_refused(code: str, rows: tuple[PayoutTableRow, ...]) -> None:
    with pytest.raises(Refusal) as refused:
        validate_payout_table(PayoutTable("own", rows))
    assert refused.value.code == code


@pytest.mark.rule("K-07")
def test_satellite_tickets_from_the_top_and_the_rest_in_money() -> None:
    assert satellite(35, 10) == (3, 5)
    assert satellite(24 * 100, 1_100) == (2, 200)
    assert satellite(9, 10) == (0, 9)
    assert satellite(30, 10) == (3, 0)


@pytest.mark.rule("K-08")
def test_a_satellite_can_pay_tickets_only() -> None:
    assert satellite(35, 10, winners_cash=False) == (3, 0)
    with pytest.raises(Refusal) as refused:
        satellite(35, 0)
    assert refused.value.code == "worthless_ticket"
