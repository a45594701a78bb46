"""Steps of a tournament for operators: words, cost and legality of each."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from accounts import money
from accounts.models import User
from tournaments import club_people
from tournaments.engine import lifecycle
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.prizes import bounties, promises, tickets
from tournaments.queries import level_clock
from tournaments.running import cancelling, forward

RUN = "tournaments.run_tournament"
"""Right to take steps of tournaments."""

STEPS = {
    "open": gettext_lazy("Open registration"),
    "start": gettext_lazy("Start now"),
    "pause": gettext_lazy("Pause after the hand"),
    "resume": gettext_lazy("Resume"),
    "next_level": gettext_lazy("Next level now"),
    "more_time": gettext_lazy("Five more minutes"),
    "cancel": gettext_lazy("Cancel with full refund"),
    "cancel_forward": gettext_lazy("Cancel, paying those left"),
}
"""Every step by the name of its operation."""

CONSEQUENCES = {
    "open": gettext_lazy("Players can register from now on."),
    "start": gettext_lazy("Seats are drawn and play begins; nobody can unregister any more."),
    "pause": gettext_lazy("The clock stands at once, and every table stops after its hand."),
    "resume": gettext_lazy("All tables and the clock go on together."),
    "next_level": gettext_lazy(
        "The level or break ends here; each table plays the next one from its next hand on."
    ),
    "more_time": gettext_lazy(
        "The clock goes back by five minutes, at most to the start of this level or break."
    ),
    "cancel": gettext_lazy("The tournament ends here, and everybody gets everything back."),
    "cancel_forward": gettext_lazy(
        "The tournament ends here, and what is unpaid goes to those who are left."
    ),
}
"""Effect of each step, shown before it is taken."""

DONE = {
    "open": gettext_lazy("Registration is open."),
    "start": gettext_lazy("The tournament starts; the tables are opening."),
    "pause": gettext_lazy("The clock stands, and every table stops after its hand."),
    "resume": gettext_lazy("The clock and all tables go on."),
    "next_level": gettext_lazy("The next level or break begins."),
    "more_time": gettext_lazy("The clock was put back."),
    "cancel": gettext_lazy("The tournament is cancelled; everybody gets everything back."),
    "cancel_forward": gettext_lazy(
        "The tournament is cancelled; what was unpaid goes to those who were left."
    ),
}
"""Outcome of each step, shown after it was taken."""

CLOCK_STEPS = ("next_level", "more_time")
"""Steps that set the level clock by hand."""

SERIES_ENDS = gettext_lazy("The series ends here: no next tournament is made.")
"""Effect of cancelling a tournament whose start would have made the next one."""

TICKETS_END = gettext_lazy("Unused tickets for it, which become money")
"""Label of the tickets won for a tournament that is cancelled, beside number and worth."""

ROOM_PARTS = {
    "open": gettext_lazy("Set aside by the room"),
    "cancel": gettext_lazy("Won bounties, paid by the room"),
}
"""Labels for a step's cost in promotions of the room, where there is one."""

CLUB_PARTS = {
    "open": gettext_lazy("Set aside by the club"),
    "cancel": gettext_lazy("Won bounties, paid by the club"),
}
"""Labels for the same cost of a club's tournament, which the club's bank pays."""


def preview(tournament: Tournament, step: str, user: User) -> dict[str, object]:
    """Return entries, refund and room cost after the step, and whether a user may take it."""
    shares = step == "cancel_forward"
    ask = forward.forward_preview if shares else cancelling.refund_preview
    entries, refund = ask(tournament)
    return {
        "tournament": tournament,
        "may": may(tournament, step, user),
        "state": State(tournament.state).label,
        "entries": entries,
        "refund": money.text(refund),
        "from_room": money.text(_from_room(tournament, step)),
        "tickets": _tickets_that_end(tournament, step),
        "ends_series": _ends_series(tournament, step),
    }


def may(tournament: Tournament, step: str, user: User) -> bool:
    """Return whether a step's button is shown to a user; the step itself checks again.

    Staff of the room pause once more what a manager of a club paused, who cannot end that.
    """
    if step == "pause" and tournament.state == State.PAUSED:
        holds = club_people.acts_for_room(tournament, user)
        return holds and not club_people.is_held_by_room(tournament)
    if step == "cancel_forward":
        return tournament.state in lifecycle.PLAYED
    # Columns with choices are typed as str.
    if not lifecycle.may(tournament.state, step):  # type: ignore[arg-type]
        return False
    return step not in CLOCK_STEPS or level_clock.may_set(tournament, step)


def _tickets_that_end(tournament: Tournament, step: str) -> str:
    """Return number and worth of the tickets that cancelling turns into money, or "" (K-08)."""
    if not step.startswith("cancel"):
        return ""
    count, worth = tickets.unused_for(tournament)
    return f"{count} · {money.text(worth)}" if count else ""


def _ends_series(tournament: Tournament, step: str) -> bool:
    """Return whether the step leaves a series without a next tournament, which the start makes."""
    if not step.startswith("cancel") or not tournament.repeats:
        return False
    is_ahead = tournament.state in (State.ANNOUNCED, State.REGISTERING)
    return is_ahead and not Tournament.objects.filter(follows=tournament).exists()


def _from_room(tournament: Tournament, step: str) -> int:
    """Return the cost of the step in promotions of the room, in cents (Z-01, T-12)."""
    if step == "open":
        return promises.most(tournament)
    return bounties.won_from_heads(tournament) if step == "cancel" else 0
