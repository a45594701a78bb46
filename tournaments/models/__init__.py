"""Models of tournaments, one file per idea."""

from tournaments.models.admission import Admission
from tournaments.models.announcement import Announcement, StreamHead
from tournaments.models.audience import Guest
from tournaments.models.audit import AuditRow
from tournaments.models.club_template import ClubTemplate
from tournaments.models.deal import Deal, Vote
from tournaments.models.entry import Entry
from tournaments.models.knock_out import KnockOut
from tournaments.models.move import Move
from tournaments.models.offer import Offer
from tournaments.models.room_bounty import RoomBounty
from tournaments.models.ruling import Ruling
from tournaments.models.structure import Structure
from tournaments.models.template import Template
from tournaments.models.ticket import Ticket
from tournaments.models.tournament import Tournament
from tournaments.models.webhook import Webhook, WebhookCursor, WebhookDelivery

__all__ = [
    "Admission",
    "Announcement",
    "AuditRow",
    "ClubTemplate",
    "Deal",
    "Entry",
    "Guest",
    "KnockOut",
    "Move",
    "Offer",
    "RoomBounty",
    "Ruling",
    "StreamHead",
    "Structure",
    "Template",
    "Ticket",
    "Tournament",
    "Vote",
    "Webhook",
    "WebhookCursor",
    "WebhookDelivery",
]
