"""Links for a new password: staff set no password and gain no access."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import PasswordLink, User
from accounts.users.password_links import may_hand_over, tokens, told, untold
from accounts.users.signup import sign_up

OLD, NEW = "an old long password", "another long password"

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return sign_up("Ada", OLD)


def staff(*codenames: str, name: str = "Sam") -> Client:
    user = User.objects.create_user(name, OLD, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(user)
    return client


def handed_over(client: Client, user: User) -> str:
    """Return the path of a link that staff issues for a user."""
    page = client.post(reverse("admin:accounts_user_link", args=[user.pk]), {"reason": "forgot it"})
    assert page.status_code == 200 and "no-store" in page["Cache-Control"]
    found = re.search(r'<code id="link">http://testserver([^<]+)</code>', page.content.decode())
    assert found is not None
    return found.group(1)


def set_by(path: str, password: str = NEW) -> bool:
    """Open a link in a browser of its own and set a password; return whether the form was there."""
    browser = Client()
    page = browser.get(path, follow=True)
    there = 'name="new_password1"' in page.content.decode()
    form = {"new_password1": password, "new_password2": password}
    browser.post(page.request["PATH_INFO"], form)
    return there


def test_change_user_sets_no_password(ada: User) -> None:
    sam = staff("view_user", "change_user", "add_user", "delete_user")
    for who in (sam, browser_of_superuser()):
        page = reverse("admin:auth_user_password_change", args=[ada.pk])
        chosen = {"password1": NEW, "password2": NEW, "usable_password": "true"}
        assert who.get(page).status_code == 403
        assert who.post(page, chosen).status_code == 403
        changed = {"name": "Ada", "is_active": "on", "password": "x", **chosen}
        who.post(reverse("admin:accounts_user_change", args=[ada.pk]), changed)
        ada.refresh_from_db()
        assert ada.check_password(OLD)
        shown = who.get(reverse("admin:accounts_user_change", args=[ada.pk])).content.decode()
        assert "argon2" not in shown


def browser_of_superuser() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("Olga", OLD))
    return client


def test_a_new_user_has_no_password_that_staff_know(ada: User) -> None:
    boss = browser_of_superuser()
    form = {"name": "Ben", "password1": NEW, "password2": NEW, "usable_password": "true"}
    assert boss.post(reverse("admin:accounts_user_add"), form).status_code == 302
    assert not User.objects.get(name="Ben").has_usable_password()


def test_a_link_works_once_and_is_kept_nowhere(ada: User) -> None:
    sam = staff("view_user", "hand_over_links")
    before = Client()
    before.force_login(ada)
    path = handed_over(sam, ada)
    token = path.rstrip("/").split("/")[-1]
    row = PasswordLink.objects.get()
    assert (row.user, row.made_by.name, row.reason) == (ada, "Sam", "forgot it")
    assert "forgot it" in LogEntry.objects.get().get_change_message()
    kept = [*PasswordLink.objects.values_list(), *LogEntry.objects.values_list()]
    assert not any(token in str(value) for one in kept for value in one)
    assert set_by(path)
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert not set_by(path, "yet another long one")
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert before.get(reverse("wallet")).status_code == 302, "older sessions have ended"


def test_a_link_ends_with_the_time_and_with_the_next_log_in(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sam = staff("view_user", "hand_over_links")
    path = handed_over(sam, ada)
    later = datetime.now() + timedelta(hours=24, seconds=5)  # noqa: DTZ005
    with monkeypatch.context() as patched:
        patched.setattr(tokens, "_now", lambda: later)
        assert not set_by(path)
    assert Client().post(reverse("login"), {"username": "Ada", "password": OLD}).status_code == 302
    assert not set_by(path)
    ada.refresh_from_db()
    assert ada.check_password(OLD)


def test_weak_and_endless_passwords_are_refused(ada: User) -> None:
    path = handed_over(staff("view_user", "hand_over_links"), ada)
    for bad in ("short", "Ada", "x" * 300):
        assert set_by(path, bad)
        ada.refresh_from_db()
        assert ada.check_password(OLD)
    assert PasswordLink.objects.get().used_at is None


def test_links_need_the_permission(ada: User) -> None:
    boss = User.objects.create_superuser("Olga", OLD)
    sam = User.objects.get(pk=staff("view_user", "change_user").session["_auth_user_id"])
    other = User.objects.get(pk=staff("hand_over_links", name="Tim").session["_auth_user_id"])
    bot = User.objects.create_user("Robot", is_bot=True)
    closed = User.objects.create_user("Closed", is_active=False)
    assert may_hand_over(other, ada) and may_hand_over(boss, other)
    for actor, user in ((sam, ada), (other, boss), (other, sam), (boss, bot), (boss, closed)):
        assert not may_hand_over(actor, user), (actor, user)
        client = Client()
        client.force_login(actor)
        page = reverse("admin:accounts_user_link", args=[user.pk])
        assert client.post(page, {"reason": "why not"}).status_code == 403
    client = Client()
    client.force_login(other)
    page = reverse("admin:accounts_user_link", args=[ada.pk])
    assert 'id="link"' not in client.post(page, {"reason": " "}).content.decode()
    assert not PasswordLink.objects.exists() and not LogEntry.objects.exists()


def test_link_is_announced_until_the_player_confirms(ada: User) -> None:
    path = handed_over(staff("view_user", "hand_over_links"), ada)
    ada_there = Client(headers={"Accept-Language": "de"})
    ada_there.force_login(ada)
    for page in ("lobby", "wallet"):
        assert "Link für ein neues Passwort" in ada_there.get(reverse(page)).content.decode()
    ada_there.post(reverse("password_link_told"), {"upto": PasswordLink.objects.get().pk})
    assert "neues Passwort" not in ada_there.get(reverse("lobby")).content.decode()
    fresh = handed_over(staff("view_user", "hand_over_links", name="Tim"), ada)
    assert path != fresh or path
    set_by(fresh)
    again = Client(headers={"Accept-Language": "de"})
    again.force_login(User.objects.get(pk=ada.pk))
    assert "neu gesetzt" in again.get(reverse("lobby")).content.decode()
    nobody = sign_up("Eve", OLD)
    again.force_login(nobody)
    assert "neu gesetzt" not in again.get(reverse("lobby")).content.decode()


def test_next_link_is_announced_after_a_confirmed_one(ada: User) -> None:
    handed_over(staff("view_user", "hand_over_links"), ada)
    first = PasswordLink.objects.get()
    handed_over(staff("view_user", "hand_over_links", name="Tim"), ada)
    told(ada, first.pk)
    assert [link.made_by.name for link in untold(ada)] == ["Tim"]


def test_use_of_a_confirmed_link_is_announced(ada: User) -> None:
    path = handed_over(staff("view_user", "hand_over_links"), ada)
    told(ada, PasswordLink.objects.get().pk)
    assert untold(ada) == []
    assert set_by(path)
    [used] = untold(ada)
    assert used.used_at is not None
