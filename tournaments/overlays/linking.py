"""Links to overlays: made and revoked by organisers, and the streams that they open."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from config import entropy, limits
from config.refusals import Refusal
from config.refusals import marked as _
from tables.gateway import links
from tables.gateway.links import LinkRights
from tournaments import locks
from tournaments.entries import audiences
from tournaments.models import AuditRow
from tournaments.models.options.cards_up import CardsUp
from tournaments.overlays.models import OverlayLink

MAKES = "tournaments.run_tournament"
"""Right of those who make links: without it theirs open nothing."""


class NoCardsShown(Refusal):
    """Refusal of an overlay for a tournament that shows no cards."""

    code = "no_cards_shown"
    sentence = _("Overlays need the option that shows cards with a delay.")


class TooManyOverlayLinks(Refusal):
    """Refusal of one more link to the overlay of a tournament."""

    code = "too_many_overlay_links"
    sentence = _("The tournament has %(most)s open links: revoke one first.")


def make_link(tournament: int, actor: User, *, name: str, theme: str) -> tuple[OverlayLink, str]:
    """Make a link; return it with its token, which is stored nowhere.

    Raises NoCardsShown or TooManyOverlayLinks.
    """
    token = entropy.name()
    with transaction.atomic():
        row = locks.tournament(tournament)
        if row.cards_up == CardsUp.OFF:
            raise NoCardsShown
        if len(open_links(tournament)) >= limits.OVERLAY_LINKS_MAX:
            raise TooManyOverlayLinks(most=limits.OVERLAY_LINKS_MAX)
        link = OverlayLink.objects.create(
            tournament=row, made_by=actor, digest=_digest(token), name=name, theme=theme
        )
        _record(link, actor, "overlay_link")
    return link, token


def revoke_link(tournament: int, actor: User, link: int) -> bool:
    """Revoke a link of the tournament and cut its sockets; False when none of it is open."""
    with transaction.atomic():
        row = _rows(tournament).filter(pk=link).select_for_update(of=("self",)).first()
        if row is None:
            return False
        row.revoked_at = timezone.now()
        row.save(update_fields=["revoked_at"])
        _record(row, actor, "overlay_revoked")
        links.hint_revoked(row.pk)
    return True


def open_links(tournament: int) -> list[OverlayLink]:
    """Return the links of a tournament that open something, the newest first."""
    return _of_organisers(_rows(tournament).order_by("-pk"))


def find_link(token: str) -> OverlayLink | None:
    """Return the open link of a token, with its tournament; None for any other text."""
    rows = OverlayLink.objects.filter(digest=_digest(token), revoked_at=None)
    return next(iter(_of_organisers(rows.exclude(tournament__cards_up=CardsUp.OFF))), None)


def rights(token: str) -> LinkRights | None:
    """Return the streams that a token opens: the featured table and the field, both delayed."""
    link = find_link(token)
    if link is None:
        return None
    number = link.tournament_id
    return LinkRights(link.pk, frozenset({f"featured:{number}", f"field:{number}"}))


def valid(keys: Collection[int]) -> set[int]:
    """Return which of these links are open."""
    rows = OverlayLink.objects.filter(pk__in=keys, revoked_at=None)
    shown = rows.exclude(tournament__cards_up=CardsUp.OFF)
    return {link.pk for link in _of_organisers(shown)}


def _rows(tournament: int) -> QuerySet[OverlayLink]:
    return OverlayLink.objects.filter(tournament=tournament, revoked_at=None)


def _of_organisers(rows: QuerySet[OverlayLink]) -> list[OverlayLink]:
    """Return those whose makers may run the tournament now, as managers of its club or as staff.

    Who is no manager any more knows the address, and would see cards that members alone see.
    """
    found: Iterable[OverlayLink] = rows.select_related("tournament__club", "made_by")
    return [one for one in found if audiences.may_manage(one.made_by, one.tournament, MAKES)]


def _record(link: OverlayLink, actor: User, action: str) -> None:
    AuditRow.objects.create(
        tournament=link.tournament,
        actor=actor,
        action=action,
        reason=link.name,
        details={"link": link.pk},
    )


def _digest(token: str) -> str:
    # 128 random bits need no slow hash: nobody tries them all.
    return sha256(token.encode(errors="replace")).hexdigest()
