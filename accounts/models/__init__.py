"""The rows of accounts, one file per idea."""

from accounts.models.user import User

__all__ = ["User"]
