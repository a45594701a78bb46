"""The protocol page matches the code: structs, codes, one per direction."""

from __future__ import annotations

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tables.gateway.streams.known_kinds import all_kinds, may_follow
from tables.management import protocol_asyncapi, protocol_page, protocol_types
from tables.wire import client_commands


def test_the_page_is_current() -> None:
    # A separate process registers only the streams of the room, without those of other tests.
    command = [sys.executable, "manage.py", "protocol_docs", "--check"]
    subprocess.run(command, cwd=settings.BASE_DIR, check=True)


@pytest.mark.parametrize("outdated", ["protocol.md", "protocol.d.ts", "asyncapi.yaml"])
def test_a_page_that_is_out_of_date_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, outdated: str
) -> None:
    texts = {
        "protocol.md": protocol_page.page(),
        "protocol.d.ts": protocol_types.types(),
        "asyncapi.yaml": protocol_asyncapi.text(),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    command = "tables.management.commands.protocol_docs"
    monkeypatch.setattr(f"{command}.PAGE", tmp_path / "protocol.md")
    monkeypatch.setattr(f"{command}.TYPES", tmp_path / "protocol.d.ts")
    monkeypatch.setattr(protocol_asyncapi, "DOCUMENT", tmp_path / "asyncapi.yaml")
    call_command("protocol_docs", check=True)
    (tmp_path / outdated).write_text(texts[outdated].replace("absent", "lost"))
    with pytest.raises(CommandError, match=outdated):
        call_command("protocol_docs", check=True)
    call_command("protocol_docs", stdout=StringIO())
    call_command("protocol_docs", check=True, stdout=StringIO())


def test_every_stream_is_described_with_its_snapshot_and_events() -> None:
    text = protocol_page.page()
    prefixes = {kind.prefix for kind in all_kinds()}
    assert {"table", "tournament", "user", "lobby"} <= prefixes
    for kind in all_kinds():
        if kind.state is not None:
            assert f"[{kind.state.__name__}](#{kind.state.__name__.lower()})" in text
    assert not re.search(r"\{[A-Z_]+\}|<!--", text), "no placeholder is left"


def test_every_link_of_the_page_has_a_target() -> None:
    text = protocol_page.page()
    titles = {title.lower() for title in re.findall(r"^#+ `([^`]+)`$", text, re.M)}
    links = set(re.findall(r"\]\(#([a-z_]+)\)", text))
    assert links
    assert links <= titles


@pytest.mark.parametrize("message", list(protocol_page.members(client_commands.ClientMessage)))
def test_every_client_message_refuses_a_field_it_does_not_know(message: type) -> None:
    decode = msgspec.json.Decoder(client_commands.ClientMessage).decode
    info = msgspec.inspect.type_info(message)
    samples = {
        "id": "a1",
        "stream": "table:1",
        "after": "1-1",
        "action": "fold",
        "cards": "both",
        "choice": "muck",
        "watch": True,
        "window": "w1",
        "ask": True,
        "seed": "0f" * 32,
        "pledge": "f0" * 32,
        "text": "nice hand",
        "emote": "thanks",
        "reason": "spam",
    }
    fields = {field.name: samples.get(field.name, 1) for field in info.fields}  # type: ignore[attr-defined]
    whole = {"type": info.tag, **fields}  # type: ignore[attr-defined]
    assert isinstance(decode(msgspec.json.encode(whole)), message)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        decode(msgspec.json.encode({**whole, "more": 1}))


def test_a_users_stream_is_for_that_user_only() -> None:
    assert may_follow("user:7", 7)
    assert not may_follow("user:7", 8)
    assert not may_follow("user:7", None)
    assert not may_follow("user:07", 7)
    assert may_follow("table:7", None)
