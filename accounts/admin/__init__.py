"""Admin pages of users and the ledger."""

from accounts.admin.clubs import ClubAdmin, ClubAuditAdmin
from accounts.admin.ledger import AccountAdmin, PostingAdmin, TransferAdmin
from accounts.admin.tokens import AccessTokenAdmin
from accounts.admin.users import UserAdmin

__all__ = [
    "AccessTokenAdmin",
    "AccountAdmin",
    "ClubAdmin",
    "ClubAuditAdmin",
    "PostingAdmin",
    "TransferAdmin",
    "UserAdmin",
]
