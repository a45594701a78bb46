"""Pages answer HTML, and data has addresses of its own: no view chooses by the Accept header."""

from __future__ import annotations

import re

from tests.style.sources import HOME, modules, name

_READS_ACCEPT = re.compile(
    r"""headers(?:\.get\(|\[)\s*["']accept["']|["']http_accept["']|\bb["']accept["']"""
    r"""|\.accepts\(|get_preferred_type|accepted_types""",
    re.IGNORECASE,
)
DOOR = "config/door/refusals.py"
"""The front door refuses before any view, in the form that the client asked for."""


def test_no_view_reads_which_type_the_client_accepts() -> None:
    apps = {HOME / app for app in ("accounts", "config", "tables", "tournaments")}
    found = {
        name(path)
        for path in modules()
        if apps & set(path.parents) and _READS_ACCEPT.search(path.read_text())
    }
    assert found == {DOOR}


def test_the_search_finds_each_way_to_read_the_header() -> None:
    for source in (
        'request.headers.get("Accept", "")',
        "request.headers['accept']",
        'request.META.get("HTTP_ACCEPT")',
        'request.accepts("application/json")',
        "request.get_preferred_type(kinds)",
    ):
        assert _READS_ACCEPT.search(source), source
    for source in ('META["HTTP_ACCEPT_LANGUAGE"]', '{"accept": "image/png"}'):
        assert not _READS_ACCEPT.search(source), source
