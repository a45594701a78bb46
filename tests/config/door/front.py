"""Front door of the server that runs in the test process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from config.door.pages import Pages
from tests.tables.gateway.sockets import Site


@pytest.fixture
def pages(site: Site) -> Iterator[Pages]:
    """Front door of the running server, with lanes made from the settings of the test."""
    from config.asgi import application

    found = application.application_mapping["http"]
    assert isinstance(found, Pages)
    found.__dict__.pop("_lanes", None)
    yield found
    found.__dict__.pop("_lanes", None)
