"""Bodies of requests that make and run tournaments; unknown fields are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, AwareDatetime, ConfigDict, StringConstraints

from config import limits
from config.inputs.readable import is_readable

NAME_MAX_CHARACTERS = 80
REASON_MAX_CHARACTERS = 300

Step = Literal[
    "open", "start", "pause", "resume", "next_level", "more_time", "cancel", "cancel_forward"
]


def _storable(moment: datetime) -> datetime:
    """Return the moment in UTC; raises ValueError outside the calendar of the room."""
    if not 1_970 < moment.year < limits.YEAR_MAX:
        raise ValueError("the year is out of range")
    return moment.astimezone(UTC)


def _written(most: int, least: int = 1) -> StringConstraints:
    """Return the form of a text: PostgreSQL stores no NUL."""
    return StringConstraints(
        strip_whitespace=True, min_length=least, max_length=most, pattern=r"^[^\x00]*$"
    )


def _readable(text: str) -> str:
    """Return the text; raises ValueError for control, direction or invisible signs."""
    if not is_readable(text):
        raise ValueError("the text has signs that cannot be shown")
    return text


Reason = Annotated[str, _written(REASON_MAX_CHARACTERS), AfterValidator(_readable)]
Moment = Annotated[AwareDatetime, AfterValidator(_storable)]


class NewTournamentRequest(Schema):
    """Options of one new tournament; an empty name is that of its source."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, _written(NAME_MAX_CHARACTERS, 0)] = ""
    starts_at: Moment | None = None
    reason: Reason

    def options(self) -> dict[str, Any]:
        """Return the options that the body names."""
        given = {"name": self.name} if self.name else {}
        return given | {"starts_at": self.starts_at}


class StepRequest(Schema):
    """A step in the life of a tournament, with its reason for the record."""

    model_config = ConfigDict(extra="forbid")

    step: Step
    reason: Reason
