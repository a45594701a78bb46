"""A browser checks the deck that a closing table opens on its stream."""

from __future__ import annotations

import pytest
from django.db import transaction
from msgspec.structs import replace
from playwright.sync_api import expect
from redis import Redis

from accounts.models import User
from tables.models import Table
from tables.store import fenced
from tables.workers import recovery, sealing, settle, withdrawing
from tests.tables import playing
from tests.tables.gateway.socket_site import site
from tests.web.visiting import Visit, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.django_db(transaction=True)


def _close(room: Redis, table: Table) -> None:
    with transaction.atomic():
        row = Table.objects.select_for_update().get(pk=table.pk)
        withdrawing.end_closing([row])
        row.status, row.epoch = Table.Status.CLOSED, row.epoch + 1
        row.save(update_fields=["status", "epoch"])
    recovery.close_tables(room, [table.pk])


@pytest.mark.parametrize("is_right", [True, False])
def test_the_log_of_a_closed_table_says_whether_its_opened_deck_is_the_sealed_one(
    room: Redis, visit: Visit, monkeypatch: pytest.MonkeyPatch, is_right: bool
) -> None:
    table = playing.sit_down([9_000] * 3)
    recovery.open_tables(room, [table.pk])
    page = visit(User.objects.get(seat__table=table, seat__seat=2), "/")
    page.goto(f"{page.url.rstrip('/')}/tables/{table.pk}/")
    expect(page.locator("poker-table .seat")).not_to_have_count(0)
    while (state := fenced.peek(room, table.pk)) is not None and state.phase != "granted":
        settle.settle(room, table.pk)
    expect(page.locator(".log")).to_contain_text("The deck is sealed")
    real = sealing.open_deck
    if not is_right:

        def another(*given: object) -> object:
            opened = real(*given)  # type: ignore[arg-type]
            return opened and replace(opened, secret="0f" * 32)

        monkeypatch.setattr(sealing, "open_deck", another)
    _close(room, table)
    line = page.locator(".log [data-opened]")
    expect(line).to_contain_text("Hand 1 was not dealt: its sealed deck is opened")
    mark = line.locator(".fair-mark")
    expect(mark).to_have_attribute("data-colour", "green" if is_right else "red")
    words = "it is the deck that was sealed" if is_right else "not the deck that was sealed"
    expect(mark).to_contain_text(words)
    # A reader who asks for the table again is given its lines anew, with their shields.
    page.evaluate(
        "() => { const { model } = document.querySelector('poker-table');"
        " model.snapshot({ ...model.state, hand: 1 }); }"
    )
    expect(mark).to_contain_text(words)
