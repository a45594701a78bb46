"""Parts of the log's addresses: levels, numbers of tiles in groups of three digits, and days."""

from __future__ import annotations

from datetime import date


class TileNumber:
    """Number of a tile, e.g. x001/x234/067 for 1,234,067."""

    regex = r"(?:x[0-9]{3}/){0,4}[0-9]{3}"

    def to_python(self, value: str) -> int:
        """Return the number; raise ValueError unless it is written in its shortest form."""
        number = int(value.replace("x", "").replace("/", ""))
        if self.to_url(number) != value:
            raise ValueError(f"{value} is not the shortest form")
        return number

    def to_url(self, value: int) -> str:
        """Return the number in groups of three digits."""
        groups = f"{value:,}".split(",")
        *first, last = [group.zfill(3) for group in groups]
        return "".join(f"x{group}/" for group in first) + last


class SmallNumber:
    """Whole number in decimal digits without zeros before it, up to 18 digits."""

    regex = r"(?:0|[1-9][0-9]{0,17})"

    def to_python(self, value: str) -> int:
        """Return the number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Return the digits."""
        return str(value)


class TileLevel(SmallNumber):
    """Level of a tile; a log with tiles above level 7 has more leaves than a number can count."""

    regex = r"[0-7]"


class UtcDay:
    """Day as YYYY-MM-DD."""

    regex = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """Return the day; raise ValueError for one that is not in the calendar."""
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        """Return the day as text."""
        return value.isoformat()
