"""Looks: kept in the cookie before a log-in, for the account after it, never trusted."""

from __future__ import annotations

import json
import re
import zipfile
from io import BytesIO

import pytest
from django.test import Client
from redis import Redis

from accounts.deletion import deleting
from accounts.looks import looks
from accounts.looks.models import TableLook
from accounts.models import User
from accounts.users.account_export import zipped
from tests.tables import playing

pytestmark = pytest.mark.django_db

BLUE = {"theme": "night", "felt": "blue", "deck": "two", "size": "large"}
NIGHT = 'data-theme="night"'
DEVICE = 'data-theme="device"'
SHOWN = 'data-felt="blue" data-deck="two" data-size="large"'
USUAL = 'data-felt="green" data-deck="four" data-size="normal"'


@pytest.fixture
def table(room: Redis) -> str:
    """Address of a table."""
    return f"/tables/{playing.sit_down([2_000, 2_000]).pk}/"


def _page(client: Client, address: str) -> str:
    return client.get(address, secure=True).content.decode()


def test_a_visitor_keeps_a_look_in_the_browser(table: str) -> None:
    client = Client()
    assert USUAL in _page(client, table) and DEVICE in _page(client, "/")
    assert client.post("/look/", BLUE, secure=True).status_code == 302
    assert NIGHT in _page(client, table) and NIGHT in _page(client, "/")
    assert SHOWN in _page(client, table) and not TableLook.objects.exists()
    assert '<option value="blue" selected>' in _page(client, "/look/")
    assert USUAL in _page(Client(), table), "another browser knows nothing of it"


def test_a_player_keeps_a_look_for_every_browser(table: str) -> None:
    ann = User.objects.create_user("Ann", password=None)
    first, second = Client(), Client()
    first.force_login(ann)
    kept = first.post("/look/kept/", BLUE, secure=True)
    assert (kept.status_code, kept.content) == (204, b"") and SHOWN in _page(first, table)
    second.force_login(ann)
    assert SHOWN in _page(second, table) and NIGHT in _page(second, "/account/")


@pytest.mark.parametrize("wrong", ['"><script>', "pink", "", "x" * 5_000])
def test_unknown_values_are_the_usual_ones(table: str, wrong: str) -> None:
    client = Client()
    client.post("/look/", BLUE | {"felt": wrong, "theme": wrong}, secure=True)
    page = _page(client, table)
    assert DEVICE in page and 'data-felt="green" data-deck="two" data-size="large"' in page
    client.cookies[looks.COOKIE] = f"felt={wrong}&deck=two"
    page = _page(client, table)
    assert 'data-felt="green"' in page and "<script>&deck" not in page


def _colours(page: str) -> list[tuple[str, str]]:
    """Return the colours of a page's frame of the browser, each with its media query."""
    return re.findall(r'"theme-color" content="(#\w+)"(?: media="\(([^)]*)\)")?', page)


def test_a_theme_is_told_to_the_browser_before_any_colour_is_read(room: Redis) -> None:
    client = Client()
    page = _page(client, "/")
    assert '"color-scheme" content="light dark"' in page
    assert [query for _, query in _colours(page)] == [
        "prefers-color-scheme: light",
        "prefers-color-scheme: dark",
    ]
    for theme, scheme in (("day", "light"), ("night", "dark")):
        client.post("/look/", BLUE | {"theme": theme}, secure=True)
        page = _page(client, "/")
        assert f'"color-scheme" content="{scheme}"' in page
        [(_, query)] = _colours(page)
        assert query == ""
        assert page.index('"color-scheme"') < page.index("stylesheet")


def test_the_admin_wears_the_theme_of_the_room(room: Redis) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("Olga", password=None))
    for theme in ("device", "night", "day"):
        client.post("/look/", BLUE | {"theme": theme}, secure=True)
        page = _page(client, "/admin/")
        assert f'theme.js" data-theme="{theme}"' in page
        assert "theme-toggle" not in page, "one place to choose"


def test_a_look_leaves_with_the_account_and_is_part_of_its_export(room: Redis) -> None:
    ann = User.objects.create_user("Ann", password=None)
    looks.keep(BLUE, ann)
    held = json.loads(zipfile.ZipFile(BytesIO(zipped(ann))).read("account.json"))
    assert held["table_look"] == [BLUE]
    deleting.delete(ann)
    assert not TableLook.objects.exists()
