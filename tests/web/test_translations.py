"""Every text is translated into German, keeps its placeholders, and reaches the browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from django.test import Client
from django.utils import translation

from config.environment import HOME
from config.refusals import Refusal
from deploy.documents import catalogs
from tables.dealer import refusals as of_the_table
from tables.engine import refusals as of_the_hand

VALUE = re.compile(r"%\((\w+)\)[sd]")
LOG_IN = re.compile(r"\blog(?:s|ged|ging)?(?: you)? (?:in|out)\b|\blog-ins?\b", re.IGNORECASE)
REGISTER = re.compile(r"\b(?:un)?regist(?:er|ration)", re.IGNORECASE)
LOG_IN_DE = re.compile(r"log(?:g|in)", re.IGNORECASE)
REGISTER_DE = re.compile(r"(?:an|ab)(?:ge|zu)?meld|\bmelde\w*\b.* (?:an|ab)\b", re.IGNORECASE)


def test_every_text_has_a_german_translation() -> None:
    assert catalogs.untranslated("de") == []


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_translations_keep_the_placeholders_of_the_texts(domain: str) -> None:
    catalog = _german(domain)
    seen = 0
    for message in catalog:
        if not message.id:
            continue
        texts = [message.id] if isinstance(message.id, str) else list(message.id)
        strings = (
            [message.string] if isinstance(message.string, str) else list(message.string or ())
        )
        wanted = set(VALUE.findall(" ".join(texts)))
        for string in strings:
            assert set(VALUE.findall(string)) == wanted, message.id
        seen += bool(wanted)
    assert seen > 10


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_german_has_one_word_for_accounts_and_one_for_tournaments(domain: str) -> None:
    wrong = []
    for message in _german(domain):
        text, german = str(message.id), str(message.string)
        if LOG_IN.search(text) and (not LOG_IN_DE.search(german) or REGISTER_DE.search(german)):
            wrong.append(german)
        if REGISTER.search(text) and not LOG_IN.search(text) and LOG_IN_DE.search(german):
            wrong.append(german)
    assert wrong == []


@pytest.mark.parametrize("module", [of_the_hand, of_the_table])
def test_every_refusal_of_a_table_has_a_german_sentence(module: object) -> None:
    catalogs.compile_all()
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    sentences = {kind.sentence for kind in kinds if issubclass(kind, Refusal)}
    assert len(sentences) > 4
    with translation.override("de"):
        assert {one for one in sentences if translation.gettext(one) == one} == set()


@pytest.mark.django_db
def test_pages_and_scripts_use_the_language_of_the_browser(client: Client) -> None:
    catalogs.compile_all()
    german = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
    assert "Turniere" in client.get("/", headers=german).content.decode()
    assert "raist auf" in client.get("/jsi18n/", headers=german).content.decode()
    english = client.get("/", headers={"Accept-Language": "en-GB"}).content.decode()
    assert "Tournaments" in english
    assert "Turniere" not in english


@pytest.mark.django_db
def test_the_language_switch_overrides_the_browser(client: Client) -> None:
    catalogs.compile_all()
    client.post("/i18n/setlang/", {"language": "de", "next": "/"})
    page = client.get("/", headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="de"' in page
    assert "Turniere" in page


def _german(domain: str) -> Catalog:
    path = Path(HOME) / "locale" / "de" / "LC_MESSAGES" / f"{domain}.po"
    with path.open("rb") as file:
        return read_po(file, locale="de")
