"""One's own log-in sessions: listed, ended, noted sparingly, and notices of new devices."""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib import import_module
from urllib.parse import quote

import pytest
from django.apps import apps
from django.contrib.auth import get_user
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from redis import Redis

from accounts.logins import devices, minting, open_sessions
from accounts.models import LoginSession, User
from accounts.pages import seen
from accounts.users import bots
from accounts.users.password_links import path_for
from config.door import known

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"
NEW = "quite another password"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"


@pytest.fixture
def ann(room: Redis) -> User:
    return User.objects.create_user("Ann", PASSWORD)


def logged_in(agent: str = FIREFOX, address: str = "203.0.113.77") -> Client:
    client = Client(headers={"user-agent": agent}, REMOTE_ADDR=address)
    answer = client.post("/accounts/login/", {"username": "Ann", "password": PASSWORD})
    assert answer.status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def row_of(client: Client) -> LoginSession:
    return LoginSession.objects.get(session_id=client.session.session_key)


def test_sessions_are_listed_with_device_and_network_and_without_their_keys(ann: User) -> None:
    first, second = logged_in(), logged_in(IPHONE, "2001:db8:1:2:3::4")
    page = first.get("/account/sessions/").content.decode()
    assert "Firefox, Linux (this device)" in page and "203.0.113.0" in page
    assert "Safari, iPhone" in page and "2001:db8:1:2::" in page
    assert "203.0.113.77" not in page and "2:3::4" not in page
    assert str(second.session.session_key) not in page and "seen" in page


def test_one_session_is_ended_and_all_others_are(ann: User) -> None:
    first, second, third, fourth = (logged_in() for _ in range(4))
    key = second.session.session_key
    assert key and is_in(second) and known.user_of(key) == ann.pk
    first.post(f"/account/sessions/{row_of(second).pk}/end/")
    assert known.user_of(key) is None
    assert [is_in(client) for client in (first, second, third)] == [True, False, True]
    answer = first.post("/account/sessions/end/", follow=True)
    assert "2 sessions are ended." in answer.content.decode()
    assert [is_in(client) for client in (first, third, fourth)] == [True, False, False]
    assert Session.objects.count() == LoginSession.objects.count() == 1


def test_sessions_of_others_ended_and_invented_ones_change_nothing(ann: User) -> None:
    mine, bob = logged_in(), Client()
    bob.force_login(User.objects.create_user("Bob", PASSWORD))
    for pk in (row_of(mine).pk, 0, 2**63 - 1):
        assert bob.post(f"/account/sessions/{pk}/end/").status_code == 404
    assert bob.post(f"/account/sessions/{10**30}/end/").status_code == 404
    assert bob.get(f"/account/sessions/{row_of(mine).pk}/end/").status_code == 405
    bob.post("/account/sessions/known/", {"upto": "x" * 50})
    bob.post("/account/sessions/end/")
    assert is_in(mine) and is_in(bob)
    assert "Ann" not in bob.get("/account/sessions/").content.decode()
    for path in ("", "end/", "known/", "1/end/"):
        assert Client().post(f"/account/sessions/{path}").status_code in (302, 405)


def test_a_page_asked_for_again_notes_nothing_until_minutes_later(ann: User) -> None:
    client = logged_in()
    client.get("/account/sessions/")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get("/account/sessions/")
    assert not [one for one in queries if not one["sql"].startswith("SELECT")]
    former = timezone.now() - timedelta(hours=1)
    LoginSession.objects.update(seen_at=former)
    seen._noted.clear()
    client.get("/account/sessions/")
    assert row_of(client).seen_at > former


def test_a_logged_out_session_leaves_no_row(ann: User) -> None:
    client = logged_in()
    client.post("/accounts/logout/")
    assert not LoginSession.objects.exists()


def test_a_changed_password_ends_the_other_sessions(ann: User) -> None:
    first, second = logged_in(), logged_in()
    fields = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert first.post("/account/", fields).status_code == 302
    assert is_in(first) and not is_in(second)
    assert list(LoginSession.objects.values_list("session_id", flat=True)) == [
        first.session.session_key
    ]


def test_a_password_by_a_link_ends_every_session(ann: User) -> None:
    client = logged_in()
    ann.refresh_from_db()
    uid = urlsafe_base64_encode(force_bytes(ann.pk))
    stranger = Client()
    path = f"/accounts/password/{uid}/{default_token_generator.make_token(ann)}/"
    form = stranger.get(path)
    stranger.post(form.headers["Location"], {"new_password1": NEW, "new_password2": NEW})
    assert not is_in(client) and not LoginSession.objects.exists()


def test_a_link_opened_where_its_player_is_logged_in_sets_the_password_and_logs_out(
    ann: User,
) -> None:
    client = logged_in()
    form = client.get(path_for(User.objects.get()), follow=True).request["PATH_INFO"]
    answer = client.post(form, {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert answer.redirect_chain == [("/accounts/login/", 302)]
    assert "Your new password is set" in answer.content.decode()
    assert not is_in(client) and not LoginSession.objects.exists()


def test_a_link_of_somebody_else_leaves_the_session_of_its_browser(ann: User) -> None:
    bob = User.objects.create_user("Bob", PASSWORD)
    client = logged_in()
    form = client.get(path_for(bob), follow=True).request["PATH_INFO"]
    answer = client.post(form, {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert answer.redirect_chain == [("/accounts/login/", 302), ("/", 302)] and is_in(client)


def test_a_button_of_a_session_that_was_ended_elsewhere_leads_back_to_its_page(ann: User) -> None:
    first, second = logged_in(), logged_in()
    page = {"referer": "http://testserver/account/sessions/"}
    first.post("/account/sessions/end/")
    for step in ("/account/sessions/end/", f"/account/sessions/{row_of(first).pk}/end/"):
        answer = second.post(step, headers=page)
        assert answer.headers["Location"] == f"/accounts/login/?next={quote(page['referer'])}"
        assert second.post(step).headers["Location"] == "/accounts/login/?next=/"
        elsewhere = second.post(step, headers={"referer": "https://example.org/"})
        assert elsewhere.headers["Location"] == "/accounts/login/?next=/"
    assert is_in(first)


def test_an_expired_link_and_one_for_another_account_set_no_password(
    ann: User, settings: object
) -> None:
    bob = User.objects.create_user("Bob", PASSWORD)
    token = default_token_generator.make_token(ann)
    foreign = f"/accounts/password/{urlsafe_base64_encode(force_bytes(bob.pk))}/{token}/"
    own = f"/accounts/password/{urlsafe_base64_encode(force_bytes(ann.pk))}/{token}/"
    settings.PASSWORD_RESET_TIMEOUT = -1  # type: ignore[attr-defined]
    for path in (foreign, own):
        page = Client().get(path)
        assert page.status_code == 200 and "new_password1" not in page.content.decode()
        Client().post(path, {"new_password1": NEW, "new_password2": NEW})
    ann.refresh_from_db()
    bob.refresh_from_db()
    assert ann.check_password(PASSWORD) and bob.check_password(PASSWORD)


def test_a_new_device_is_told_to_the_other_sessions_until_confirmed(ann: User) -> None:
    first = logged_in()
    assert "new device" not in first.get("/wallet/").content.decode()
    second = logged_in(IPHONE)
    assert "new device" not in second.get("/wallet/").content.decode()
    upto = {"upto": row_of(second).pk}
    second.post("/account/sessions/known/", upto)
    page = first.get("/wallet/").content.decode()
    assert "Log-in on a new device: Safari, iPhone" in page
    first.post("/account/sessions/known/", upto)
    assert "new device" not in first.get("/wallet/").content.decode()
    second.post("/accounts/logout/")
    second.post("/accounts/login/", {"username": "Ann", "password": PASSWORD})
    assert "new device" not in first.get("/wallet/").content.decode(), "known by its cookie"
    second.post("/accounts/logout/")
    second.cookies[devices.COOKIE] = f"{ann.pk}:forged"
    second.post("/accounts/login/", {"username": "Ann", "password": PASSWORD})
    assert "new device" in first.get("/wallet/").content.decode()


def test_minted_sessions_are_listed_and_can_be_ended() -> None:
    [(bot, key)] = minting.mint(bots.create(1), hours=1)
    [row] = open_sessions.open_sessions(bot)
    assert open_sessions.end(bot, row.pk)
    request = RequestFactory().get("/")
    request.session = SessionStore(key)
    assert not get_user(request).is_authenticated


def test_the_migration_lists_sessions_that_were_open_before(ann: User) -> None:
    client = logged_in()
    LoginSession.objects.all().delete()
    broken = Session(session_key="b" * 32, session_data="?", expire_date=row_end())
    broken.save()
    import_module("accounts.migrations.0014_login_sessions").note_open_sessions(apps, None)
    assert [row.session_id for row in open_sessions.open_sessions(ann)] == [
        client.session.session_key
    ]
    assert is_in(client)


def row_end() -> datetime:
    return timezone.now() + timedelta(days=1)
