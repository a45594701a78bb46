"""Countries of flags: the codes of ISO 3166-1 with their names in the reader's language."""

from __future__ import annotations

from functools import cache

from babel import Locale

# Territories of Unicode that are no countries of ISO 3166-1: unions, outlying areas, tests.
_NO_COUNTRIES = frozenset(
    ("AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "XK", "ZZ")
)


@cache
def countries(language: str) -> dict[str, str]:
    """Return the names of all countries by their code, in the order of the names."""
    names = Locale(language).territories
    found = {code: name for code, name in names.items() if _is_country(code)}
    return dict(sorted(found.items(), key=lambda pair: pair[1].casefold()))


def _is_country(code: str) -> bool:
    return len(code) == 2 and code.isalpha() and code not in _NO_COUNTRIES
