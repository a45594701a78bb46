"""Times on pages: for the zone of each reader, and with their own zone where no script runs."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.test import Client
from django.utils.translation import override

from accounts.templatetags.moments import moment
from accounts.users.signup import sign_up
from tests.style.sources import HOME

_BARE = re.compile(r'\|(?:date|time):"(?:SHORT_)?(?:DATETIME|TIME)_FORMAT"')


def test_a_moment_names_its_zone_and_holds_its_milliseconds() -> None:
    kolkata = timezone(timedelta(hours=5, minutes=30))
    at = datetime(2026, 11, 28, 1, 59, 30, tzinfo=kolkata)
    with override("de"):
        written = moment(at)
    ms = round(at.timestamp()) * 1_000
    assert written == (
        f'<time datetime="2026-11-27T20:29:30+00:00" data-moment="{ms}">27.11.2026 20:29 UTC</time>'
    )
    assert moment(at.astimezone(UTC)) == moment(at)
    assert moment(None) == ""


@pytest.mark.django_db
def test_sessions_are_dated_by_moments(client: Client) -> None:
    client.force_login(sign_up("anna", "correct horse battery"))
    page = client.get("/account/sessions/").content.decode()
    told = re.findall(r'(?:since|last seen) <time datetime="[^"]+" data-moment="\d+">', page)
    assert len(told) == 2


def test_no_page_of_players_writes_the_time_of_the_server() -> None:
    found = [
        str(path.relative_to(HOME))
        for path in sorted((HOME / "templates").rglob("*.html"))
        if "admin" not in path.parts and _BARE.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []
