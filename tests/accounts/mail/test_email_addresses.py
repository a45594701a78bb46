"""Several e-mail addresses of an account: chosen, removed, bounded, and refused steps."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.mail import addresses, outgoing
from accounts.models import EmailAddress, Mail, User
from accounts.users import forgotten_password, password_links
from config import limits
from tests.accounts import browsers
from tests.accounts.mail.addresses import confirmed, path_in, sent, stored
from tests.accounts.mail.mail_sink import MailSink, room_mail_sink

PAGE = "/account/emails/"
PASSWORD = "a long password"
OWN = ("ann@example.org", "ann@example.net")


@pytest.fixture
def sink(room: Redis, db: None, settings: Settings) -> Iterator[MailSink]:
    with room_mail_sink(settings) as listening:
        yield listening


@pytest.fixture
def ann(sink: MailSink) -> User:
    """A player with two confirmed addresses."""
    return confirmed(User.objects.create_user("Ann", PASSWORD), *OWN)


def browser(user: User) -> Client:
    """A browser in which a user is logged in, without the mail about a new device."""
    client = browsers.browser(user)
    Mail.objects.all().delete()
    return client


def step(client: Client, address: str, name: str) -> str:
    """Take a step with one address; return the page afterwards."""
    pk = EmailAddress.objects.get(address=address).pk
    return client.post(f"{PAGE}{pk}/{name}/", follow=True).content.decode()


def test_an_address_is_found_by_its_index_in_capitals_or_not(ann: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    for written in (OWN[1], "Ann@Example.NET", "ANN@EXAMPLE.NET"):
        found = EmailAddress.confirmed_as(written)
        assert [row.address for row in found] == [OWN[1]], written
        assert "email_address_once" in found.explain()
        assert addresses.belongs_to_somebody(written)
    EmailAddress.objects.update(is_primary=False, confirmed_at=None)
    assert not EmailAddress.confirmed_as(OWN[1]).exists(), "one that waits is nobody's"


def test_another_address_is_added_confirmed_chosen_and_the_former_one_removed(
    sink: MailSink,
) -> None:
    ann = confirmed(User.objects.create_user("Ann", PASSWORD), "old@example.org")
    client = browser(ann)
    client.post(PAGE, {"address": "new@example.org"})
    mails = dict(sent(sink))
    assert "new@example.org was added to Ann" in mails["old@example.org"]
    assert Client().post(path_in(mails["new@example.org"])).status_code == 302
    assert stored()[1] == ("Ann", "new@example.org", True, False), "the primary stays"
    page = step(client, "new@example.org", "primary")
    assert "new@example.org is now your primary address." in page
    [(to, text)] = sent(sink)
    assert to == "old@example.org"
    assert "The primary e-mail address of Ann is now new@example.org." in text
    assert User.objects.get().email == outgoing.primary_address(ann.pk) == "new@example.org"
    assert "old@example.org is removed" in step(client, "old@example.org", "remove")
    [(to, text)] = sent(sink)
    assert to == "new@example.org" and "old@example.org was removed from Ann." in text
    assert stored() == [("Ann", "new@example.org", True, True)]
    forgotten_password.mail_link("old@example.org", "")
    assert sent(sink) == [], "a removed address resets nothing"
    step(client, "new@example.org", "remove")
    assert stored() == [] and User.objects.get().email == ""


def test_each_address_is_shown_with_its_state_and_its_steps(ann: User) -> None:
    row = EmailAddress.objects.create(user=ann, address="later@example.org")
    page = browser(ann).get(PAGE).content.decode()
    _head, first, second, third = page.split('class="field address"')
    assert OWN[0] in first and "primary" in first and "<form" not in first
    assert OWN[1] in second and "confirmed" in second and "/primary/" in second
    assert "waits for confirmation" in third and f"{PAGE}{row.pk}/again/" in third
    assert "/primary/" not in third and "/again/" not in second


def test_the_mail_of_a_waiting_address_is_sent_again_within_the_limits(
    sink: MailSink, ann: User
) -> None:
    client = browser(ann)
    client.post(PAGE, {"address": "later@example.org"})
    for _ in range(limits.FORGOTTEN_TRIES_USER - 1):
        assert "is on its way" in step(client, "later@example.org", "again")
    assert "Too many mails" in step(client, "later@example.org", "again")
    refused = client.post(PAGE, {"address": "more@example.org"})
    assert refused.status_code == 400 and "Too many mails" in refused.content.decode()
    texts = [text for to, text in sent(sink) if to == "later@example.org"]
    assert len(texts) == limits.FORGOTTEN_TRIES_USER
    assert Client().post(path_in(texts[0])).status_code == 302
    assert Client().post(path_in(texts[1])).status_code == 409, "one confirmation is enough"
    assert "is confirmed already" in step(client, "later@example.org", "again")
    assert sent(sink) == [] and len(stored()) == 3


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (OWN[0], "already one of yours"),
        ("ANN@Example.NET", "already one of yours"),
        ("Later@example.org", "already one of yours"),
        ("", "This field is required."),
        ("ann", "Enter a valid email address."),
        ("a@b@example.org", "Enter a valid email address."),
        ("ann@example.org\r\nBcc: x@example.org", "Enter a valid email address."),
        ("x@" + "a.b" * 100 + ".org", "at most 254 characters"),
    ],
)
def test_a_wrong_or_listed_address_is_refused_and_nothing_is_mailed(
    sink: MailSink, ann: User, address: str, words: str
) -> None:
    EmailAddress.objects.create(user=ann, address="later@example.org")
    before = stored()
    answer = browser(ann).post(PAGE, {"address": address})
    page = answer.content.decode()
    assert answer.status_code == 400 and page.count(words) == 1
    assert stored() == before and not Mail.objects.exists()


def test_one_address_too_many_is_refused(sink: MailSink, ann: User) -> None:
    for number in range(limits.EMAIL_ADDRESSES_MAX - len(OWN)):
        EmailAddress.objects.create(user=ann, address=f"{number}@example.org")
    before, client = stored(), browser(ann)
    words = "You have 5 e-mail addresses, and no more are possible"
    page = client.get(PAGE).content.decode()
    assert words in page and 'name="address"' not in page
    answer = client.post(PAGE, {"address": "more@example.org"})
    assert answer.status_code == 400 and words in answer.content.decode()
    assert stored() == before and not Mail.objects.exists()


def test_a_primary_address_stays_while_there_are_others(sink: MailSink, ann: User) -> None:
    client, before = browser(ann), stored()
    words = "This is your primary address: make another one the primary first"
    assert words in step(client, OWN[0], "remove")
    EmailAddress.objects.filter(address=OWN[1]).update(confirmed_at=None)
    assert words in step(client, OWN[0], "remove"), "one that waits counts, too"
    EmailAddress.objects.filter(address=OWN[1]).update(confirmed_at=timezone.now())
    assert stored() == before and not Mail.objects.exists()


def test_an_address_that_waits_becomes_no_primary(sink: MailSink, ann: User) -> None:
    EmailAddress.objects.create(user=ann, address="later@example.org")
    before = stored()
    page = step(browser(ann), "later@example.org", "primary")
    assert "Only a confirmed address can be the primary" in page
    step(browser(ann), OWN[0], "primary")
    assert stored() == before and not Mail.objects.exists()
    assert User.objects.get().email == OWN[0]


def test_a_primary_address_changes_a_few_times_at_once(sink: MailSink, ann: User) -> None:
    client = browser(ann)
    for number in range(limits.FORGOTTEN_TRIES_USER):
        step(client, OWN[(number + 1) % 2], "primary")
    before = stored()
    assert before[1][3], "the last change counts"
    assert "Too many mails" in step(client, OWN[0], "primary")
    assert stored() == before


@pytest.mark.parametrize("name", ["primary", "again", "remove"])
def test_steps_with_addresses_of_others_and_of_nobody_are_not_found(
    sink: MailSink, ann: User, name: str
) -> None:
    EmailAddress.objects.create(user=ann, address="later@example.org")
    ben = confirmed(User.objects.create_user("Ben", PASSWORD), "ben@example.org")
    client, before = browser(ben), stored()
    for pk in (*ann.email_addresses.values_list("pk", flat=True), 0, 10**12):
        assert client.post(f"{PAGE}{pk}/{name}/").status_code == 404
        assert client.get(f"{PAGE}{pk}/{name}/").status_code == 405
        assert Client().post(f"{PAGE}{pk}/{name}/").headers["Location"].startswith("/accounts/")
    assert client.post(f"{PAGE}{10**30}/{name}/").status_code == 404
    assert stored() == before and not Mail.objects.exists()


def test_a_link_of_somebody_else_or_of_a_removed_address_confirms_nothing(
    sink: MailSink, ann: User
) -> None:
    client = browser(ann)
    client.post(PAGE, {"address": "later@example.org"})
    link = path_in(dict(sent(sink))["later@example.org"])
    before = stored()
    ben = browser(User.objects.create_user("Ben", PASSWORD))
    refused = ben.post(link)
    assert refused.status_code == 409
    assert "This link is for another account" in refused.content.decode()
    assert stored() == before
    step(client, "later@example.org", "remove")
    assert Client().post(link).status_code == 409
    assert stored() == before[:2]
    gone = signing.dumps([10**9, "later@example.org"], salt="email-address")
    with pytest.raises(addresses.LinkOver):
        addresses.confirm(gone)


def test_of_two_accounts_that_wait_for_one_address_the_first_gets_it(
    sink: MailSink, ann: User
) -> None:
    ben = confirmed(User.objects.create_user("Ben", PASSWORD), "ben@example.org")
    addresses.add(ann, "both@example.org", "")
    addresses.add(ben, "Both@example.org", "")
    links = [path_in(text) for to, text in sent(sink) if to.lower() == "both@example.org"]
    assert [Client().post(link).status_code for link in links] == [302, 409]
    assert ("Ann", "both@example.org", True, False) in stored()
    assert ("Ben", "Both@example.org", False, False) in stored()
    forgotten_password.mail_link("BOTH@example.org", "")
    [(to, text)] = sent(sink)
    assert to == "both@example.org" and "Set a new password for Ann" in text


def test_a_link_for_a_new_password_ends_with_the_address_it_was_mailed_to(
    sink: MailSink, ann: User
) -> None:
    forgotten_password.mail_link(OWN[1], "")
    [(to, text)] = sent(sink)
    assert to == OWN[1]
    assert Client().get(path_in(text)).status_code == 302, "the link works"
    step(browser(User.objects.get()), OWN[1], "remove")
    user = User.objects.get()
    token = path_in(text).rstrip("/").rpartition("/")[2]
    assert not password_links.tokens.check_token(user, token)
    assert "This link is over" in Client().get(path_in(text), follow=True).content.decode()


def test_links_of_accounts_with_one_address_are_those_of_before_the_upgrade(sink: MailSink) -> None:
    ben = confirmed(User.objects.create_user("Ben", PASSWORD), "ben@example.org")
    assert password_links.tokens.check_token(ben, default_token_generator.make_token(ben))


def test_the_database_keeps_one_primary_and_one_owner_of_an_address(ann: User) -> None:
    ben = User.objects.create_user("Ben", PASSWORD)
    now, before = timezone.now(), stored()
    for wrong in (
        EmailAddress(user=ann, address="x@example.org", confirmed_at=now, is_primary=True),
        EmailAddress(user=ben, address="x@example.org", is_primary=True),
        EmailAddress(user=ben, address=OWN[0].upper(), confirmed_at=now),
        EmailAddress(user=ann, address=OWN[0].upper()),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong.save()
    assert stored() == before


def test_a_deleted_account_gets_no_address(sink: MailSink, ann: User) -> None:
    User.objects.filter(pk=ann.pk).update(deleted_at=timezone.now())
    before = stored()
    answer = browser(ann).post(PAGE, {"address": "later@example.org"})
    assert "This account is deleted." in answer.content.decode()
    assert stored() == before and not Mail.objects.exists()


def test_operators_see_all_addresses_and_change_none(ann: User) -> None:
    olga = browser(User.objects.create_superuser("Olga", PASSWORD))
    change = reverse("admin:accounts_user_change", args=[ann.pk])
    page = olga.get(change).content.decode()
    assert all(address in page for address in OWN)
    before = stored()
    form = {"name": "Ann", "email": "olga@example.org", "language": "", "is_active": "on"}
    form |= {"email_addresses-TOTAL_FORMS": "1", "email_addresses-INITIAL_FORMS": "0"}
    form |= {"email_addresses-0-address": "olga@example.org"}
    assert olga.post(change, form).status_code == 302
    assert stored() == before and User.objects.get(pk=ann.pk).email == OWN[0]
    users = reverse("admin:accounts_user_changelist")
    assert "Ann" in olga.get(users, {"q": OWN[1]}).content.decode()


@pytest.mark.django_db(transaction=True)
def test_forms_sent_at_once_stay_below_the_limit(
    sink: MailSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EMAIL_ADDRESSES_MAX", 2)
    ann = confirmed(User.objects.create_user("Ann", PASSWORD), OWN[0])
    start, refused = threading.Barrier(3), []

    def add(number: int) -> None:
        start.wait()
        try:
            addresses.add(ann, f"{number}@example.org", "")
        except addresses.TooManyAddresses as refusal:
            refused.append(refusal)
        finally:
            connection.close()

    threads = [threading.Thread(target=add, args=[number]) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 2 and len(stored()) == 2
    assert {to for to, _text in sent(sink)} == {OWN[0], stored()[1][1]}
