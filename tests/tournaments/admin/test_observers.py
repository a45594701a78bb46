"""Observers see everything in the admin and change nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.models import Transfer, User
from accounts.users import bots, groups
from deploy.preparation import room
from tables.models import Hand
from tests.tournaments.admin.steps import step
from tests.tournaments.cast import Arena, offer, started
from tournaments.models import AuditRow, Entry, Template, Tournament
from tournaments.running import series

MODELS = [model for model in admin.site._registry if model._meta.app_label in groups.LOOKED_AT]
REASON = {"reason": "because", "token": "once"}


@pytest.fixture
def observer(house: Redis, client: Client) -> Client:
    """Client of a user in the observer group without further permissions."""
    room.migrate()
    user = User.objects.create_user("Olaf", "a long password", is_staff=True)
    user.groups.add(Group.objects.get(name="Observers"))
    client.force_login(user)
    return client


def page(model: type, kind: str, *arguments: object) -> str:
    meta = model._meta  # type: ignore[attr-defined]
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_{kind}", args=arguments)


def test_the_group_has_only_view_permissions_for_every_model(house: Redis) -> None:
    room.migrate()
    group = Group.objects.get(name="Observers")
    held = {f"{one.content_type.app_label}.{one.codename}" for one in group.permissions.all()}
    assert {f"{model._meta.app_label}.view_{model._meta.model_name}" for model in MODELS} <= held
    assert all(one.split(".")[1].startswith("view_") for one in held)
    assert not any("auth" in one.split(".")[0] for one in held)


def test_each_preparation_resets_the_group_to_view_permissions(house: Redis) -> None:
    group = groups.keep_observers()
    before = set(group.permissions.all())
    group.permissions.add(Permission.objects.get(codename="see_hole_cards"))
    group.permissions.remove(Permission.objects.get(codename="view_entry"))
    room.migrate()
    assert set(Group.objects.get(name="Observers").permissions.all()) == before


def test_an_observer_sees_every_list_and_row_and_can_save_none(observer: Client) -> None:
    Arena(started(4, seats_per_table=2).pk).run()
    seen = 0
    for model in MODELS:
        listed = observer.get(page(model, "changelist"))
        assert listed.status_code == 200, model
        rows = model._default_manager.count()
        assert observer.get(page(model, "add")).status_code in (302, 403), model
        assert observer.post(page(model, "add"), REASON).status_code in (302, 403), model
        assert model._default_manager.count() == rows, model
        row = model._default_manager.first()
        if row is None:
            continue
        seen += 1
        was = model._default_manager.filter(pk=row.pk).values().get()
        one = page(model, "change", row.pk)
        assert observer.get(one).status_code == 200, model
        assert observer.post(one, {"name": "changed", "is_active": ""}).status_code == 403, model
        assert observer.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403
        assert model._default_manager.filter(pk=row.pk).values().get() == was
    assert seen >= 12, "most models have rows"
    assert observer.get(reverse("admin_live")).status_code == 200
    assert observer.get(reverse("admin:auth_group_changelist")).status_code == 403


def test_an_observer_takes_no_step_and_gives_no_money(observer: Client) -> None:
    running, announced = started(4), offer()
    somebody = bots.create(1)[0]
    entry = Entry.objects.filter(tournament=running).first()
    assert entry is not None
    audits, transfers = AuditRow.objects.count(), Transfer.objects.count()
    for made, name in ((announced, "open"), (running, "pause"), (running, "cancel")):
        assert observer.post(step(name, made), REASON).status_code == 403, name
    for ruling in ("take_out", "move", "disqualify"):
        address = reverse(f"admin:tournaments_{ruling}", args=[entry.pk])
        assert observer.post(address, REASON).status_code == 403, ruling
    message = reverse("admin:tournaments_message", args=[running.pk])
    assert observer.post(message, REASON | {"words": "hello"}).status_code == 403
    feature = reverse("admin:tournaments_feature", args=[running.pk])
    assert observer.post(feature, REASON | {"table": ""}).status_code == 403
    funds = {"amount": "5.00", **REASON}
    observer.post(reverse("admin:accounts_promotions"), funds)
    gift = {"action": "credit", "_selected_action": [somebody.pk], "apply": "1", **funds}
    observer.post(page(User, "changelist"), gift)
    ban = {"action": "ban", "_selected_action": [somebody.pk]}
    observer.post(page(User, "changelist"), ban)
    observer.post(
        page(Tournament, "changelist"), {"action": "keep", "_selected_action": [announced.pk]}
    )
    somebody.refresh_from_db()
    assert somebody.is_active
    assert (AuditRow.objects.count(), Transfer.objects.count()) == (audits, transfers)
    states = set(Tournament.objects.values_list("pk", "state"))
    assert states == {(running.pk, "running"), (announced.pk, "announced")}
    assert not LogEntry.objects.exists()


def test_an_observer_reads_the_options_of_a_template(observer: Client) -> None:
    like = offer(
        buy_in=777_00,
        payout_preset="winner_takes_all",
        start="scheduled",
        starts_at=timezone.now() + timedelta(hours=1),
        late_ends="at_time",
        late_value=5_400_000,
    )
    row = series.from_tournament(like, "Nightly")
    shown = observer.get(page(Template, "change", row.pk)).content.decode()
    for words in (
        "Buy-in: 777.00",
        "Payouts: the winner takes all",
        "Level, minutes or number: 90",
    ):
        assert f"<div>{words}</div>" in shown, words
    assert "None</div>" not in shown


def test_an_observer_sees_no_hole_cards(observer: Client) -> None:
    arena = Arena(started(2).pk)
    done = arena.hand(arena.tables()[0])
    seen = observer.get(page(Hand, "change", Hand.objects.get().pk)).content.decode()
    seen = seen.replace("&quot;", '"')
    assert '"cards":["??","??"]' in seen
    assert "".join(f'"{card}",' for card in done.setup.deck[:3]) not in seen
    assert not LogEntry.objects.exists()
