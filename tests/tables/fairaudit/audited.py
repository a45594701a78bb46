"""An audit by the command: its exit status, its words, and its report."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command


class Audited:
    """Outcome of the command: its exit status, its words, and its report."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.status, out, err = 0, StringIO(), StringIO()
        try:
            call_command("fair_audit", report=path, stdout=out, stderr=err, **options)
        except CommandError as error:
            self.status = error.returncode
        self.told = out.getvalue() + err.getvalue()
        self.report: dict[str, Any] = json.loads(path.read_text())

    @property
    def kinds(self) -> set[str]:
        """Names of the differences."""
        return set(self.report["differences"])
