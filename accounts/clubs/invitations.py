"""Invitation links: made with a number of uses and days, shown once, used and revoked."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

from django.utils import timezone

from accounts.clubs import members, rules
from accounts.clubs.refusals import (
    AlreadyMember,
    BadLink,
    InvitationOver,
    NoSuchInvitation,
    RemovedBefore,
)
from accounts.clubs.steps import club_step
from accounts.models import Club, ClubAuditRow, InvitationLink, Membership, User
from config import entropy, limits
from config.refusals import marked as _


def make_link(club: Club, actor: User, *, uses: int, days: int) -> tuple[InvitationLink, str]:
    """Make a link by a manager; return it with its token, which is stored nowhere.

    Raises NotForRole or BadLink.
    """
    if not 1 <= uses <= limits.CLUB_LINK_USES_MAX:
        raise BadLink(
            _("A link is used 1 to %(most)s times."), field="uses", most=limits.CLUB_LINK_USES_MAX
        )
    if not 1 <= days <= limits.CLUB_LINK_DAYS_MAX:
        raise BadLink(
            _("A link is valid for 1 to %(most)s days."),
            field="days",
            most=limits.CLUB_LINK_DAYS_MAX,
        )
    token = entropy.name()
    with club_step(club, actor) as step:
        step.need_manager()
        now = timezone.now()
        if len(open_links(step.club)) >= limits.CLUB_LINKS_MAX:
            raise BadLink(
                _("The club has %(most)s open links: revoke one first."),
                most=limits.CLUB_LINKS_MAX,
            )
        link = InvitationLink.objects.create(
            club=step.club,
            made_by=actor,
            digest=_digest(token),
            uses_max=uses,
            expires_at=now + timedelta(days=days),
        )
        step.record("invite", None, link=link.pk, uses=uses, days=days)
    return link, token


def revoke(club: Club, actor: User, link: int) -> InvitationLink:
    """End a link of the club by a manager; raise NotForRole, NoSuchInvitation or InvitationOver."""
    with club_step(club, actor) as step:
        step.need_manager()
        row = InvitationLink.objects.filter(club=step.club, pk=link).first()
        if row is None:
            raise NoSuchInvitation
        if row.revoked_at is not None:
            raise InvitationOver("revoked")
        row.revoked_at = timezone.now()
        row.save(update_fields=["revoked_at"])
        step.record("revoke", None, link=row.pk, used=row.used)
    return row


def find(token: str) -> InvitationLink:
    """Return the link of a token; raise NoSuchInvitation for an unknown one."""
    rows = InvitationLink.objects.filter(digest=_digest(token)).select_related("club")
    link = rows.first()
    if link is None:
        raise NoSuchInvitation
    return link


def validate_link(link: InvitationLink) -> None:
    """Raise InvitationOver for a link that lets nobody in any more."""
    facts = rules.LinkFacts(
        uses_max=link.uses_max,
        used=link.used,
        expires_at=link.expires_at,
        revoked=link.revoked_at is not None,
    )
    if fault := rules.link_fault(facts, timezone.now()):
        raise InvitationOver(fault)


def join(user: User, token: str) -> Membership:
    """Make a user a member by the token of a link; each new member spends one use.

    Raises NoSuchInvitation, InvitationOver, AlreadyMember, RemovedBefore or ClubFull.
    """
    with club_step(find(token).club, user) as step:
        link = find(token)  # again, behind the lock: its uses may be spent by now
        if Membership.objects.filter(club=step.club, user=user).exists():
            raise AlreadyMember
        validate_link(link)
        removed = ClubAuditRow.objects.filter(
            club=step.club, subject=user, action=members.REMOVE, at__gte=link.made_at
        )
        if removed.exists():
            raise RemovedBefore
        link.used += 1
        link.save(update_fields=["used"])
        return members.admit(step, user, "join", link=link.pk)


def open_links(club: Club) -> list[InvitationLink]:
    """Return the links of a club that still let somebody in, the newest first."""
    rows = club.links.filter(revoked_at__isnull=True, expires_at__gt=timezone.now())
    rows = rows.select_related("made_by").order_by("-pk")
    return [link for link in rows if link.used < link.uses_max]


def _digest(token: str) -> str:
    # 128 random bits need no slow hash: nobody tries them all.
    return sha256(token.encode(errors="replace")).hexdigest()
