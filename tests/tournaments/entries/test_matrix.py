"""The matrix of rights in docs/security.md is that of the answers; `make rights` writes it."""

from __future__ import annotations

import os

import pytest
from django.conf import settings
from redis import Redis

from tables.models import Hand as HandRow
from tests.deploy.cluster import held_pages
from tests.deploy.cluster.held_pages import Hand
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site
from tests.tables.ring.room import cast
from tests.tournaments.cast import Arena, passive
from tests.tournaments.club_ring_scene import club_ring
from tests.tournaments.club_scene import club_started, make_club, people
from tests.tournaments.entries import matrix
from tests.tournaments.seasons.cast import season
from tournaments.models import Entry

__all__ = ["site"]


@pytest.mark.sample
@pytest.mark.journey
def test_the_matrix_of_rights_in_the_docs_is_current(site: Site, house: Redis) -> None:
    club = make_club()
    made = club_started(club)
    arena = Arena(made.pk)
    arena.choose = passive
    arena.hand(arena.tables()[0])
    row = HandRow.objects.get()
    entry = Entry.objects.filter(tournament=made).order_by("pk")[0]
    ring = club_ring(club)
    autumn = season(club, audience="members")
    hand = Hand(made.pk, row.table_id, row.number, entry.pk, entry.name[:5], "link", ring.pk)
    everybody = people(club, made)
    pages = matrix.of_addresses(hand, club.slug, autumn.pk, everybody)
    assert len(pages) == len(matrix.patterns()) - len(matrix.UNASKED)
    desk = matrix.of_the_admin(hand, everybody)
    entered = everybody["entered"]
    assert entered is not None
    keys = hand._asdict() | {"user": entered.pk}
    names = {
        pattern.replace("1", "{club}"): pattern.replace("1", str(club.pk)).format_map(keys)
        for ways in held_pages.STREAMS.values()
        for pattern in ways
    }
    names["table:{ring table}"] = f"table:{cast.table_of(ring).pk}"
    streams = matrix.of_streams(site, names, everybody)
    written = matrix.table(streams, "stream") + "\n" + matrix.table(desk | pages, "address")
    page = settings.BASE_DIR / matrix.PAGE
    head, rest = page.read_text(encoding="utf-8").split(matrix.BEGIN)
    _, tail = rest.split(matrix.END)
    current = head + matrix.BEGIN + written + matrix.END + tail
    if os.environ.get("RIGHTS_WRITE"):
        page.write_text(current, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == current, "make rights writes the matrix"
