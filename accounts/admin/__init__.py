"""Admin pages of users and the ledger."""

from accounts.admin.ledger import AccountAdmin, PostingAdmin, TransferAdmin
from accounts.admin.users import UserAdmin

__all__ = ["AccountAdmin", "PostingAdmin", "TransferAdmin", "UserAdmin"]
