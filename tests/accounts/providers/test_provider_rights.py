"""An account without a password: sensitive steps wait for a fresh log-in at its provider."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.approvals import asking
from accounts.approvals.models import ApprovalRequest
from accounts.logins.minting import CONFIRMED_AT
from accounts.models import Transfer, User
from accounts.users import own_limits
from tests.accounts.browsers import browser
from tests.accounts.providers.openid_provider import Provider
from tests.accounts.providers.provider_visits import comes_back, joined, local, words
from tests.tournaments.club_scene import staff

__all__ = ["local"]

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "/account/confirm/?next="
STEPS = "/admin/approvals/approvalrequest/"


def late(client: Client) -> None:
    """Let the log-in of a browser be longer ago than the room allows."""
    session = client.session
    session.pop(CONFIRMED_AT, None)
    session.save()


def confirmed(client: Client, onward: str, **how: Any) -> str:
    """Log in at the provider once more; return where the room leads."""
    answer = comes_back(client, step="confirm", onward=onward, **how)
    return str(answer.headers.get("Location", ""))


def test_credit_tickets_rulings_and_security_ask_for_the_provider(local: Provider) -> None:
    client = browser()
    user = joined(client)
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    before = Transfer.objects.count()
    credit = {"action": "credit", "_selected_action": [user.pk], "amount": "25"}
    credit |= {"reason": "a gift", "token": "a" * 32}
    users = reverse("admin:accounts_user_changelist")
    pages = (
        reverse("admin:tournaments_ticket_add"),
        reverse("admin:tournaments_disqualify", args=[1]),
        "/account/tokens/",
        "/account/code/",
    )
    late(client)
    assert client.post(users, credit).headers["Location"].startswith(ASKED)
    for page in pages:
        assert client.get(page).headers["Location"].startswith(ASKED), page
    assert Transfer.objects.count() == before
    shown = words(client.get(f"/account/confirm/?next={users}"))
    assert "Log in with Local" in shown and 'type="password"' not in shown
    assert client.post("/account/confirm/", {"password": "", "next": users}).status_code == 400
    assert client.get("/account/tokens/").status_code == 302, "no password is not an empty one"
    assert confirmed(client, users) == users
    assert client.get("/account/tokens/").status_code == 200
    assert client.get(reverse("admin:tournaments_ticket_add")).status_code == 200


def test_without_a_provider_that_confirms_a_sentence_says_what_to_do(
    local: Provider, settings: LazySettings
) -> None:
    client = browser()
    joined(client)
    late(client)
    settings.OPENID_PROVIDERS = (local.entry(confirms=False),)
    shown = words(client.get(f"{ASKED}/account/tokens/"))
    assert "get a link for a password first" in shown and "Log in with Local" not in shown
    german = client.get(f"{ASKED}/account/tokens/", headers={"Accept-Language": "de"})
    assert 'role="status"' in words(german)


def test_a_second_person_without_a_password_approves_after_the_provider(
    local: Provider, settings: LazySettings
) -> None:
    settings.CREDIT_ALONE_MAX_CENTS = 100_00
    client = browser()
    sam = joined(client, "Sam")
    User.objects.filter(pk=sam.pk).update(is_staff=True)
    sam.user_permissions.set(Permission.objects.filter(codename="credit_money"))
    ann = User.objects.create_user("Ann", password=None)
    olga = staff("Olga", "credit_money")
    asking.ask_credit(olga, (ann,), amount=100_01, reason="Prize", token="t1")
    request = ApprovalRequest.objects.get()
    step = {"action": "approve", "_selected_action": [request.pk]}
    late(client)
    assert client.post(STEPS, step).headers["Location"].startswith(ASKED)
    request.refresh_from_db()
    assert request.state == "waiting"
    assert confirmed(client, STEPS) == STEPS
    client.post(STEPS, step)
    request.refresh_from_db()
    assert (request.state, request.answered_by) == ("approved", sam)


def test_own_limits_and_exclusion_need_no_password(local: Provider) -> None:
    client = browser()
    user = joined(client)
    late(client)
    limited = {"entries_a_day": "1", "money_a_week": ""}
    assert client.post("/account/limits/", limited).headers["Location"] == "/account/limits/"
    assert own_limits.present(user).entries_a_day == 1
    gone = {"days": "7", "sure": "on"}
    assert client.post("/account/limits/exclude/", gone).status_code == 302
    assert own_limits.present(user).excluded_until is not None
