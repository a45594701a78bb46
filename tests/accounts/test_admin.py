"""Admin of the ledger: read-only, with credits by permission."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.ledger import transfers
from accounts.models import Posting, Transfer, User
from accounts.users.signup import sign_up

pytestmark = pytest.mark.django_db

USERS = "/admin/accounts/user/"
PASSWORD = "three blind mice"


@pytest.fixture
def operator(client: Client) -> User:
    """Browser of a logged-in superuser."""
    user = User.objects.create_superuser(name="Olga", password=PASSWORD)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return user


def _staff(client: Client, *permissions: str) -> User:
    user = User.objects.create_user(name="Sam", password=PASSWORD, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return user


def _money(user: User) -> int:
    return transfers.balance(transfers.account("player", user=user))


@pytest.mark.parametrize("kind", ["account", "transfer", "posting", "user"])
def test_every_list_and_page_opens(operator: User, client: Client, kind: str) -> None:
    sign_up("Ada", PASSWORD)
    answer = client.get(f"/admin/accounts/{kind}/")
    assert answer.status_code == 200
    model = apps.get_model("accounts", kind)
    for row in model._default_manager.all():
        assert client.get(f"/admin/accounts/{kind}/{row.pk}/change/").status_code == 200


def test_permissions_are_named_in_the_language_of_the_operator(
    operator: User, client: Client, django_assert_max_num_queries: Any
) -> None:
    client.cookies["django_language"] = "de"
    for address in (f"{USERS}{operator.pk}/change/", "/admin/auth/group/add/"):
        with django_assert_max_num_queries(60):
            page = client.get(address).content.decode()
        shown = re.findall(r"<option[^>]*>([^<]+\|[^<]+)</option>", page)
        assert len(shown) > 100, "each model has four, and some have more"
        assert [words for words in shown if "| Can " in words] == []
        assert any(words.endswith(" | Darf Spielgeld gutschreiben") for words in shown)
        assert any(words.endswith(" | Hinzufügen") for words in shown)


@pytest.mark.parametrize("kind", ["account", "transfer", "posting"])
def test_the_ledger_cannot_be_written_in_the_admin(
    operator: User, client: Client, kind: str
) -> None:
    sign_up("Ada", PASSWORD)
    rows = apps.get_model("accounts", kind)._default_manager
    row, before = rows.earliest("pk"), list(rows.values())
    change = {"balance": 1, "floor": -1, "memo": "x", "amount": 7, "kind": "x", "key": "x"}
    assert client.get(f"/admin/accounts/{kind}/add/").status_code == 403
    assert client.post(f"/admin/accounts/{kind}/{row.pk}/change/", change).status_code == 403
    assert (
        client.post(f"/admin/accounts/{kind}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
    )
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    client.post(f"/admin/accounts/{kind}/", chosen)
    assert list(rows.values()) == before


def test_the_proof_is_shown(operator: User, client: Client) -> None:
    sign_up("Ada", PASSWORD)
    page = client.get("/admin/accounts/account/proof/").content.decode()
    assert "The ledger is right." in page
    assert "2 accounts, 1 transfers and 2 postings" in page
    assert (
        "/admin/accounts/account/proof/" in client.get("/admin/accounts/account/").content.decode()
    )


def test_the_proof_needs_the_right_to_see_accounts(client: Client) -> None:
    _staff(client, "view_user")
    assert client.get("/admin/accounts/account/proof/").status_code == 403


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
def test_postings_download_as_csv(operator: User, client: Client) -> None:
    sign_up("Ada", PASSWORD)
    chosen = {"action": "as_csv", "_selected_action": [p.pk for p in Posting.objects.all()]}
    answer = client.post("/admin/accounts/posting/", chosen)
    assert answer["Content-Type"].startswith("text/csv")
    assert answer.streaming, "the whole ledger is never in memory"
    assert len(b"".join(answer).decode().splitlines()) == 3


def _credit(client: Client, user: User, **fields: str) -> str:
    """Choose the action, then fill in its page."""
    chosen = {"action": "credit", "_selected_action": [user.pk]}
    page = client.post(USERS, chosen).content.decode()
    token = re.search(r'name="token" value="(\w+)"', page)
    assert token is not None
    form = {"token": token[1], "amount": "25.50", "reason": "won the raffle"} | fields
    return client.post(USERS, chosen | form, follow=True).content.decode()


@pytest.mark.rule("A-01")
def test_credit_goes_through_the_ledger_with_its_reason_and_an_audit_row(
    operator: User, client: Client
) -> None:
    ada = sign_up("Ada", PASSWORD)
    assert "25.50 credited to 1 user." in _credit(client, ada)
    assert _money(ada) == 1_000_000 + 2_550
    gift = Transfer.objects.get(kind="credit")
    assert gift.memo == "won the raffle"
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (operator, str(ada.pk))
    assert "won the raffle" in entry.change_message
    assert transfers.total() == 0


def test_a_second_click_gives_nothing_more(operator: User, client: Client) -> None:
    ada = sign_up("Ada", PASSWORD)
    token = "t" * 22
    _credit(client, ada, token=token)
    _credit(client, ada, token=token)
    assert _money(ada) == 1_000_000 + 2_550
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize(
    "bad",
    [
        {"amount": "-5"},
        {"amount": "0"},
        {"amount": "0.00"},
        {"amount": "1.234"},
        {"amount": "9999999999999"},
        {"amount": "1e9"},
        {"amount": ""},
        {"amount": "ten"},
        {"reason": ""},
        {"reason": "   "},
        {"reason": "x" * 151},
        {"token": "short"},
        {"token": "!" * 22},
    ],
)
def test_bad_credit_is_refused_on_the_form(
    operator: User, client: Client, bad: dict[str, str]
) -> None:
    ada = sign_up("Ada", PASSWORD)
    page = _credit(client, ada, **bad)
    assert 'class="errorlist' in page
    assert _money(ada) == 1_000_000
    assert not LogEntry.objects.exists()


def test_a_deleted_account_is_credited_nothing_nor_the_others(
    operator: User, client: Client
) -> None:
    ada, ben = sign_up("Ada", PASSWORD), sign_up("Ben", PASSWORD)
    User.objects.filter(pk=ada.pk).update(deleted_at=timezone.now())
    chosen = {"action": "credit", "_selected_action": [ada.pk, ben.pk]}
    form = {"token": "t" * 22, "amount": "25", "reason": "won the raffle"}
    page = client.post(USERS, chosen | form).content.decode()
    assert "This account is deleted." in page
    assert _money(ada) == _money(ben) == 1_000_000
    assert not LogEntry.objects.exists()


def test_staff_without_the_permission_cannot_credit(client: Client) -> None:
    ada = sign_up("Ada", PASSWORD)
    _staff(client, "view_user", "change_user")
    form = {"token": "t" * 22, "amount": "25", "reason": "for me"}
    chosen = {"action": "credit", "_selected_action": [ada.pk]}
    client.post(USERS, chosen | form)
    assert _money(ada) == 1_000_000


def test_staff_with_the_permission_can(client: Client) -> None:
    ada = sign_up("Ada", PASSWORD)
    _staff(client, "view_user", "credit_money")
    _credit(client, ada)
    assert _money(ada) == 1_002_550


def test_a_user_made_in_the_admin_gets_play_money_too(operator: User, client: Client) -> None:
    form = {"name": "Ben", "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    assert client.post(f"{USERS}add/", form).status_code == 302
    assert _money(User.objects.get(name="Ben")) == 1_000_000


def test_a_taken_name_is_refused_in_the_admin(operator: User, client: Client) -> None:
    sign_up("Ada", PASSWORD)
    form = {"name": "ADA", "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    assert "This name is taken." in client.post(f"{USERS}add/", form).content.decode()
    assert User.objects.count() == 2


def test_a_ban_and_its_end_are_logged_and_spare_oneself(operator: User, client: Client) -> None:
    ada = sign_up("Ada", PASSWORD)
    both = {"action": "ban", "_selected_action": [ada.pk, operator.pk]}
    for _time in range(2):  # whoever is banned is not banned again
        page = client.post(USERS, both, follow=True).content.decode()
        assert "Ada: banned" in page
        assert "Left out, as you may not change them: Olga" in page
    ada.refresh_from_db()
    operator.refresh_from_db()
    assert (ada.is_active, operator.is_active) == (False, True)
    client.post(USERS, {"action": "unban", "_selected_action": [ada.pk]})
    ada.refresh_from_db()
    assert ada.is_active
    assert LogEntry.objects.filter(object_id=str(ada.pk)).count() == 2


def test_a_page_of_before_a_ban_does_not_lift_it(operator: User, client: Client) -> None:
    ada = sign_up("Ada", PASSWORD)
    page = f"{USERS}{ada.pk}/change/"
    form = client.get(page).context["adminform"].form
    shown = {f"initial-{name}": form[name].value() for name in ("is_active", "is_staff")}
    assert 'name="initial-is_active" value="True"' in str(form["is_active"])
    User.objects.filter(pk=ada.pk).update(is_active=False, is_staff=True)
    sent = {"name": "Ada", "language": "", "is_pro": "on", "is_active": "on"} | shown
    assert client.post(page, sent).status_code == 302
    ada.refresh_from_db()
    assert ada.is_pro and not ada.is_active and ada.is_staff
    assert client.post(page, sent | {"initial-is_active": False}).status_code == 302
    ada.refresh_from_db()
    assert ada.is_active


def test_a_superuser_does_not_shut_the_own_account_out(operator: User, client: Client) -> None:
    form = {"name": "Olga", "language": "", "is_pro": "on"}
    assert client.post(f"{USERS}{operator.pk}/change/", form).status_code == 302
    operator.refresh_from_db()
    assert operator.is_pro and operator.is_active
    assert operator.is_staff and operator.is_superuser


def test_staff_cannot_raise_themselves_or_touch_a_superuser(client: Client) -> None:
    boss = User.objects.create_superuser(name="Olga", password=PASSWORD)
    sam = _staff(client, "view_user", "change_user", "add_user")
    mine = {"name": "Sam", "is_superuser": "on", "is_staff": "on", "is_active": "on"}
    client.post(f"{USERS}{sam.pk}/change/", mine)
    sam.refresh_from_db()
    assert not sam.is_superuser
    theirs = client.post(f"{USERS}{boss.pk}/password/", {"password1": "x", "password2": "x"})
    assert theirs.status_code == 403
    for is_staff in (True, False):  # nor one who is no staff any more
        User.objects.filter(pk=boss.pk).update(is_staff=is_staff)
        client.post(USERS, {"action": "ban", "_selected_action": [boss.pk]})
        boss.refresh_from_db()
        assert boss.is_active
    assert boss.check_password(PASSWORD)


def test_the_password_of_staff_is_changed_on_the_page_of_the_account(
    operator: User, client: Client
) -> None:
    page = reverse("admin:password_change")
    form = {"old_password": PASSWORD, "new_password1": "x" * 5_000, "new_password2": "x" * 5_000}
    assert client.get(page).headers["Location"] == "/account/"
    assert client.post(page, form).headers["Location"] == "/account/"
    operator.refresh_from_db()
    assert operator.check_password(PASSWORD)


def test_the_pro_mark_is_set_in_the_admin(operator: User, client: Client) -> None:
    ada = sign_up("Ada", PASSWORD)
    form = {"name": "Ada", "is_pro": "on", "is_active": "on"}
    assert client.post(f"{USERS}{ada.pk}/change/", form).status_code == 302
    ada.refresh_from_db()
    assert ada.is_pro


def test_nobody_is_deleted(operator: User, client: Client) -> None:
    ada = sign_up("Ada", PASSWORD)
    assert client.post(f"{USERS}{ada.pk}/delete/", {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=ada.pk).exists()
