"""Reading of the mark of a research room, and the door that it closes to people."""

from __future__ import annotations

import time

import structlog
from django.db import DatabaseError
from django.http import HttpRequest

from accounts.research.models import ResearchMark
from accounts.research.refusals import NoPeople

log = structlog.get_logger(__name__)

READ_AGAIN_S = 5.0
"""Age in seconds at which pages read again whether an unmarked room was marked meanwhile."""


def is_marked() -> bool:
    """Return whether this is a research room, as PostgreSQL has it now."""
    return ResearchMark.objects.exists()


def validate_person(*, is_bot: bool) -> None:
    """Refuse a person in a research room; raises NoPeople."""
    if not is_bot and is_marked():
        raise NoPeople


class _ToldMark:
    """Mark as pages tell it: final once it is there, else at most some seconds old."""

    def __init__(self) -> None:
        self._is_marked = False
        self._read_s = -READ_AGAIN_S

    def get(self) -> bool:
        """Return whether the room is marked; the last answer while PostgreSQL gives none."""
        if not self._is_marked and time.monotonic() - self._read_s >= READ_AGAIN_S:
            try:
                self.know(is_marked())
            except DatabaseError as error:
                log.warning("mark of the room not read", error=str(error))
        return self._is_marked

    def know(self, is_marked: bool) -> None:
        """Take an answer of PostgreSQL as read now."""
        self._is_marked, self._read_s = is_marked, time.monotonic()


told = _ToldMark()
"""Mark of the room as the pages and sockets of this process tell it."""


def research(request: HttpRequest) -> dict[str, bool]:
    """Template context of every page: whether this is a research room."""
    return {"is_research": told.get()}
