"""The end screen of a tournament for one visitor: place, prize, deciding hand, next tournament."""

from __future__ import annotations

import msgspec

from accounts.models import User
from tournaments.models import Entry, KnockOut, Tournament
from tournaments.models.tournament import State
from tournaments.prizes import named as named_prizes
from tournaments.queries import lobby_rows
from tournaments.queries.lobby_rows import LobbyRow

PODIUM = 3


class DecidingHand(msgspec.Struct, frozen=True):
    """The hand that eliminated an entry, or a winner's last hand: table key and hand number."""

    table: int
    number: int


class Medal(msgspec.Struct, frozen=True):
    """One of the first places; the prize in cents."""

    place: int
    name: str
    prize: int


class EndScreen(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a tournament for a visitor; money in cents.

    `place` is empty for a spectator, and while other entries may still share the round of a
    knock-out. `following` is the tournament a player may register for next.
    """

    key: str
    is_over: bool
    is_mine: bool
    place: int | None
    entrants: int
    prize: int
    bounties: int
    named: tuple[str, ...]
    hand: DecidingHand | None
    podium: tuple[Medal, ...]
    following: LobbyRow | None

    @property
    def has_won(self) -> bool:
        """True for the first place."""
        return self.is_mine and self.place == 1


def end_screen(tournament: Tournament, user: User | None) -> EndScreen | None:
    """Return the end as `user` sees it now; None while the user plays or nothing has ended."""
    mine = _own_entry(tournament, user)
    is_over = tournament.state == State.FINISHED
    if mine is None and not is_over:
        return None
    if mine is not None and mine.state in Entry.LIVE:
        return None
    return EndScreen(
        key=f"{mine.pk if mine else 0}-{mine.place if mine else 0}-{is_over:d}",
        is_over=is_over,
        is_mine=mine is not None,
        place=mine.place if mine else None,
        entrants=tournament.entrants,
        prize=mine.prize if mine else 0,
        bounties=mine.bounties_won if mine else 0,
        named=tuple(won.prize for won in named_prizes.won(tournament, user)) if mine else (),
        hand=_deciding_hand(tournament, mine),
        podium=podium(tournament) if is_over else (),
        following=_following(tournament, user),
    )


def podium(tournament: Tournament) -> tuple[Medal, ...]:
    """Return the first three places with their prizes, best first."""
    placed = tournament.entries.filter(place__lte=PODIUM).order_by("place", "name")
    rows = placed.values_list("place", "name", "prize")
    return tuple(Medal(place, name, prize) for place, name, prize in rows if place is not None)


def _own_entry(tournament: Tournament, user: User | None) -> Entry | None:
    """Return the user's live entry, else the one with the best place."""
    if user is None:
        return None
    played = tournament.entries.filter(user=user, state__in=Entry.PLAYED).order_by("pk")
    entries = list(played.exclude(state=Entry.State.MERGED))
    live = [entry for entry in entries if entry.state in Entry.LIVE]
    if live or not entries:
        return live[0] if live else None
    return min(entries, key=lambda entry: (entry.place is None, entry.place or 0, -entry.pk))


def _deciding_hand(tournament: Tournament, entry: Entry | None) -> DecidingHand | None:
    """Return the hand of the entry's knock-out, else the one that left a single player.

    None where a ruling took the entry out, or the last opponent.
    """
    outs = KnockOut.objects.filter(tournament=tournament)
    if entry is not None and entry.state != Entry.State.WON:
        outs = outs.filter(entry=entry)
    elif tournament.left > 1:
        return None
    last = outs.order_by("-order").values_list("table", "hand", "winners").first()
    if last is None:
        return None
    table, hand, winners = last
    # Nobody won the chips of an entry that was disqualified or left: no hand decided it.
    return DecidingHand(table, hand) if winners else None


def _following(tournament: Tournament, user: User | None) -> LobbyRow | None:
    """Return the next open tournament within the user's money, one of the same kind first."""
    if user is None:
        return None
    offers = lobby_rows.seats_on_offer(lobby_rows.in_lobby(user), user)
    others = [row for row in offers if row.summary.tournament != tournament.pk]
    alike = [row for row in others if row.summary.name == tournament.name]
    return next(iter([*alike, *others]), None)
