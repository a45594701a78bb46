"""Every text for people is collected, whatever file it stands in, and German is complete."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.mofile import read_mo

from config import catalogs


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "tables/words.py": 'from x import gettext_lazy as _\nTEXT = _("A seat is free.")\n',
        "templates/page.html": '{% load i18n %}{% translate "Lobby" %}'
        "{% blocktranslate count n=n %}{{ n }} player{% plural %}{{ n }} players"
        "{% endblocktranslate %}",
        "static/js/table.js": 'export const text = gettext("Fold");',
        "static/vendor/lib.js": 'gettext("Not ours");',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(catalogs, "HOME", tmp_path)
    return tmp_path


def test_texts_of_code_pages_and_scripts_are_collected(house: Path) -> None:
    catalogs.collect()
    pages = (house / "locale/de/LC_MESSAGES/django.po").read_text()
    scripts = (house / "locale/de/LC_MESSAGES/djangojs.po").read_text()
    for text in ("A seat is free.", "Lobby", "%(n)s player", "%(n)s players"):
        assert f'"{text}"' in pages
    assert '"Fold"' in scripts
    assert "Not ours" not in scripts


def test_a_translation_survives_the_next_collection_and_is_compiled(house: Path) -> None:
    catalogs.collect()
    path = house / "locale/de/LC_MESSAGES/djangojs.po"
    path.write_text(path.read_text().replace('msgid "Fold"\nmsgstr ""', 'msgid "Fold"\nmsgstr "X"'))
    assert "Fold" not in catalogs.untranslated("de")
    catalogs.collect()
    assert path in catalogs.compile_all()
    with path.with_suffix(".mo").open("rb") as file:
        assert read_mo(file).get("Fold").string == "X"
    assert catalogs.compile_all() == []


def test_what_is_not_translated_is_named(house: Path) -> None:
    catalogs.collect()
    assert "Lobby" in catalogs.untranslated("de")
