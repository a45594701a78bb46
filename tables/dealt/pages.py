"""Page of the own dealt cards with their honest tests, and its downloads."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.admin.operators import operator
from config.sums import added
from tables.chance import holes
from tables.dealt import downloads, drawing, judging, rows, words
from tables.dealt.figures import DealtFigures
from tables.engine.cards import RANKS
from tables.statistics.drawing import sum_graph

SUIT_SIGNS = "♣♦♥♠"


@never_cache
@login_required
@require_GET
def own_cards(request: HttpRequest) -> HttpResponse:
    """Show the tests of the own cards, with the figures that they are made of."""
    days, unread = rows.own_days(operator(request))
    context = {"unread": unread} | (_context(days) if days else {})
    return render(request, "dealt/own.html", context)


@never_cache
@login_required
@require_GET
def own_cards_csv(request: HttpRequest) -> HttpResponse:
    """Return the own figures by day as CSV."""
    text = downloads.as_csv(rows.days_of(operator(request)))
    answer = HttpResponse(text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="cards.csv"'
    return answer


@never_cache
@login_required
@require_GET
def own_cards_json(request: HttpRequest) -> JsonResponse:
    """Return the own figures by day with their sums and tests as JSON."""
    return JsonResponse(downloads.as_json(rows.days_of(operator(request))))


def _context(days: rows.Days) -> dict[str, Any]:
    figures = rows.by_cards(days)
    total = DealtFigures()
    for one in figures.values():
        total = added(total, one)
    two = figures.get(judging.TWO, DealtFigures())
    by_day: dict[Any, int] = {}
    for day, _cards, one in days:
        if one.all_ins:
            by_day[day] = by_day.get(day, 0) + one.won - one.due
    return {
        "hands": total.hands,
        "cards": sum(total.ranks),
        "first": days[0][0],
        "tests": words.test_rows(judging.judge(figures)),
        "rank_bars": _bars(RANKS, total.ranks, figures),
        "suit_bars": _bars(SUIT_SIGNS, total.suits, figures),
        "two": two,
        "classes": words.class_rows(two),
        "board_cards": sum(total.board_ranks),
        "board_bars": drawing.kind_bars(
            RANKS, total.board_ranks, sum(total.board_ranks) / holes.RANKS, 0
        ),
        "board_suit_bars": drawing.kind_bars(
            SUIT_SIGNS, total.board_suits, sum(total.board_suits) / holes.SUITS, 0
        ),
        "all_ins": total.all_ins,
        "won": total.won / 100,
        "due": total.due / 100,
        "difference": (total.won - total.due) / 100,
        "reach": judging.all_in_reach(figures),
        "luck": sum_graph([value / 100 for value in by_day.values()]),
        "needed": words.needed_rows(),
        "shows_now": words.reach_sentence(two),
    }


def _bars(
    names: str, counts: tuple[int, ...], figures: dict[int, DealtFigures]
) -> drawing.KindBars | None:
    mean, error = judging.expected_kind(figures, len(counts))
    return drawing.kind_bars(names, counts, mean, judging.WITHIN * error)
