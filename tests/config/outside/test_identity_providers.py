"""Configuration of providers of log-ins: what is taken, and one clear line for what is not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from config.outside import identity_providers
from tests.config.process.settings_process import settings_with

GOOD = {
    "key": "club-sso",
    "name": "Club",
    "issuer": "https://sso.example.org",
    "client_id": "room",
    "client_secret": "hush",
}
PLAIN = {
    "key": "github",
    "name": "GitHub",
    "client_id": "room",
    "client_secret": "hush",
    "authorization_endpoint": "https://github.com/login/oauth/authorize",
    "token_endpoint": "https://github.com/login/oauth/access_token",
    "userinfo_endpoint": "https://api.github.com/user",
    "scopes": ["read:user"],
    "claims": {"sub": "id", "preferred_username": "login"},
}


def test_providers_come_from_text_or_file_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "providers.json"
    file.write_text(json.dumps([GOOD, PLAIN]))
    found = identity_providers.read("", str(file), [])
    assert [one.key for one in found] == ["club-sso", "github"]
    assert [one.is_openid for one in found] == [True, False]
    assert [one.scope for one in found] == ["openid profile email", "read:user"]
    assert found == identity_providers.read(json.dumps([GOOD, PLAIN]), "", [])
    assert identity_providers.read("", "", []) == identity_providers.read("[]", "", []) == ()
    assert "hush" not in repr(found)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"key": "Club SSO"}, "provider 1 (Club SSO): key is made of a-z, 0-9 and dashes"),
        ({"key": "x" * 21}, "at most 20"),
        ({"name": " "}, "name has 1 to 40 characters"),
        ({"client_id": ""}, "client_id is empty"),
        (
            {"issuer": ""},
            "or authorization_endpoint (OAuth 2.0) is missing",
        ),
        ({"issuer": "sso.example.org"}, "issuer: Enter an address like https://"),
        ({"issuer": "https://10.1.2.3"}, "issuer: The address leads into a private network"),
        ({"token_endpoint": "https://a.example/"}, "either issuer (OpenID Connect) or the three"),
        ({"scopes": ["email"]}, "scopes lack openid"),
        ({"secret": "x"}, "Object contains unknown field `secret` - at `$[0]`"),
        ({"client_id": 7}, "Expected `str`, got `int` - at `$[0].client_id`"),
    ],
)
def test_a_wrong_entry_is_named_in_one_line(change: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(line)) as told:
        identity_providers.read(json.dumps([GOOD | change]), "", [])
    assert "\n" not in str(told.value)
    assert "hush" not in str(told.value)


def test_a_key_is_given_once_and_plain_ones_need_everything() -> None:
    for wrong, line in (
        ([GOOD, GOOD], "provider 2 (club-sso): key is given twice"),
        ([PLAIN | {"token_endpoint": ""}], "or token_endpoint (OAuth 2.0) is missing"),
        ([PLAIN | {"scopes": []}], "scopes are missing"),
        ([GOOD | {"key": f"k{n}"} for n in range(11)], "at most 10 providers, not 11"),
    ):
        with pytest.raises(ValueError, match=re.escape(line)):
            identity_providers.read(json.dumps(wrong), "", [])


def test_a_private_network_is_the_operators_word() -> None:
    inside = json.dumps([GOOD | {"issuer": "http://10.1.2.3:8080/realms/club"}])
    assert identity_providers.read(inside, "", ["10.0.0.0/8"])
    with pytest.raises(ValueError, match="private network"):
        identity_providers.read(inside, "", ["10.9.0.0/16"])


def test_the_room_does_not_start_with_a_wrong_entry(tmp_path: Path) -> None:
    done = settings_with(tmp_path, OPENID_PROVIDERS_FILE=str(tmp_path / "none.json"))
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert "OPENID_PROVIDERS: " in last and "none.json cannot be read (FileNotFoundError)." in last
