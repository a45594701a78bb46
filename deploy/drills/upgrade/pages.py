"""Pages and their static files while web processes are replaced: both must always be answered."""

from __future__ import annotations

import re
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin

from deploy.embedded import network

WITHIN_S = 20.0
PAGES = ("/", "/accounts/login/")
LOOKS = 4
"""Requests of each page: web processes that share a socket take turns."""

_LINK = re.compile(r"""(?:src|href)="(/static/[^"]+)\"""")


def links_of(text: str) -> set[str]:
    """Return the addresses of the static files that a page names."""
    return set(_LINK.findall(text))


class OpenPages:
    """Pages as browsers have them open: what they name must be served by every later release."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._links: set[str] = set()

    def find_broken(self) -> list[str]:
        """Return what cannot be loaded now, of the pages and of all files named so far."""
        wrong = []
        for page in PAGES:
            for _ in range(LOOKS):
                text, problem = self._load(page)
                self._links |= links_of(text)
                wrong += [f"page {page}: {problem}"] if problem else []
        for link in sorted(self._links):
            _, problem = self._load(link)
            wrong += [f"{link}: {problem}"] if problem else []
        return sorted(set(wrong))

    def _load(self, path: str) -> tuple[str, str]:
        try:
            with network.open_directly(urljoin(self._url, path), WITHIN_S) as answer:
                return answer.read().decode(errors="replace"), ""
        except HTTPError as problem:
            return "", f"answered {problem.code}"
        except (URLError, OSError) as problem:
            return "", f"not answered: {problem}"
