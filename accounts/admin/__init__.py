"""Admin pages of users and the ledger."""

from accounts.admin.approvals import ApprovalRequestAdmin
from accounts.admin.clubs import ClubAdmin, ClubAuditAdmin
from accounts.admin.confirmed import ConfirmedGroupAdmin
from accounts.admin.faces import PlayerFaceAdmin
from accounts.admin.ledger import AccountAdmin, PostingAdmin, TransferAdmin
from accounts.admin.providers import LinkedLoginAdmin
from accounts.admin.tokens import AccessTokenAdmin
from accounts.admin.users import UserAdmin

__all__ = [
    "AccessTokenAdmin",
    "AccountAdmin",
    "ApprovalRequestAdmin",
    "ClubAdmin",
    "ClubAuditAdmin",
    "ConfirmedGroupAdmin",
    "LinkedLoginAdmin",
    "PlayerFaceAdmin",
    "PostingAdmin",
    "TransferAdmin",
    "UserAdmin",
]
