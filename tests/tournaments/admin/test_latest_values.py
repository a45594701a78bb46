"""Filters of long lists offer the values of the newest rows, and those that the address names."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from accounts.models import User
from config import admin_site
from tests.tournaments.cast import offer
from tournaments.models import AuditRow

LIST = "/admin/tournaments/auditrow/"


def test_a_filter_of_actions_reads_the_newest_rows_alone(
    client: Any, house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    tournament = offer()
    for action in ("former", "present", "present"):
        AuditRow.objects.create(tournament=tournament, action=action)
    assert "?action=former" in client.get(LIST).content.decode()
    monkeypatch.setattr(admin_site, "ROWS_OF_VALUES", 2)
    page = client.get(LIST).content.decode()
    assert "?action=present" in page and "?action=former" not in page
    named = client.get(f"{LIST}?action=former")
    assert named.status_code == 200
    assert [row.action for row in named.context["cl"].result_list] == ["former"]
    assert "?action=former" in named.content.decode(), "the chosen value is not shown"
