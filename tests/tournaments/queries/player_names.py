"""Player names that differ in case, accents and first character."""

from __future__ import annotations

NAMES = ("anna", "Anna", "Berta", "berta2", "Zoe", "zoe", "ägidius", "émile", "_x", "Carl-9")
