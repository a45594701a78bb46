"""Tests of dealt cards in words: what each looks at, and what its result means."""

from __future__ import annotations

import msgspec
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tables.chance import holes
from tables.dealt.figures import DealtFigures
from tables.dealt.judging import EXCESSES, CardTest


class TestRow(msgspec.Struct, frozen=True):
    """A test in words: name, cases, its chance, and the sentence of its verdict."""

    name: str
    about: str
    cases: str
    chance: str
    verdict: str
    sentence: str


class ClassRow(msgspec.Struct, frozen=True):
    """A class of two hole cards: how often it came, and how often chance lets it come."""

    name: str
    count: str
    share: str
    expected: str
    expected_share: str


class NeededRow(msgspec.Struct, frozen=True):
    """An effect, and the hands after which it shows."""

    effect: str
    hands: str


def test_rows(tests: list[CardTest]) -> list[TestRow]:
    """Return the tests in words."""
    return [_row(test) for test in tests]


def class_rows(two: DealtFigures) -> list[ClassRow]:
    """Return pairs, suited and other cards, and the best hands among all."""
    other = two.hands - two.pairs - two.suited
    rows = zip(
        (_("pairs"), _("of one suit"), _("neither")),
        (two.pairs, two.suited, other),
        holes.CLASS_SHARES,
        strict=True,
    )
    best = (_("AA, KK, QQ and AK, among all of these"), two.premium, holes.PREMIUM_SHARE)
    return [_class_row(name, count, share, two.hands) for name, count, share in (*rows, best)]


def needed_rows() -> list[NeededRow]:
    """Return effects with the hands that show them, at the threshold of a notice."""
    words = {
        "premium": _("AA, KK, QQ and AK a fifth more often"),
        "pairs": _("pairs a tenth more often"),
    }
    return [
        NeededRow(words[name], _count(round(holes.hands_needed(share, excess), -3)))
        for name, share, excess in EXCESSES
    ]


def reach_sentence(two: DealtFigures) -> str:
    """Return what the hands so far can show of the best hands."""
    excess = holes.least_excess(two.hands, holes.PREMIUM_SHARE)
    if excess is None:
        return _("So far there are too few hold'em hands to judge how often the best ones come.")
    values = {"hands": _count(two.hands), "percent": _count(round(100 * excess))}
    return (
        _(
            "Your %(hands)s hold'em hands would show it if the best ones came %(percent)s %%"
            " more often."
        )
        % values
    )


def percent(share: float) -> str:
    """Return a share in percent: with one place, or as less than a bound."""
    if share < 1e-6:
        return _("below %(bound)s %%") % {"bound": number_format(0.0001, 4, use_l10n=True)}
    places = 1 if share >= 0.01 else 4
    return f"{number_format(100 * share, places, use_l10n=True)} %"


def _row(test: CardTest) -> TestRow:
    names = {
        "ranks": (_("Ranks"), _("from twos to aces, all equally often")),
        "suits": (_("Suits"), _("clubs, diamonds, hearts and spades, all equally often")),
        "classes": (_("Pairs and suited cards"), _("of hold'em hands")),
        "premium": (_("Best hands"), _("AA, KK, QQ and AK of hold'em hands")),
    }
    sentences = {
        "few": _("Too few hands to judge."),
        "holds": _("As chance makes it."),
        "seldom": _("Seldom, but one in a hundred players sees this in each test."),
        "notice": _(
            "One in ten thousand sees this. Look again after more hands, and tell the room."
        ),
        "alarm": _("Chance hardly ever makes this: one in a million. Tell the room."),
    }
    name, about = names[test.name]
    chance = "–" if test.verdict == "few" else percent(test.chance)
    return TestRow(name, about, _count(test.cases), chance, test.verdict, sentences[test.verdict])


def _class_row(name: str, count: int, share: float, hands: int) -> ClassRow:
    own = percent(count / hands) if hands and count else "–"
    return ClassRow(name, _count(count), own, _count(round(hands * share)), percent(share))


def _count(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)
