"""The slot of a player's next entry, or the refusal of one more (T-01, E-01..E-03)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from config.postgres.statements import ANY_KEY, BuiltOnce
from tournaments.engine import entries
from tournaments.models import Entry, Ruling, Tournament
from tournaments.refusals import TournamentFull


class Slot(NamedTuple):
    """Number among a player's simultaneous entries, and whether it follows a lost entry there."""

    number: int
    again: bool


class Own(NamedTuple):
    """An earlier entry of a player: its slot, and whether it is in play or waits for an offer.

    `barred` is one about which a disqualification was ruled, whether or not its chips were lost
    before that was carried out.
    """

    slot: int
    live: bool
    barred: bool


class EntryTerms(NamedTuple):
    """Limits of a tournament for new entries now; `is_open` while it takes any."""

    state: str
    is_open: bool
    is_full: bool
    players_max: int
    entries_max: int
    several_at_once: bool


def bought(user: int, tournaments: Sequence[int]) -> dict[int, list[Own]]:
    """Entries of a player in each of these tournaments, in one query."""
    own: dict[int, list[Own]] = defaultdict(list)
    rows: Iterable[tuple[int, int, str, bool]] = (
        _IN_ONE.rows(user, tournaments[0])
        if len(tournaments) == 1
        else _of_user(user).filter(tournament__in=tournaments)
    )
    for tournament, slot, state, barred in rows:
        own[tournament].append(Own(slot, state in Entry.LIVE, barred))
    return own


def following(own: Collection[Own], terms: EntryTerms) -> Slot:
    """Return the slot of one more entry for a player with these entries.

    Raises EntryBarred, AlreadyRegistered, RegistrationClosed, NoMoreEntries or TournamentFull; a
    re-entry takes no place of the field (E-02).
    """
    live = {entry.slot for entry in own if entry.live}
    entries.check_entry(
        live=len(live),
        entered=len(own),
        entries_max=terms.entries_max,
        several_at_once=terms.several_at_once,
        is_open=terms.is_open,
        is_barred=any(entry.barred for entry in own),
    )
    first = int(terms.several_at_once)
    number = next(slot for slot in range(first, first + len(own) + 1) if slot not in live)
    again = any(entry.slot == number for entry in own)
    if terms.is_full and not again:
        raise TournamentFull(terms.players_max)
    return Slot(number, again)


def to_be_disqualified(tournament: Tournament, busted: Sequence[Entry]) -> set[int]:
    """Return those of these entries that go out before their disqualification is carried out."""
    if not tournament.rulings:
        return set()
    rows = Ruling.objects.filter(entry__in=busted, kind=Ruling.Kind.DISQUALIFY)
    return set(rows.filter(state=Ruling.State.OPEN).values_list("entry_id", flat=True))


def _of_user(user: int) -> QuerySet[Entry, tuple[int, int, str, bool]]:
    rows = Entry.objects.filter(user=user, state__in=(*Entry.LIVE, *Entry.PLAYED))
    disqualified = Ruling.objects.filter(entry=OuterRef("pk"), kind=Ruling.Kind.DISQUALIFY)
    return rows.values_list("tournament", "slot", "state", Exists(disqualified))


_IN_ONE = BuiltOnce(
    lambda user, tournament: _of_user(user).filter(tournament=tournament), ANY_KEY, ANY_KEY + 1
)
