"""Collection of translatable texts and compilation of catalogs, without GNU gettext."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from config.environment import HOME

LOCALES = ("de", "en")
SOURCES = ("accounts", "config", "deploy", "tables", "tournaments", "templates")
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
    "gettext_noop": None,
}


def compile_all() -> list[Path]:
    """Compile every catalog that is newer than its compiled form; return their paths."""
    done = []
    for text in sorted((HOME / "locale").glob("*/LC_MESSAGES/*.po")):
        compiled = text.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= text.stat().st_mtime:
            continue
        unfinished = compiled.with_suffix(f".mo.{id(text)}")
        with unfinished.open("wb") as file:
            write_mo(file, _read(text, text.parts[-3]))
        unfinished.replace(compiled)
        done.append(text)
    return done


def collect() -> None:
    """Update every catalog to the texts in the code, keeping its translations."""
    for domain, template in (("django", _pages()), ("djangojs", _scripts())):
        for locale in LOCALES:
            path = HOME / "locale" / locale / "LC_MESSAGES" / f"{domain}.po"
            path.parent.mkdir(parents=True, exist_ok=True)
            catalog = _read(path, locale) if path.exists() else Catalog(locale=locale)
            catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
            catalog.obsolete.clear()
            with path.open("wb") as file:
                write_po(file, catalog, width=100, sort_output=True, include_lineno=False)


def untranslated(locale: str) -> list[str]:
    """Return the texts of the code without a translation into `locale`."""
    missing = []
    for domain, template in (("django", _pages()), ("djangojs", _scripts())):
        path = HOME / "locale" / locale / "LC_MESSAGES" / f"{domain}.po"
        catalog = _read(path, locale) if path.exists() else Catalog(locale=locale)
        for message in template:
            found = catalog.get(message.id, message.context) if message.id else message
            if found is None or (
                message.id and (not all(_forms(found.string or "")) or found.fuzzy)
            ):
                missing.append(str(message.id))
    return missing


def _forms(string: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string)


def _read(path: Path, locale: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=locale)


def _pages() -> Catalog:
    catalog = Catalog()
    for path in _files("*.py"):
        _add(catalog, path, path.read_bytes(), "python")
    for pattern in ("*.html", "*.txt"):
        for path in _files(pattern):
            if "templates" in path.parts:
                plain = templatize(path.read_text(), origin=str(path))
                _add(catalog, path, plain.encode(), "python")
    return catalog


def _scripts() -> Catalog:
    catalog = Catalog()
    for path in sorted((HOME / "static").rglob("*.js")):
        if "vendor" not in path.parts:
            _add(catalog, path, path.read_bytes(), "javascript")
    return catalog


def _add(catalog: Catalog, path: Path, source: bytes, method: str) -> None:
    place = str(path.relative_to(HOME))
    for line, text, comments, context in extract(method, BytesIO(source), keywords=KEYWORDS):
        catalog.add(text, locations=[(place, line)], auto_comments=comments, context=context)


def _files(pattern: str) -> Iterator[Path]:
    for source in SOURCES:
        for path in sorted((HOME / source).rglob(pattern)):
            if "migrations" not in path.parts:
                yield path
