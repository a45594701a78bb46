"""Mark of a research room: only a new room without people gets it, and people stay out of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, OperationalError, transaction
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.models import User
from accounts.refusals import SignUpRefused
from accounts.research import mark
from accounts.research.mark import is_marked, told
from accounts.research.models import ResearchMark
from accounts.research.refusals import MarkedAlready, PeopleHere
from accounts.users import bots
from accounts.users.signup import sign_up
from tables.models import Seat, Table
from tables.seeds import marking
from tables.seeds.models import GameSeed
from tables.seeds.refusals import NoSuchGame, NotResearch, SeedGiven, TablesHere, WrongSeed
from tests.tables.ring.room.two_transactions import meanwhile
from tests.tables.seeds.research_room import forget, research_room

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "three blind mice"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """A process that has read nothing of a mark yet."""
    forget()
    yield
    forget()


@pytest.fixture
def marked() -> Iterator[None]:
    """A research room with its operator."""
    User.objects.create_superuser("operator", PASSWORD)
    with research_room():
        yield


def _table() -> Table:
    return Table.objects.create(director="test", game=1, number=1, seats_max=2)


def _printed(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_a_new_room_with_bots_and_staff_is_marked_once_for_good() -> None:
    bots.create(2)
    User.objects.create_superuser("operator", PASSWORD)
    assert "no research room" in _printed("research_mark") and not is_marked()
    assert "bots alone" in _printed("research_mark", "--yes") and is_marked()
    with pytest.raises(CommandError, match="already"):
        _printed("research_mark", "--yes")
    with pytest.raises(MarkedAlready):
        marking.mark_room()
    assert ResearchMark.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda: ResearchMark.objects.all().delete(),
        lambda: ResearchMark.objects.update(marked_at="2020-01-01T00:00Z"),
        lambda: ResearchMark.objects.create(id=2),
    ],
)
def test_the_mark_is_neither_taken_off_nor_changed(marked: None, change: Any) -> None:
    before = list(ResearchMark.objects.values())
    with pytest.raises(IntegrityError), transaction.atomic():
        change()
    assert list(ResearchMark.objects.values()) == before


def test_a_room_with_a_person_is_never_marked() -> None:
    sign_up("Ada", PASSWORD)
    with pytest.raises(PeopleHere) as refused:
        marking.mark_room()
    assert refused.value.allowed == {"people": 1}
    with pytest.raises(CommandError, match="1 people have accounts"):
        _printed("research_mark", "--yes")
    assert not is_marked()


def test_a_room_that_has_opened_a_table_is_never_marked() -> None:
    _table()
    with pytest.raises(TablesHere):
        marking.mark_room()
    assert not is_marked()


def test_a_person_who_signs_up_while_the_room_is_marked_comes_first_or_not_at_all() -> None:
    """The mark waits for a sign-up that is not committed yet, and is refused then."""
    signed_up, refused = meanwhile(lambda: sign_up("Ada", PASSWORD), marking.mark_room)
    assert isinstance(signed_up, User) and isinstance(refused, PeopleHere)
    assert not is_marked()


def test_people_cannot_sign_up_by_any_way(marked: None) -> None:
    operator = Client()
    operator.force_login(User.objects.get(name="operator"))
    ways: list[Any] = [
        lambda: sign_up("Ada", PASSWORD),
        lambda: User.objects.create(name="Ada"),
        lambda: User.objects.bulk_create([User(name="Ada")]),
        lambda: User.objects.create_user("Ada", PASSWORD),
        lambda: User.objects.filter(name="operator").update(is_staff=False),
        lambda: User.objects.filter(pk=bots.create(1)[0].pk).update(is_bot=False),
    ]
    for way in ways:
        with ExitStack() as stack:
            stack.enter_context(pytest.raises((SignUpRefused, IntegrityError)))
            stack.enter_context(transaction.atomic())
            way()
    page = Client().post("/accounts/signup/", {"name": "Ada", "password": PASSWORD})
    assert page.status_code == 200 and b"people have no accounts" in page.content
    added = operator.post("/admin/accounts/user/add/", {"name": "Ada"})
    assert added.status_code in (200, 302)
    assert not User.objects.filter(is_bot=False, is_staff=False).exists()
    assert list(User.objects.filter(is_bot=False).values_list("name", flat=True)) == ["operator"]


def test_bots_and_operators_may_be_made(marked: None) -> None:
    assert len(bots.create(2)) == 2
    call_command("createsuperuser", "--noinput", "--name", "second")
    assert User.objects.get(name="second").is_staff
    User.objects.filter(name="second").update(is_staff=False, deleted_at=timezone.now())


def test_a_seat_for_a_person_is_refused_by_the_database(marked: None) -> None:
    table, bot = _table(), bots.create(1)[0]
    person = User.objects.get(name="operator")
    for user, fits in ((person, False), (bot, True)):
        row = Seat(table=table, seat=1, entry=user.pk, user=user, name=user.name, chips=9)
        row.bank_ms = 0
        if fits:
            row.save()
        else:
            with pytest.raises(IntegrityError), transaction.atomic():
                row.save()
    assert [seat.user_id for seat in Seat.objects.all()] == [bot.pk]


def test_a_malformed_seed_is_refused() -> None:
    for text in ("", "-1", "1.5", "1e3", "٣", "0x1f", " 7", str(2**63), "9" * 400, "seed"):
        with pytest.raises(WrongSeed) as refused:
            marking.read_seed(text)
        assert refused.value.allowed == {"most": 2**63 - 1}, text


def test_a_seed_is_given_once_before_the_first_table(marked: None) -> None:
    marking.give_seed("test", 1, 7)
    marking.give_seed("test", 1, 7)
    with pytest.raises(SeedGiven):
        marking.give_seed("test", 1, 8)
    with pytest.raises(WrongSeed):
        marking.give_seed("test", 2, -1)
    _table()
    marking.give_seed("test", 1, 7)
    Table.objects.update(game=3)
    with pytest.raises(NoSuchGame):
        marking.give_seed("test", 3, 7)
    for change in (GameSeed.objects.all().delete, lambda: GameSeed.objects.update(seed=8)):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
    assert list(GameSeed.objects.values_list("director", "game", "seed")) == [("test", 1, 7)]


def test_a_room_without_the_mark_gives_no_seeds() -> None:
    with pytest.raises(NotResearch):
        marking.give_seed("test", 1, 7)
    assert not GameSeed.objects.exists()


def test_pages_tell_the_mark_at_once_where_it_was_made(room: Redis) -> None:
    assert b"research-banner" not in Client().get("/").content
    with research_room():
        page = Client().get("/").content
        assert b"research-banner" in page and b"/accounts/signup/" not in page


def test_other_processes_tell_the_mark_once_they_read_it_again(
    room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not told.get()
    ResearchMark.objects.create()
    assert not told.get(), "read a moment ago"
    monkeypatch.setattr(mark, "READ_AGAIN_S", 0.0)
    assert told.get() and b"research-banner" in Client().get("/").content
    monkeypatch.setattr(mark, "is_marked", None)
    assert told.get(), "a mark is final: nobody reads it again"


def test_pages_are_told_while_postgresql_gives_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_answer() -> bool:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(mark, "READ_AGAIN_S", 0.0)
    monkeypatch.setattr(mark, "is_marked", no_answer)
    assert told.get() is False
