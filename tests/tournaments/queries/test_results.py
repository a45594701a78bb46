"""Results as a file: every entry once, places and prizes as paid."""

from __future__ import annotations

import csv

import pytest
from django.test import Client
from redis import Redis

from tests.tournaments.cast import Arena, open_offer, started
from tournaments.models import Entry, Tournament
from tournaments.queries import results

pytestmark = pytest.mark.django_db(transaction=True)


def _rows(client: Client, tournament: Tournament) -> list[dict[str, str]]:
    answer = client.get(f"/tournaments/{tournament.pk}/results.csv")
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/csv")
    assert f'"tournament-{tournament.pk}.csv"' in answer["Content-Disposition"]
    return list(csv.DictReader(answer.content.decode().splitlines()))


def test_the_file_has_every_entry_by_place_with_its_prize(house: Redis, client: Client) -> None:
    tournament = started(7, players_max=7, seats_per_table=4, bounty=200)
    assert "Results as CSV" not in _players(client, tournament)
    assert [row["place"] for row in _rows(client, tournament)] == [""] * 7
    Arena(tournament.pk, 5).run()
    rows = _rows(client, tournament)
    entries = {str(entry.number): entry for entry in Entry.objects.all()}
    assert {row["entry"] for row in rows} == set(entries)
    for row in rows:
        entry = entries[row["entry"]]
        assert (
            row["id"] == str(entry.pk)
            and row["player"] == entry.name
            and row["out_at"] == (entry.out_at.isoformat() if entry.out_at else "")
        )
        assert int(row["place"]) == entry.place
        assert (int(row["prize"]), int(row["bounties_won"])) == (entry.prize, entry.bounties_won)
    places = [int(row["place"]) for row in rows]
    assert places == sorted(places) and places[0] == 1
    tournament.refresh_from_db()
    assert sum(int(row["prize"]) for row in rows) == tournament.pool
    assert "Results as CSV" in _players(client, tournament)


def test_a_name_is_never_a_formula_and_an_unknown_tournament_is_not_found(
    house: Redis, client: Client
) -> None:
    tournament = started(2)
    Entry.objects.filter(number=1).update(name="=1+1")
    assert _rows(client, tournament)[0]["player"] == "'=1+1"
    assert client.get("/tournaments/999/results.csv").status_code == 404
    assert client.post(f"/tournaments/{tournament.pk}/results.csv").status_code == 405
    assert results.as_csv(open_offer()).splitlines() == [",".join(results.HEADINGS)]


def test_a_file_of_a_large_field_holds_few_rows_at_once(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = started(5, players_max=5)
    whole = results.as_csv(tournament)
    monkeypatch.setattr(results, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(Entry, "from_db", None)  # an object for each entry of a field is much
    assert results.as_csv(tournament) == whole and len(whole.splitlines()) == 6


def _players(client: Client, tournament: Tournament) -> str:
    return client.get(f"/tournaments/{tournament.pk}/", {"tab": "players"}).content.decode()
