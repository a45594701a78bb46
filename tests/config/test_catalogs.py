"""Catalogs collect every text for people from any file, and German is complete."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from config.environment import HOME
from deploy.documents import catalogs


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
        fold = read_mo(file).get("Fold")
    assert fold is not None and fold.string == "X"
    assert catalogs.compile_all() == []


def test_untranslated_texts_are_named(house: Path) -> None:
    catalogs.collect()
    assert "Lobby" in catalogs.untranslated("de")


FOREIGN_AT_TABLES = (
    "Kopfgeld", "Geberknopf", "Nebenpot", "Hauptpot", "Finaltisch", "Zeitbank", "schiebt",
    "steigt aus", "Aussteigen", "Mitgehen", "geht %(amount)s mit", "erhöht auf", "Erhöhung",
    "Spätanmeldung", "ein Ante.", "das Ante ", "Haus",
)  # fmt: skip
"""Words that German players understand but do not use; the room is Raum or Pokerraum."""

SPOKEN = {
    "%(name)s folds": "%(name)s foldet",
    "%(name)s posts the small blind of %(amount)s": "%(name)s setzt Small Blind %(amount)s",
    "%(one)s high": "%(one)s hoch",
    "a flush, %(one)s high": "Flush, %(one)s hoch",
    "Raise to": "Raise auf",
    "Check/Fold": "Check/Fold",
    "Uncalled bet %(amount)s returned to %(name)s": (
        "Nicht gecallter Einsatz %(amount)s zurück an %(name)s"
    ),
    "You finished %(place)s in %(name)s and win %(prize)s.": (
        "%(place)s Platz bei %(name)s: %(prize)s gewonnen."
    ),
}


def test_german_is_the_german_of_poker_tables() -> None:
    texts: dict[str, str] = {}
    for path in sorted((HOME / "locale" / "de" / "LC_MESSAGES").glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale="de"):
                forms = (
                    (message.string,) if isinstance(message.string, str) else message.string or ()
                )
                texts[str(message.id)] = "\n".join(forms)
    found = {said for said in texts.values() for word in FOREIGN_AT_TABLES if word in said}
    assert found == set()
    assert {text: texts.get(text) for text in SPOKEN} == SPOKEN
