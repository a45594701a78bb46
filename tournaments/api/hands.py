"""Routes of finished hands: own ones with own cards, others as spectators saw them (S-03)."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from functools import partial
from typing import Annotated, Literal

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router

from accounts.models import User
from config import limits
from config.postgres.statements import ANY_KEY, ANY_TIME, BuiltOnce
from tables.history.exports import phh
from tables.history.exports.files import FORMATS
from tables.history.exports.rows import all_exported, exported
from tables.history.own import Look, newest, own_hands, within
from tables.history.released import hands_of_game, hands_of_table
from tables.models import Hand
from tables.records import hand_months
from tables.records.stored import decode_open
from tournaments.api.access import ScopedBearer
from tournaments.api.bodies.answers import HandAnswer, HandPage
from tournaments.api.callers import caller, seen, seen_table
from tournaments.api.cursors import ROWS_READ, cut, last_key, page_of
from tournaments.api.shared import need_seen, shared_page

router = Router()

OWN = ScopedBearer("hands:own")
WATCH = ScopedBearer("watch")

TOURNAMENT = "tournament"
"""Name of the director of tournaments in the rows of their tables."""
CONTENT_TYPES = {
    "ohh": "application/x-ndjson",
    "ndjson": "application/x-ndjson",
    "phh": "application/toml",
    "pokerstars": "text/plain",
}
_READ = (
    *("number", "players", "pot", "finished_at", "record"),
    *("table", "table__director", "table__game"),
)
"""Columns of a hand that its answer is made of."""
_ANY_FIRST, _ANY_END = ANY_KEY - 1, ANY_KEY - 2
_OWN_HANDS = BuiltOnce(
    lambda user, now, first, end: within(own_hands(user, now), first, end).only(*_READ)[:ROWS_READ],
    *(ANY_KEY, ANY_TIME, _ANY_FIRST, _ANY_END),
)
Form = Literal["ndjson", "ohh", "phh", "pokerstars"]
Key = Annotated[int | None, Query(ge=1, le=limits.KEY_MAX)]
TEXT = {
    "responses": {
        200: {
            "description": "OK",
            "content": {kind: {"schema": {"type": "string"}} for kind in CONTENT_TYPES.values()},
        }
    }
}
"""Description of a hand's text for the OpenAPI document."""
NEXT_CURSOR = "Next-Cursor"
_FILE = {
    "responses": {
        200: {
            **TEXT["responses"][200],
            "headers": {
                NEXT_CURSOR: {
                    "description": "Cursor of the page after this one, empty at the end",
                    "required": True,
                    "schema": {"type": "string"},
                }
            },
        }
    }
}
"""Description of a page of hands as one file."""


@router.get("/hands", auth=OWN, response=HandPage, url_name="api_hands")
def hands(
    request: HttpRequest,
    tournament: Key = None,
    since: date | None = None,
    until: date | None = None,
    cursor: str = "",
) -> HandPage:
    """List the user's finished hands, newest first; days are UTC, `until` is not included."""
    user, now = caller(request), timezone.now()
    look: Look = partial(_OWN_HANDS.rows, user.pk, now)
    if (tournament, since, until) != (None, None, None):
        look = _chosen(user, tournament, since, until)
    page, following = _own_page(user, look, cursor)
    return HandPage(items=[_answer(row, user.pk) for row in page], next=following)


@router.get("/hands/export", auth=OWN, url_name="api_hands_export", openapi_extra=_FILE)
def export(
    request: HttpRequest,
    tournament: Key = None,
    since: date | None = None,
    until: date | None = None,
    format: Form = "ndjson",
    cursor: str = "",
) -> HttpResponse:
    """Return the hands of a page of the list as one file; `Next-Cursor` names the page after it."""
    user = caller(request)
    look = _chosen(user, tournament, since, until)
    return _file(_own_page(user, look, cursor), user.pk, format)


@router.get("/hands/{int:pk}", auth=OWN, url_name="api_hand", openapi_extra=TEXT)
def hand(request: HttpRequest, pk: int, format: Form = "ndjson") -> HttpResponse:
    """Return one of the user's finished hands, with own cards and those that were shown."""
    user = caller(request)
    return _text(get_object_or_404(own_hands(user.pk), pk=pk), user.pk, format)


@router.get(
    "/tournaments/{int:pk}/hands", auth=WATCH, response=HandPage, url_name="api_tournament_hands"
)
def tournament_hands(request: HttpRequest, pk: int, cursor: str = "") -> HttpResponse:
    """List the finished hands of a tournament that the user may see, newest first."""
    need_seen(request, pk)
    listing = f"hands:tournament:{pk}"

    def page(cursor: str) -> HandPage:
        return _page(_newest_of(pk), cursor, listing, None)

    return shared_page(listing, cursor, page)


@router.get(
    "/tournaments/{int:pk}/hands/export",
    auth=WATCH,
    url_name="api_tournament_export",
    openapi_extra=_FILE,
)
def tournament_export(
    request: HttpRequest, pk: int, format: Form = "ndjson", cursor: str = ""
) -> HttpResponse:
    """Return the hands of a page of a tournament's list as one file, as spectators saw them."""
    seen(request, pk)
    return _file(page_of(_newest_of(pk), cursor, f"hands:tournament:{pk}"), None, format)


@router.get("/tables/{int:pk}/hands", auth=WATCH, response=HandPage, url_name="api_table_hands")
def table_hands(request: HttpRequest, pk: int, cursor: str = "") -> HandPage:
    """List the finished hands of a table that the user may see, newest first."""
    rows = hands_of_table(seen_table(request, pk))
    return _page(rows, cursor, f"hands-of-table:{pk}", None, "number")


@router.get(
    "/tables/{int:pk}/hands/{int:number}",
    auth=WATCH,
    url_name="api_table_hand",
    openapi_extra=TEXT,
)
def table_hand(request: HttpRequest, pk: int, number: int, format: Form = "ndjson") -> HttpResponse:
    """Return a finished hand of a table that the user may see, as spectators saw it."""
    rows = hands_of_table(seen_table(request, pk))
    return _text(get_object_or_404(rows, number=number), None, format)


def _newest_of(pk: int) -> QuerySet[Hand]:
    """Return a tournament's released hands, of which pages take the newest."""
    rows = hands_of_game(TOURNAMENT, pk)
    return rows.filter(pk__lte=hand_months.last_key(TOURNAMENT, pk))


def _page(
    rows: QuerySet[Hand], cursor: str, listing: str, user: int | None, key: str = "pk"
) -> HandPage:
    page, following = page_of(rows, cursor, listing, key)
    return HandPage(items=[_answer(row, user) for row in page], next=following)


def _answer(row: Hand, user: int | None) -> HandAnswer:
    kept = decode_open(bytes(row.record))
    own = next((seat for seat in kept.seats if seat.dealt and seat.user == user), None)
    table = row.table
    return HandAnswer(
        id=row.pk,
        table=table.pk,
        number=row.number,
        kind=table.director,
        game=table.game,
        variant=kept.setup.rules.variant,
        limit=kept.setup.rules.limit,
        players=row.players,
        pot=row.pot,
        result=None if own is None else own.chips - own.chips_before,
        finished_at=row.finished_at,
    )


def _own_page(user: User, look: Look, cursor: str) -> tuple[list[Hand], str]:
    """Return the user's hands after a cursor, newest first, and the next cursor."""
    listing = f"hands:{user.pk}"
    end = last_key(cursor, listing) if cursor else hand_months.end_key(timezone.now())
    return cut(newest(look, end, ROWS_READ), listing)


def _chosen(user: User, tournament: int | None, since: date | None, until: date | None) -> Look:
    """Return what looks for the user's hands of a tournament and of some days."""
    rows = own_hands(user.pk)
    if tournament is not None:
        rows = rows.filter(hand_months.of_game(TOURNAMENT, tournament))
    if since is not None:
        rows = rows.filter(finished_at__gte=datetime.combine(since, time(), UTC))
    if until is not None:
        rows = rows.filter(finished_at__lt=datetime.combine(until, time(), UTC))
    return lambda first, end: list(within(rows, first, end)[:ROWS_READ])


def _file(page_and_next: tuple[list[Hand], str], user: int | None, form: Form) -> HttpResponse:
    """Return a page of hands as one file, with the cursor of the page after it as a header."""
    page, following = page_and_next
    hands = all_exported(page, user)
    texts = (FORMATS[form].text(hand, count) for count, hand in enumerate(hands, start=1))
    answer = _answered("".join(texts), form)
    answer[NEXT_CURSOR] = following
    return answer


def _text(row: Hand, user: int | None, form: Form) -> HttpResponse:
    """Return a hand as a document of its own, with the cards that a user was shown."""
    hand = exported(row, user)
    return _answered(phh.written(hand) if form == "phh" else FORMATS[form].text(hand, 1), form)


def _answered(text: str, form: Form) -> HttpResponse:
    answer = HttpResponse(text, content_type=f"{CONTENT_TYPES[form]}; charset=utf-8")
    answer["Cache-Control"] = "no-store"
    return answer
