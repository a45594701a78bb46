"""The end of a tournament: its condition, the final places, and the end of play (T-07, F-06)."""

from __future__ import annotations

from collections.abc import Collection

from tournaments import chips_in_play
from tournaments.buying import closing
from tournaments.engine import lifecycle
from tournaments.events.formats import Finished
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Deal, Entry, Tournament
from tournaments.monitor import audit
from tournaments.prizes import bounties, by_format, named, placing, satellites
from tournaments.running import paying
from tournaments.running.ending import end_waiting
from tournaments.seating import hand_for_hand, planning


def is_over(tournament: Tournament) -> bool:
    """Return whether the tournament has ended: one entry left, or its format's own end.

    The own ends: half of the field is left, the play time is up and no hand runs, a deal was
    agreed, or only winners of tickets are left. A satellite in hand-for-hand finishes the round
    first, because its knock-outs may still be placed higher (K-08, T-07).
    """
    if tournament.deals_allowed and tournament.deals.filter(state=Deal.State.AGREED).exists():
        return True
    if tournament.time_over and not _in_play(tournament):
        return True
    if satellites.enough(tournament):
        return not tournament.hand_for_hand or hand_for_hand.is_complete(tournament)
    return tournament.format_rules.is_over(tournament.entrants, tournament.left)


def _in_play(tournament: Tournament) -> bool:
    """Return whether a hand, or an offer that could still bring chips, is open anywhere (T-11)."""
    return planning.in_hand(tournament) > 0 or closing.pending(tournament)


def place_all(tx: TournamentTransaction, now: Collection[int] = ()) -> list[Entry]:
    """Place every entry, those left by chips; return the winner and the entries newly placed.

    `now` are entries that go out now, as in `placing.place`.
    """
    tournament = tx.tournament
    waiting = tournament.entries.filter(state=Entry.State.PENDING).order_by("pk")
    # Pending entries count as left: they have no chips and often no seat (E-02, T-15).
    chipless = dict.fromkeys(waiting.values_list("pk", flat=True), 0)
    tournament.knock_outs.filter(entry__in=chipless).delete()
    stacks = chips_in_play.by_entry(tournament)
    stacks |= {entry: 0 for entry in chipless if entry not in stacks}
    tournament.prizes = by_format.at_end(tournament, stacks)
    out = placing.place(tx, now)
    return [placing.place_left(tournament, stacks), *out]


def finish(tx: TournamentTransaction, winner: Entry) -> None:
    """End a tournament whose places are given; its field is closed and paid in batches."""
    tournament = tx.tournament
    chips = sum(chips_in_play.by_entry(tournament).values())
    assert chips == audit.sold_chips(tournament), "chips at seats and in moves are the chips sold"
    assert not tournament.cash_value or winner.prize == chips, "the last prize is the chips left"
    tournament.chips_at_end = chips
    bounties.fix_heads(tx)
    end_waiting(tx)
    # Columns with choices are typed as str.
    tournament.state = lifecycle.after(tournament.state, "finish")  # type: ignore[arg-type]
    tx.announce(Finished(winner.pk, winner.user_id, winner.name, winner.prize, tournament.left))
    named.tell(tx)
    paying.begin(tx)
