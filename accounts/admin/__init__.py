"""What operators see of users and the ledger in the Django admin."""

from accounts.admin.ledger import AccountAdmin, PostingAdmin, TransferAdmin
from accounts.admin.users import UserAdmin

__all__ = ["AccountAdmin", "PostingAdmin", "TransferAdmin", "UserAdmin"]
