"""Lists of many rows read some columns of tournaments: a whole one takes 50 KB of a process."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tests.tournaments.cast import open_offer, started
from tests.tournaments.club_scene import club_offer, make_club, person
from tests.tournaments.prizes.ticket_scene import give_ticket
from tournaments.entries import guests, registration
from tournaments.models import ClubTemplate, Ticket, Tournament
from tournaments.prizes import tickets
from tournaments.queries import lobby_rows, mine, overview, templates, where
from tournaments.queries.notices import CLUB_TOURNAMENT, INVITED

LARGE = ("structure", "prizes", "resized")


@pytest.fixture
def ann(house: Redis) -> User:
    return person("Ann")


def _read(ask: Callable[[], Any]) -> tuple[Any, set[str], int]:
    """Return an answer, the large columns of tournaments that it read, and its queries."""
    with CaptureQueriesContext(connection) as seen:
        answer = ask()
    statements = [query["sql"] for query in seen]
    named = {name for name in LARGE for sql in statements if _column(name) in sql}
    return answer, named, len(statements)


def _column(name: str) -> str:
    return f'"tournaments_tournament"."{name}"'


def test_starts_and_whereabouts_of_a_player_read_names_and_times(ann: User) -> None:
    at = timezone.now() + timedelta(hours=1)
    several = open_offer(
        start="scheduled", starts_at=at, buy_in=0, fee=0, entries_max=2, several_at_once=True
    )
    for _ in range(2):
        registration.register(ann, several)
    starts, named, _ = _read(lambda: mine.my_starts(ann))
    assert not named, "an entry more is no start more"
    assert starts == [mine.MyStart(several.pk, "Test", int(at.timestamp() * 1_000))]
    found, named, _ = _read(lambda: where.where("Ann", None))
    assert not named
    assert found == 2 * [
        where.Whereabouts(*("Ann", several.pk, "Test", "registered"), *(None, None, None, 0))
    ]


def test_tickets_read_the_names_of_the_tournaments_that_gave_them(ann: User) -> None:
    given = [give_ticket(ann, token) for token in ("one", "two")]
    Ticket.objects.filter(pk=given[0].pk).update(won_in=open_offer(name="Sunday"))
    owned, named, queries = _read(
        lambda: [row.won_in and row.won_in.name for row in tickets.owned(ann)]
    )
    assert not named and owned == ["Sunday", None]
    Ticket.objects.filter(pk=given[1].pk).update(won_in=open_offer(name="Monday"))
    again = _read(lambda: [row.won_in and row.won_in.name for row in tickets.owned(ann)])
    assert again == (["Sunday", "Monday"], set(), queries)


def test_templates_and_notices_of_a_club_read_what_they_say(ann: User) -> None:
    club, at = make_club(), timezone.now() + timedelta(hours=5)
    everybody = User.objects.all()
    counts = []
    for number in range(2):
        made = club_offer(
            club, name=f"Night {number}", start="scheduled", starts_at=at, entered_by="invited"
        )
        guests.invite(made.pk, "Ann", actor=person("Olga"))
        ClubTemplate.objects.create(
            club=club, name=f"Kept {number}", tournament=made, made_by=person("Olga")
        )
        for ask in (
            lambda: templates.rows_of(club),
            lambda: [one.words() for one in INVITED.find(timezone.now(), everybody)],
            lambda: [one.words() for one in CLUB_TOURNAMENT.find(timezone.now(), everybody)],
        ):
            answer, named, queries = _read(ask)
            assert not named
            counts.append((len(answer), queries))
    # Members of a club are asked for by tournament.
    assert counts[:2] == [(1, 1), (1, 1)] and counts[3:5] == [(2, 1), (2, 1)]


def test_the_lobby_reads_no_prizes_and_balances(ann: User) -> None:
    Tournament.objects.filter(pk=started(4).pk).update(name="Played")
    _, named, before = _read(lambda: lobby_rows.in_lobby(None))
    assert named == {"structure"}, "the level and its time"
    started(4)
    rows, _, after = _read(lambda: lobby_rows.in_lobby(None))
    assert len(rows) == 2 and after == before


def test_tables_of_a_tournament_are_read_without_their_grants(house: Redis) -> None:
    tournament = started(8, players_max=8, seats_per_table=4)
    with CaptureQueriesContext(connection) as seen:
        rows = overview.tables(tournament)
    assert [(row.number, row.players, row.average) for row in rows] == [
        (1, 4, 1_500),
        (2, 4, 1_500),
    ]
    assert len(seen) == 1 and not any('."grant"' in query["sql"] for query in seen)
