"""Static files of the web process, also those that another release gathers while it runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.core.exceptions import SuspiciousFileOperation
from django.http import HttpRequest
from django.utils._os import safe_join
from whitenoise.middleware import WhiteNoiseMiddleware

_HASHED = re.compile(r"\.[0-9a-f]{12}\.[a-z0-9]+$")
_CARDS = "cards/"
_DRAWING_KEPT_S = 86_400
"""Time for which browsers keep the drawing of a card, which they ask for by its plain name."""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Middleware of WhiteNoise, which lists its files at the start, with a look for later ones.

    During an upgrade a page of one web process loads its modules from any of them, also from one
    of the release before. Only hashed names are looked for: their content never changes.
    """

    def __call__(self, request: HttpRequest) -> Any:
        """Answer with a static file, else as the next middleware does."""
        path = request.path_info
        if path not in self.files and path.startswith(self.static_prefix):
            self._look_for(path)
        return super().__call__(request)

    def add_cache_headers(self, headers: Any, path: str, url: str) -> None:
        """Add the time for which a browser may keep a file without a question."""
        super().add_cache_headers(headers, path, url)
        if url.startswith(f"{self.static_prefix}{_CARDS}") and not _HASHED.search(url):
            headers["Cache-Control"] = f"max-age={_DRAWING_KEPT_S}, public"

    def _look_for(self, path: str) -> None:
        if self.autorefresh or not _HASHED.search(path):
            return
        try:
            file = safe_join(self.static_root, path.removeprefix(self.static_prefix))
        except (SuspiciousFileOperation, ValueError):
            return
        if Path(file).is_file():
            self.add_file_to_dictionary(path, file)
