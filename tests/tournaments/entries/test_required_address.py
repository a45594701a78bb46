"""E-mail address at the sign-up, and rooms that ask for a confirmed one before people play."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import LazySettings
from django.test import Client
from redis import Redis

from accounts.models import EmailAddress, Mail, User
from accounts.refusals import AddressNeeded
from accounts.users import bots
from config import environment, limits
from tables.ring.models import RingSession
from tables.ring.sessions import sit_down, waiting_list
from tests.accounts.mail.addresses import confirmed, path_in, sent, stored
from tests.accounts.mail.mail_sink import MailSink, room_mail_sink
from tests.tables.ring.room import cast
from tests.tournaments.cast import open_offer
from tournaments.entries import registration
from tournaments.models import Entry

PASSWORD = "a long password"


@pytest.fixture
def sink(house: Redis, settings: LazySettings) -> Iterator[MailSink]:
    with room_mail_sink(settings) as listening:
        yield listening


def test_a_newcomer_may_give_an_address_and_may_leave_it_out(sink: MailSink) -> None:
    page = _sign_up(Client(), "Ann", "ann@example.org")
    assert "A mail to ann@example.org is on its way" in page
    [(to, text)] = sent(sink)
    assert to == "ann@example.org" and "Confirm the address for Ann" in text
    assert Client().post(path_in(text)).status_code == 302
    assert stored() == [("Ann", "ann@example.org", True, True)]
    assert "is on its way" not in _sign_up(Client(), "Ben", "")
    assert User.objects.filter(name="Ben").exists() and sent(sink) == []


@pytest.mark.parametrize("address", ["nonsense", "a@b", "<b>@example.org", "x" * 250 + "@a.org"])
def test_a_wrong_address_is_refused_beside_its_field_and_makes_no_account(
    sink: MailSink, address: str
) -> None:
    page = _sign_up(Client(), "Ann", address)
    assert 'id="id_address_error"' in page
    assert not User.objects.filter(name="Ann").exists() and not Mail.objects.exists()


def test_an_address_of_somebody_else_is_answered_as_a_free_one(sink: MailSink) -> None:
    confirmed(User.objects.create_user("Olga", PASSWORD), "olga@example.org")
    pages = {
        _sign_up(Client(), name, address).replace(address, "?").replace(name, "?")
        for name, address in (("Ann", "Olga@example.org"), ("Ben", "free@example.org"))
    }
    assert len({page.partition("messages")[2][:300] for page in pages}) == 1
    texts = dict(sent(sink))
    assert "already belongs to another account" in texts["Olga@example.org"]


def test_one_address_is_written_to_a_few_times_however_many_sign_up_with_it(
    sink: MailSink,
) -> None:
    for number in range(limits.FORGOTTEN_TRIES_USER):
        assert "is on its way" in _sign_up(Client(), f"Ann{number}", "victim@example.org")
    page = _sign_up(Client(), "Last", "Victim@example.org")
    assert "Too many mails were asked for" in page
    assert User.objects.filter(name="Last").exists(), "the account is there all the same"
    assert len(sent(sink)) == limits.FORGOTTEN_TRIES_USER


def test_thirty_newcomers_behind_one_router_get_their_mails(sink: MailSink) -> None:
    for number in range(30):
        assert "is on its way" in _sign_up(Client(), f"Guest{number}", f"g{number}@example.org")
    assert len(sent(sink)) == 30


def test_a_room_without_mail_asks_for_no_address(house: Redis) -> None:
    assert "id_address" not in Client().get("/accounts/signup/").content.decode()
    assert "is on its way" not in _sign_up(Client(), "Ann", "ann@example.org")
    assert not EmailAddress.objects.exists()


def test_a_room_that_needs_an_address_takes_no_sign_up_without_one(
    sink: MailSink, settings: LazySettings
) -> None:
    settings.EMAIL_REQUIRED = True
    assert 'id="id_address_error"' in _sign_up(Client(), "Ann", "")
    assert not User.objects.filter(name="Ann").exists()
    german = Client().get("/accounts/signup/", headers={"Accept-Language": "de"})
    assert "bestätigst sie" in german.content.decode()


def test_people_without_a_confirmed_address_enter_and_sit_down_nowhere(
    sink: MailSink, settings: LazySettings
) -> None:
    settings.EMAIL_REQUIRED = True
    offer, ring = open_offer(), cast.game()
    client = Client()
    _sign_up(client, "Ann", "ann@example.org")
    ann = User.objects.get(name="Ann")
    with pytest.raises(AddressNeeded):
        registration.register(ann, offer)
    with pytest.raises(AddressNeeded):
        registration.register_for(ann, offer, actor=bots.create(1)[0], reason="a friend asked")
    with pytest.raises(AddressNeeded):
        sit_down.sit(ann, ring.pk, amount=50_00)
    with pytest.raises(AddressNeeded):
        waiting_list.join(ann, ring.pk)
    assert not Entry.objects.exists() and not RingSession.objects.exists()
    for address in ("/account/", "/account/emails/"):
        assert "This room asks for a confirmed" in client.get(address).content.decode()
    client.post(path_in(sent(sink)[0][1]))
    assert "This room asks for" not in client.get("/account/").content.decode()
    assert registration.register(ann, offer).state == "registered"
    assert sit_down.sit(ann, ring.pk, amount=50_00).bought == 50_00


def test_bots_need_no_address_and_rooms_ask_for_none_unless_they_say_so(
    sink: MailSink, settings: LazySettings
) -> None:
    person = User.objects.create_user("Ann", PASSWORD)
    with pytest.raises(Exception, match="costs"):
        registration.register(person, open_offer())
    settings.EMAIL_REQUIRED = True
    assert registration.register(bots.create(1)[0], open_offer()).state == "registered"


def test_a_room_that_needs_addresses_and_sends_no_mail_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert environment.email_required("") is False
    monkeypatch.setenv("EMAIL_REQUIRED", "1")
    assert environment.email_required("smtp://127.0.0.1") is True
    with pytest.raises(ValueError, match="EMAIL_REQUIRED needs MAIL_URL"):
        environment.email_required("")


def _sign_up(client: Client, name: str, address: str) -> str:
    """The page after a sign-up, followed."""
    given = {"name": name, "password": PASSWORD, "address": address}
    return client.post("/accounts/signup/", given, follow=True).content.decode()
