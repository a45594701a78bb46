"""Tournaments and templates made from a private one are private with an equal password."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import Permission
from django.core import serializers
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.models import User
from accounts.users import bots
from tests.tournaments.admin.forms import offer_form, template_form
from tests.tournaments.cast import open_offer
from tests.tournaments.schedule.templates import TURBO_OFFER, template
from tournaments.entries import registration
from tournaments.models import Template, Tournament
from tournaments.refusals import WrongPassword
from tournaments.running import operations, series

ADD = "admin:tournaments_tournament_add"
LISTED = "admin:tournaments_template_changelist"


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def private_template(**fields: Any) -> Template:
    """A template made from a private tournament with the password "open sesame"."""
    like = open_offer(name="Club night", password="open sesame", **TURBO_OFFER)
    row = series.from_tournament(like, "Club night")
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()
    return row


def page_of(row: Template) -> str:
    """Address of the admin page of a template."""
    return reverse("admin:tournaments_template_change", args=[row.pk])


def sent(browser: Client, address: str, fields: dict[str, object]) -> None:
    """Post a valid form."""
    answer = browser.post(address, fields)
    assert answer.status_code == 302, errors_of(answer)


def errors_of(answer: Any) -> Any:
    """Errors of the form on an admin page."""
    return answer.context["adminform"].form.errors


def takes_only(made: Tournament, password: str) -> None:
    """Assert that registering needs exactly that password."""
    player, guest = bots.create(2)
    for wrong in (None, "", "wrong"):
        with pytest.raises(WrongPassword):
            registration.register(guest, made, wrong)
    assert registration.register(player, made, password).pk


@pytest.mark.rule("T-02")
def test_a_template_of_a_private_tournament_opens_private_tournaments(house: Redis) -> None:
    row = private_template(schedule="refill")
    (opened,) = series.keep(row, timezone.now())
    assert opened.state == "registering"
    takes_only(opened, "open sesame")
    assert check_password("open sesame", series.create(row).password)
    assert "sesame" not in serializers.serialize("json", [row])
    assert "password" not in json.dumps(row.offer)


@pytest.mark.rule("T-02")
def test_a_template_of_a_public_tournament_opens_public_tournaments(house: Redis) -> None:
    row = series.from_tournament(open_offer(**TURBO_OFFER), "For all")
    row.schedule = "refill"
    (opened,) = series.keep(row, timezone.now())
    assert row.password == opened.password == ""


@pytest.mark.rule("T-02")
def test_operators_save_a_private_tournament_as_a_private_template(boss: Client) -> None:
    like = open_offer(password="open sesame", **TURBO_OFFER)
    listed = reverse("admin:tournaments_tournament_changelist")
    boss.post(listed, {"action": "keep_as_template", "_selected_action": [like.pk]})
    row = Template.objects.get()
    assert check_password("open sesame", row.password)
    private = '<td class="field-is_private"><img src="/static/admin/img/icon-{}.svg"'
    assert private.format("yes") in boss.get(reverse(LISTED)).content.decode()
    Template.objects.update(password="")
    assert private.format("no") in boss.get(reverse(LISTED)).content.decode()


@pytest.mark.rule("T-02")
def test_the_form_of_a_template_sets_keeps_and_drops_the_password(boss: Client) -> None:
    sent(boss, reverse("admin:tournaments_template_add"), template_form(secret="sesame one"))
    row = Template.objects.get()
    assert check_password("sesame one", row.password) and "secret" not in row.offer

    shown = boss.get(page_of(row)).content.decode()
    assert "Private. Empty: the password stays as it is." in shown
    assert "sesame" not in shown and row.password not in shown and 'name="open_to_all"' in shown
    sent(boss, page_of(row), template_form(secret="", buy_in=7))
    kept = Template.objects.get()
    assert (kept.offer["buy_in"], kept.password) == (700, row.password)

    sent(boss, page_of(row), template_form(secret="second"))
    row.refresh_from_db()
    assert check_password("second", row.password)
    sent(boss, page_of(row), template_form(secret="", open_to_all="on"))
    row.refresh_from_db()
    assert row.password == ""
    shown = boss.get(page_of(row)).content.decode()
    assert "Empty: open to all." in shown and 'name="open_to_all"' not in shown


@pytest.mark.rule("T-02")
def test_setting_and_dropping_a_password_at_once_is_refused(boss: Client) -> None:
    row = private_template()
    both = template_form(secret="other", open_to_all="on", buy_in=900)
    answer = boss.post(page_of(row), both)
    assert answer.status_code == 200
    assert "not both" in errors_of(answer)["open_to_all"][0]
    same = Template.objects.get()
    assert (same.password, same.offer) == (row.password, row.offer)


@pytest.mark.rule("T-02")
def test_a_private_template_saved_as_new_stays_private(boss: Client) -> None:
    row = private_template()
    sent(boss, page_of(row), template_form(name="Another", secret="", _saveasnew="1"))
    assert Template.objects.get(name="Another").password == row.password
    given = template_form(name="Third", secret="other", _saveasnew="1")
    sent(boss, page_of(row), given)
    assert check_password("other", Template.objects.get(name="Third").password)
    assert Template.objects.get(pk=row.pk).password == row.password


@pytest.mark.rule("T-02")
@pytest.mark.parametrize("kind", ["clone", "template"])
def test_a_clone_of_a_private_tournament_is_private(boss: Client, kind: str) -> None:
    row = private_template()
    like = Tournament.objects.get() if kind == "clone" else row
    address = f"{reverse(ADD)}?{kind}={like.pk}"
    shown = boss.get(address)
    page = shown.content.decode()
    assert "Private. Empty: the password stays as it is." in page and like.password not in page

    form = shown.context["adminform"].form
    sent(boss, address, offer_form(token=form["token"].value()))
    takes_only(_opened(), "open sesame")
    fresh = boss.get(address).context["adminform"].form
    sent(boss, address, offer_form(token=fresh["token"].value(), secret="another"))
    takes_only(_opened(), "another")
    fresh = boss.get(address).context["adminform"].form
    sent(boss, address, offer_form(token=fresh["token"].value(), open_to_all="on"))
    assert _opened().password == ""


@pytest.mark.rule("T-02")
def test_operators_see_whether_a_tournament_is_private(boss: Client) -> None:
    for password, icon in (("open sesame", "yes"), ("", "no")):
        made = open_offer(password=password, **TURBO_OFFER)
        page = boss.get(reverse("admin:tournaments_tournament_change", args=[made.pk]))
        row = page.content.decode().split("field-is_private")[1][:600]
        assert f"icon-{icon}.svg" in row


@pytest.mark.rule("T-02")
def test_an_observer_sees_that_a_template_is_private(house: Redis, client: Client) -> None:
    row = private_template()
    reader = User.objects.create_user("Reader", "a long password", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_template"))
    client.force_login(reader)
    for page in (page_of(row), reverse(LISTED)):
        shown = client.get(page).content.decode()
        assert "icon-yes.svg" in shown.split("field-is_private")[1][:600]
        assert row.password not in shown and "sesame" not in shown
    assert client.post(page_of(row), template_form(open_to_all="on")).status_code == 403
    assert Template.objects.get().password == row.password


def test_a_new_tournament_is_public_without_a_password(boss: Client) -> None:
    page = boss.get(reverse(ADD)).content.decode()
    assert "Empty: open to all." in page and 'name="open_to_all"' not in page
    sent(boss, reverse(ADD), offer_form())
    assert _opened().password == ""
    assert template().password == ""


def _opened() -> Tournament:
    """The tournament created last, opened for registration."""
    made = Tournament.objects.order_by("pk").last()
    assert made is not None
    return operations.open(made.pk)
