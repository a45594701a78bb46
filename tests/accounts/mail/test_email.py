"""E-mail addresses and forgotten passwords, over a mail server of the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core import signing
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.deletion import deleting
from accounts.mail import addresses, outgoing
from accounts.models import EmailAddress, Mail, PasswordLink, User
from accounts.users import forgotten_password, password_links
from config import environment, limits
from tests.accounts.mail.addresses import confirmed, path_in, sent, stored
from tests.accounts.mail.mail_sink import MailSink, room_mail_sink

PASSWORD = "a long password"
NEW = "quite another password"
UNREACHABLE = (f"ann@{'ä' * 60}.example", "ann@\u3002example.org")
"""Addresses that Django's check lets pass; their hosts have no name in the DNS."""


@pytest.fixture
def sink(room: Redis, db: None, settings: Settings) -> Iterator[MailSink]:
    with room_mail_sink(settings) as listening:
        yield listening


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("Ann", PASSWORD)


def test_an_address_is_confirmed_by_the_button_of_its_link_once(
    sink: MailSink, ann: User, client: Client
) -> None:
    client.force_login(ann)
    page = client.post("/account/emails/", {"address": "Ann@Example.org"}, follow=True)
    assert "A mail to Ann@example.org is on its way" in page.content.decode()
    [(to, text)] = sent(sink)
    assert "Ann" in text and to == "Ann@example.org"
    link, stranger = path_in(text), Client()
    stranger.get(link)
    waiting = [("Ann", "Ann@example.org", False, False)]
    assert stored() == waiting, "opening a link confirms nothing"
    assert "waits for confirmation" in client.get("/account/emails/").content.decode()
    assert stranger.post(link).headers["Location"] == "/accounts/login/"
    assert stored() == [("Ann", "Ann@example.org", True, True)], "the first one is the primary"
    assert User.objects.get().email == "Ann@example.org"
    for visitor in (stranger, client):
        again = visitor.post(link)
        assert again.status_code == 409 and "confirmed already" in again.content.decode()
    assert stored() == [("Ann", "Ann@example.org", True, True)]
    assert Mail.objects.get().body == "", "a sent mail keeps no link"


def test_a_wrong_changed_or_old_link_confirms_nothing(sink: MailSink, ann: User) -> None:
    addresses.add(ann, "ann@example.org", "")
    key = path_in(sent(sink)[0][1]).rstrip("/").rpartition("/")[2]
    other = User.objects.create_user("Ben", PASSWORD)
    forged = signing.dumps([other.pk, "ann@example.org"], salt="another")
    for tried in ("x", key[:-1], key + "x", forged, "1." + key):
        with pytest.raises(addresses.LinkOver):
            addresses.confirm(tried)
    signer = signing.TimestampSigner(salt="email-address")
    signer.timestamp = lambda: signing.b62_encode(1)  # type: ignore[method-assign]
    old = signer.sign_object([ann.pk, "ann@example.org"])
    with pytest.raises(addresses.LinkOver):
        addresses.confirm(old)
    assert stored() == [("Ann", "ann@example.org", False, False)]


def test_an_address_of_somebody_else_is_told_only_by_mail(sink: MailSink, ann: User) -> None:
    confirmed(ann, "ann@example.org")
    confirmed(User.objects.create_user("Ben", PASSWORD), "ben@example.org", "ben@example.net")
    client = Client()
    client.force_login(ann)
    seen, work = [], set()
    for address in ("one@example.org", "BEN@example.net"):
        with CaptureQueriesContext(connection) as queries:
            page = client.post("/account/emails/", {"address": address}, follow=True)
        seen.append((page.redirect_chain, page.content.decode().replace(address, "?")))
        work.add(tuple(query["sql"].split()[0] for query in queries))
    assert seen[0][0] == seen[1][0] and len(work) == 1, work
    assert "A mail to ? is on its way" in seen[1][1]
    mails = dict(sent(sink))
    assert "already belongs to another account" in mails["BEN@example.net"]
    assert "http" not in mails["BEN@example.net"] and "http" in mails["one@example.org"]
    row = EmailAddress.objects.get(address="BEN@example.net")
    client.post(f"/account/emails/{row.pk}/again/")
    assert "already belongs to another account" in dict(sent(sink))["BEN@example.net"]
    before = stored()
    forged = signing.dumps([ann.pk, "BEN@example.net"], salt="email-address")
    with pytest.raises(addresses.LinkOver):
        addresses.confirm(forged)
    assert stored() == before


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        *(("Ann", "ann@example.org"), ("ann", "ann@example.org")),
        *(("ANN@example.org", "ann@example.org"), (" ann@EXAMPLE.net", "Ann@example.net")),
    ],
)
def test_a_forgotten_password_is_set_by_a_mailed_link_once(
    sink: MailSink, ann: User, asked: str, address: str
) -> None:
    confirmed(ann, "ann@example.org", "Ann@example.net")
    answer = Client().post("/accounts/forgotten/", {"account": asked}, follow=True)
    assert "a mail with a link is on its way" in answer.content.decode()
    [(to, text)] = sent(sink)
    assert to == address
    client = Client()
    form = client.get(path_in(text), follow=True)
    page = form.redirect_chain[-1][0]
    client.post(page, {"new_password1": NEW, "new_password2": NEW})
    assert User.objects.get(name="Ann").check_password(NEW)
    [(told, notice)] = sent(sink)
    assert told == "ann@example.org" and "was changed" in notice
    assert "This link is over" in Client().get(path_in(text), follow=True).content.decode()


def test_a_mailed_link_is_no_use_of_a_link_that_staff_handed_over(
    sink: MailSink, ann: User
) -> None:
    confirmed(ann, "ann@example.org")
    boss = User.objects.create_superuser("Boss", PASSWORD)
    for by_staff in (False, True):
        ann.refresh_from_db()
        handed = password_links.make(ann, actor=boss, reason="a call")
        Client().post("/accounts/forgotten/", {"account": "Ann"})
        mailed = next(path_in(text) for _, text in sent(sink) if "Set a new password" in text)
        link = handed if by_staff else mailed
        client = Client()
        page = client.get(link, follow=True).redirect_chain[-1][0]
        client.post(page, {"new_password1": NEW, "new_password2": NEW})
        assert PasswordLink.objects.filter(used_at__isnull=False).exists() is by_staff
        for other in (handed, mailed):
            assert "This link is over" in Client().get(other, follow=True).content.decode()


def test_unknown_unconfirmed_and_banned_accounts_get_the_same_answer_and_work(
    sink: MailSink, ann: User
) -> None:
    confirmed(ann, "ann@example.org")
    User.objects.create_user("Nomail", PASSWORD)
    pending = User.objects.create_user("Pending", PASSWORD)
    EmailAddress.objects.create(user=pending, address="pending@example.org")
    EmailAddress.objects.create(user=ann, address="waiting@example.org")
    confirmed(User.objects.create_user("Ben", PASSWORD), "ben@example.org", "ben@example.net")
    banned = confirmed(User.objects.create_user("Banned", PASSWORD), "banned@example.org")
    User.objects.filter(pk=banned.pk).update(is_active=False)
    told, work = set(), set()
    names = ["Ann", "Nobody", "Nomail", "Pending", "Banned", "x@example.org"]
    names += ["pending@example.org", "waiting@example.org", "ben@example.net"]
    for name in names:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = Client().post("/accounts/forgotten/", {"account": name})
        told.add((answer.status_code, answer["Location"], str(answer.cookies.get("messages"))[:60]))
        kinds = [query["sql"].split()[0] for query in queries]
        work.add(tuple(kinds))
    assert len(told) == 1 and len(work) == 1, (told, work)
    assert Mail.objects.count() == len(names), "each of them commits a row"
    assert [to for to, _text in sent(sink)] == ["ann@example.org", "ben@example.net"]
    assert Mail.objects.count() == 2


def test_mails_asked_for_are_limited_for_the_account_and_the_source(sink: MailSink) -> None:
    for _ in range(limits.FORGOTTEN_TRIES_USER):
        assert Client().post("/accounts/forgotten/", {"account": "Cid"}).status_code == 302
    refused = Client().post("/accounts/forgotten/", {"account": "cid"})
    assert refused.status_code == 200 and "Too many mails" in refused.content.decode()
    left = limits.FORGOTTEN_TRIES_ADDRESS - limits.FORGOTTEN_TRIES_USER - 1
    codes = {
        Client().post("/accounts/forgotten/", {"account": f"name{n}"}).status_code
        for n in range(left)
    }
    assert codes == {302}
    assert "Too many" in Client().post("/accounts/forgotten/", {"account": "z"}).content.decode()


def test_a_mail_server_that_refuses_is_tried_again_and_given_up(sink: MailSink, ann: User) -> None:
    confirmed(ann, "ann@example.org")
    forgotten_password.mail_link("Ann", "")
    sink.refusal = "550 no such box"
    for attempt in range(1, limits.MAIL_ATTEMPTS_MAX + 1):
        assert outgoing.deliver_next() and not outgoing.deliver_next(), (
            "the next attempt comes later"
        )
        row = Mail.objects.get()
        assert row.attempts == attempt and "no such box" in row.error
        Mail.objects.update(due_at=timezone.now())
    assert (row.state, row.body) == ("dead", "") and not outgoing.deliver_next()


@pytest.mark.parametrize("refusal", ["", "550 no such box"])
def test_a_mail_whose_account_is_deleted_while_it_is_sent_leaves_nothing(
    sink: MailSink, ann: User, monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    confirmed(ann, "ann@example.org")
    forgotten_password.mail_link("Ann", "")
    sink.refusal, send = refusal, EmailMessage.send

    def send_and_delete(mail: EmailMessage) -> int:
        try:
            return send(mail)
        finally:
            deleting.delete(User.objects.get(pk=ann.pk))

    monkeypatch.setattr(EmailMessage, "send", send_and_delete)
    assert outgoing.deliver_next() and not outgoing.deliver_next()
    assert not Mail.objects.exists() and len(sink.mails) == (0 if refusal else 1)


@pytest.mark.parametrize("address", UNREACHABLE)
def test_a_mail_that_no_server_can_be_given_is_given_up_and_holds_up_no_other(
    sink: MailSink, ann: User, address: str
) -> None:
    addresses.add(ann, address, "")
    addresses.add(ann, "ann@example.org", "")
    assert outgoing.deliver_next() and outgoing.deliver_next() and not outgoing.deliver_next()
    assert [str(one["To"]) for one in sink.mails] == ["ann@example.org"]
    bad, good = Mail.objects.order_by("pk")
    assert (bad.state, bad.body, good.state) == ("dead", "", "sent") and bad.error


@pytest.mark.parametrize("address", [*UNREACHABLE, "\u0130da@example.org", '"\x0b"@example.org'])
def test_an_address_that_no_server_can_be_given_is_refused(
    sink: MailSink, ann: User, client: Client, address: str
) -> None:
    client.force_login(ann)
    answer = client.post("/account/emails/", {"address": address})
    assert answer.status_code == 400 and "Enter a valid email address." in answer.content.decode()
    given = {"name": "Ben", "password": PASSWORD, "address": address}
    page = Client().post("/accounts/signup/", given).content.decode()
    assert "Enter a valid email address." in page and not User.objects.filter(name="Ben").exists()
    assert stored() == [] and not Mail.objects.exists()
    assert client.post("/account/emails/", {"address": "ann@bücher.example"}).status_code == 302


def test_a_claimed_mail_is_sent_by_no_other_process(sink: MailSink, ann: User) -> None:
    confirmed(ann, "ann@example.org")
    forgotten_password.mail_link("Ann", "")
    Mail.objects.update(due_at=timezone.now() + outgoing.LEASE)
    assert not outgoing.deliver_next()


def test_a_room_without_mail_offers_none(room: Redis, ann: User, client: Client) -> None:
    assert "Forgotten" not in client.get("/accounts/login/").content.decode()
    refused = client.post("/accounts/forgotten/", {"account": "Ann"})
    assert "This room sends no mail" in refused.content.decode()
    client.force_login(ann)
    assert "email" not in client.get("/account/").content.decode()
    page = client.post("/account/emails/", {"address": "ann@example.org"})
    assert page.status_code == 400 and "This room sends no mail" in page.content.decode()
    assert not EmailAddress.objects.exists()
    assert not Mail.objects.exists()


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://a.example", "file://host/x", "smtp://"]
)
def test_a_mail_server_without_a_known_scheme_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="MAIL_URL must be"):
        environment.mail(url)


def test_mail_goes_over_tls_but_on_this_machine() -> None:
    started = environment.mail("smtp://user:p%40ss@mail.example.org")
    assert (started["EMAIL_USE_TLS"], started["EMAIL_PORT"]) == (True, 587)
    assert started["EMAIL_HOST_PASSWORD"] == "p@ss"
    wrapped = environment.mail("smtps://mail.example.org")
    assert (wrapped["EMAIL_USE_SSL"], wrapped["EMAIL_USE_TLS"], wrapped["EMAIL_PORT"]) == (
        *(True, False, 465),
    )
    assert environment.mail("file:///var/mail%20box")["EMAIL_FILE_PATH"] == "/var/mail box"


def test_a_log_in_on_a_new_device_is_mailed_once(sink: MailSink, ann: User) -> None:
    confirmed(ann, "ann@example.org")
    browser = Client(headers={"user-agent": "X11; Linux Firefox/140.0"})
    for _ in range(2):
        browser.post("/accounts/login/", {"username": "Ann", "password": PASSWORD})
        browser.post("/accounts/logout/")
    [(_to, text)] = sent(sink)
    assert "Ann logged in on a new device: Firefox, Linux, network 127.0.0.0" in text


def test_the_mail_about_an_intruder_is_in_the_language_of_the_owner(
    sink: MailSink, ann: User
) -> None:
    confirmed(ann, "ann@example.org")
    own = Client(headers={"accept-language": "de"})
    for browser in (own, Client(headers={"accept-language": "en"})):
        browser.post("/accounts/login/", {"username": "Ann", "password": PASSWORD})
    texts = [text for _to, text in sent(sink)]
    assert ["auf einem neuen Gerät" in text for text in texts] == [True, True], texts
