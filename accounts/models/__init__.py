"""Models of accounts, one idea per file."""

from accounts.models.access_token import AccessToken
from accounts.models.api_answer import ApiAnswer
from accounts.models.checkpoint import AccountSum, LedgerCheckpoint
from accounts.models.club import Club, ClubAnnouncement, ClubAuditRow, ClubRole, Membership
from accounts.models.invitation import InvitationLink, JoinRequest
from accounts.models.ledger import Account, AccountKind, Posting, Transfer
from accounts.models.login_session import LoginSession
from accounts.models.mail import EmailAddress, Mail
from accounts.models.own_limit import OwnLimit
from accounts.models.passkey import Passkey
from accounts.models.password_link import PasswordLink
from accounts.models.retired_name import RetiredName
from accounts.models.seal import Seal, SealProgress
from accounts.models.second_factor import SecondFactor
from accounts.models.user import User
from accounts.models.welcome import WelcomeCount

__all__ = [
    "AccessToken",
    "Account",
    "AccountKind",
    "AccountSum",
    "ApiAnswer",
    "Club",
    "ClubAnnouncement",
    "ClubAuditRow",
    "ClubRole",
    "EmailAddress",
    "InvitationLink",
    "JoinRequest",
    "LedgerCheckpoint",
    "LoginSession",
    "Mail",
    "Membership",
    "OwnLimit",
    "Passkey",
    "PasswordLink",
    "Posting",
    "RetiredName",
    "Seal",
    "SealProgress",
    "SecondFactor",
    "Transfer",
    "User",
    "WelcomeCount",
]
