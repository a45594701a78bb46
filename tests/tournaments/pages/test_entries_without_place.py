"""Pages say what an entry is that has neither chips nor a place yet."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import bust, next_hand
from tests.tournaments.cast import somebody
from tests.tournaments.entries.late_entries import late
from tournaments.models import Entry, Tournament
from tournaments.running import rulings


def _pending(tournament: Tournament) -> Entry:
    _, entry = bust(tournament)
    return entry


def _disqualified(tournament: Tournament) -> Entry:
    entry = somebody(tournament)
    rulings.disqualify(entry.pk, actor=None, reason="why")
    next_hand(Seat.objects.get(entry=entry.pk).table_id)
    return Entry.objects.get(pk=entry.pk)


@pytest.mark.rule("E-02")
@pytest.mark.rule("T-15")
@pytest.mark.parametrize(
    ("put", "words", "told"),
    [
        (_pending, "may buy again", "you may buy again: answer your offer."),
        (_disqualified, "disqualified", "You are disqualified."),
    ],
)
def test_an_entry_with_neither_chips_nor_a_place_is_named_on_every_page(
    house: Redis, client: Client, put: object, words: str, told: str
) -> None:
    tournament = late(4, entries_max=3)
    assert callable(put)
    entry = put(tournament)
    assert entry.place is None and not Seat.objects.filter(entry=entry.pk).exists()
    address = reverse("tournament", args=[tournament.pk])
    client.force_login(entry.user)
    [own] = re.findall(r'<p class="panel">(.*?)</p>', _read(client, address), re.DOTALL)
    assert told in own
    assert words in _row(_read(client, f"{address}?tab=players"), entry)
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    assert words in _row(_read(client, reverse("cockpit", args=[tournament.pk])), entry)


def _read(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def _row(page: str, entry: Entry) -> str:
    """Row of an entry in a table of players."""
    found = re.search(rf'<td class="title">{entry.name}</td>(.*?)</tr>', page, re.DOTALL)
    assert found is not None
    return found[1]
