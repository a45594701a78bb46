"""Rewrite the golden hands from their settings and actions; read the difference before use."""

from __future__ import annotations

from tests.golden.transcript import HANDS, written

for path in sorted(HANDS.glob("*.txt")):
    path.write_text(written(path.read_text()))
