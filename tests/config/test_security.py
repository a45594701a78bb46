"""Statements of docs/security.md, and its promises for pages, cookies and passwords."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.test import Client

from accounts.models import User
from config.environment import HOME

PAGE = Path(HOME) / "docs" / "security.md"
NAMED = re.compile(r"`(tests/[a-z_/]+\.py)(?:::(test_[a-z0-9_]+))?`")
NAME, PASSWORD = "Careful.One", "a-long-and-odd-password"


def test_every_test_the_page_names_exists() -> None:
    named = NAMED.findall(PAGE.read_text())
    assert len(named) > 40
    for path, test in named:
        file = Path(HOME) / path
        assert file.is_file(), path
        assert not test or f"def {test}(" in file.read_text(), f"{path}::{test}"


def test_every_line_of_a_table_names_a_test() -> None:
    # The matrix of rights is written from answers, by a test of its own.
    threats = re.sub(r"<!-- matrix.*end of the matrix", "", PAGE.read_text(), flags=re.DOTALL)
    rows = [line for line in threats.splitlines() if line.startswith("| ")]
    lines = [row for row in rows if "what stops it" not in row]
    assert len(lines) > 30
    assert [row for row in lines if not NAMED.search(row.rsplit("|", 2)[1])] == []


def test_pages_cannot_be_framed_or_reinterpreted(client: Client, db: None) -> None:
    for path in ("/", "/accounts/login/", "/admin/login/"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer["X-Frame-Options"] == "DENY"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Referrer-Policy"] == "same-origin"
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
        policy = answer["Content-Security-Policy"]
        for part in ("frame-ancestors 'none'", "object-src 'none'", "base-uri 'self'"):
            assert part in policy
        assert "unsafe" not in policy


def test_cookies_are_out_of_reach(client: Client, db: None) -> None:
    User.objects.create_user(NAME, PASSWORD)
    client.post("/accounts/login/", {"username": NAME, "password": PASSWORD})
    session = client.cookies[settings.SESSION_COOKIE_NAME]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert client.cookies[settings.CSRF_COOKIE_NAME]["samesite"] == "Lax"


def test_passwords_are_kept_as_argon2(db: None) -> None:
    user = User.objects.create_user(NAME, PASSWORD)
    assert user.password.startswith("argon2$argon2id$")
    assert PASSWORD not in user.password


def test_logging_out_makes_the_session_worthless(client: Client, db: None) -> None:
    User.objects.create_user(NAME, PASSWORD)
    client.post("/accounts/login/", {"username": NAME, "password": PASSWORD})
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    client.post("/accounts/logout/")
    again = Client()
    again.cookies[settings.SESSION_COOKIE_NAME] = key
    assert "_auth_user_id" not in again.session
