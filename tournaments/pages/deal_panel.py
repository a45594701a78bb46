"""The deal panel of a table for one visitor: shares by kind, or the open vote (Y-02)."""

from __future__ import annotations

import msgspec

from accounts.models import User
from tournaments import chips_in_play
from tournaments.models import Deal, Entry, Tournament
from tournaments.prizes import deal_field
from tournaments.running import deals


class ShareRow(msgspec.Struct, frozen=True):
    """A player with chips, shares in cents and, during a vote, the answer."""

    name: str
    chips: int
    shares: tuple[int, ...]
    vote: bool | None
    is_me: bool


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """The panel: a vote on one `kind`, or shares of all `kinds` to choose from."""

    kinds: tuple[tuple[str, str], ...]
    rows: tuple[ShareRow, ...]
    deal: int | None
    asked: bool
    open: bool
    proposed_by: str
    until_ms: int
    may_propose: bool
    may_vote: bool


def of(tournament: Tournament, user: User | None) -> Panel | None:
    """Return the panel of a tournament for one visitor; None without a deal to show."""
    deal = deals.pending(tournament)
    me = _entry(tournament, user)
    if deal is not None and deal.state == Deal.State.OPEN:
        return _vote(tournament, deal, me)
    if not deal_field.possible(tournament):
        return None
    stacks = chips_in_play.by_entry(tournament)
    # Somebody may have gone out since the row was read.
    if len(stacks) != tournament.left or not all(stacks.values()):
        return None
    kinds = deal_field.kinds(tournament)
    by_kind = [
        {row[0]: row[1] for row in deal_field.shares(tournament, kind, stacks)} for kind in kinds
    ]
    rows = _rows(tournament, deal_field.by_chips(stacks), by_kind, {}, me)
    return Panel(
        kinds=tuple((kind, str(Deal.Kind(kind).label)) for kind in kinds),
        rows=rows,
        deal=None if deal is None else deal.pk,
        asked=deal is not None,
        open=False,
        proposed_by="" if deal is None else deal.proposed_by.name,
        until_ms=0,
        may_propose=me is not None and deal is None,
        may_vote=False,
    )


def _vote(tournament: Tournament, deal: Deal, me: int | None) -> Panel:
    votes = dict(deal.votes.values_list("entry", "yes"))
    stacks = [(entry, chips) for entry, chips in deal.stacks]
    return Panel(
        kinds=((deal.kind, str(Deal.Kind(deal.kind).label)),),
        rows=_rows(tournament, stacks, [dict(deal.shares)], votes, me),
        deal=deal.pk,
        asked=False,
        open=True,
        proposed_by=deal.proposed_by.name,
        until_ms=deal.until_ms,
        may_propose=False,
        may_vote=me in dict(stacks) and me not in votes,
    )


def _rows(
    tournament: Tournament,
    stacks: list[tuple[int, int]],
    shares: list[dict[int, int]],
    votes: dict[int, bool],
    me: int | None,
) -> tuple[ShareRow, ...]:
    names = dict(tournament.entries.filter(pk__in=dict(stacks)).values_list("pk", "name"))
    return tuple(
        ShareRow(
            names[entry],
            chips,
            tuple(kind[entry] for kind in shares),
            votes.get(entry),
            entry == me,
        )
        for entry, chips in stacks
    )


def _entry(tournament: Tournament, user: User | None) -> int | None:
    if user is None:
        return None
    seated = tournament.entries.filter(user=user, state=Entry.State.SEATED).order_by("pk")
    return seated.values_list("pk", flat=True).first()
