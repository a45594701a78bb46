"""Tables and finished hands in the admin."""

from tables.admin import rows

__all__ = ["rows"]
