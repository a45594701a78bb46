"""Deleted accounts in tournaments: refused before the end, then anonymous on every page."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from redis import Redis

from accounts.deletion import deleting
from accounts.models import User
from accounts.refusals import AccountDeleted
from accounts.users import access_tokens
from tables.history.kept import all_kept
from tables.models import Hand, Seat
from tables.records.stored import decode
from tests.tournaments import cast
from tournaments.entries import registration
from tournaments.models import Admission, Entry, Guest, Tournament
from tournaments.pages.tabs import TABS
from tournaments.refusals import EnteredStill

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_entry_of_a_tournament_that_is_not_over_refuses_the_deletion(house: Redis) -> None:
    made = cast.open_offer(name="Friday", buy_in=0, fee=0)
    ann = User.objects.create_user("Ann")
    registration.register(ann, made)
    with pytest.raises(EnteredStill) as refused:
        deleting.delete(ann)
    assert str(refused.value).startswith("You are in Friday:")
    assert User.objects.get(pk=ann.pk).name == "Ann"
    registration.unregister(ann, made)
    assert deleting.delete(ann) == f"deleted-{ann.pk}"
    entries = Entry.objects.count()
    with pytest.raises(AccountDeleted):
        registration.register(ann, made)
    assert Entry.objects.count() == entries
    assert Entry.objects.get(user=ann).name == f"deleted-{ann.pk}"


def test_a_player_who_is_out_waits_for_the_end_too(house: Redis) -> None:
    made = cast.started(3)
    arena = cast.Arena(made.pk, 3)
    for _ in range(2_000):
        for table in arena.tables():
            arena.step(table)
        out = made.entries.filter(state=Entry.State.OUT).first()
        if out is not None:
            break
    assert out is not None
    with pytest.raises(EnteredStill):
        deleting.delete(out.user)


@pytest.fixture
def finished(house: Redis) -> Tournament:
    made = cast.started(4, seats_per_table=4)
    cast.Arena(made.pk, 3).run()
    made.refresh_from_db()
    assert made.state == "finished"
    return made


def test_every_page_shows_the_anonymous_names(finished: Tournament, tmp_path: Path) -> None:
    gone = list(finished.entries.order_by("place").select_related("user")[:2])
    reader = finished.entries.order_by("-place")[0].user
    for entry in gone:
        Guest.objects.create(tournament=finished, user=entry.user)
        Admission.objects.create(tournament=finished, user=entry.user)
        deleting.delete(entry.user)
    former = [entry.name for entry in gone]
    stored = [decode(bytes(row.record)) for row in Hand.objects.all()]
    assert former[0] in {seat.name for kept in stored for seat in kept.seats}
    assert not Guest.objects.exists() and not Admission.objects.exists()
    assert not Seat.objects.filter(name__in=former).exists()
    pages = _pages(finished, reader)
    for address, text in pages.items():
        assert not [name for name in former if name in text], address
    anonymous = f"deleted-{gone[0].user_id}"
    for part in ("?tab=results", "results.csv", "/hands/1/", "/phh/", "?tab=overview"):
        shown = [text for address, text in pages.items() if part in address]
        assert shown and any(anonymous in text for text in shown), part
    call_command("export_hands", tournament=finished.pk, out=tmp_path / "out")
    written = "".join(path.read_text() for path in (tmp_path / "out").iterdir())
    assert anonymous in written and not [name for name in former if name in written]


def _pages(made: Tournament, reader: User) -> dict[str, str]:
    """Return the text of every page that shows players of a finished tournament."""
    client = Client()
    client.force_login(reader)
    token = access_tokens.issue(reader, name="x", scopes=["watch", "hands:own"], days=1)
    bearer = {"authorization": f"Bearer {token}"}
    addresses = [f"/tournaments/{made.pk}/?tab={tab}" for tab in TABS]
    addresses += [f"/tournaments/{made.pk}/{end}" for end in ("results.csv", "end/", "row/")]
    addresses += ["/", "/players/?name=bot", "/players/?name=deleted", "/api/v1/hands/export"]
    addresses += [f"/api/v1/tournaments/{made.pk}/{end}" for end in ("results", "hands/export")]
    for hand in Hand.objects.all():
        table = f"/tables/{hand.table_id}/hands/"
        addresses += [table, *(f"{table}{hand.number}/{end}" for end in ("", "phh/", "fair/"))]
    texts = {}
    for address in addresses:
        headers = bearer if address.startswith("/api/") else {}
        answer = client.get(address, headers=headers)
        assert answer.status_code == 200 or "/fair/" in address, (address, answer.status_code)
        texts[address] = answer.content.decode()
    return texts


def test_records_keep_their_bytes_and_one_query_renames_a_page(
    finished: Tournament, django_assert_num_queries: object
) -> None:
    gone = finished.entries.order_by("place")[0]
    hands = list(Hand.objects.order_by("pk"))
    before = [bytes(row.record) for row in hands]
    deleting.delete(gone.user)
    with django_assert_num_queries(1):  # type: ignore[operator]
        shown = all_kept(hands)
    assert [bytes(row.record) for row in Hand.objects.order_by("pk")] == before
    names = {seat.name for kept in shown for seat in kept.seats if seat.user == gone.user_id}
    assert names == {f"deleted-{gone.user_id}"}
