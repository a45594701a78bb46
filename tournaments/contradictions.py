"""Options of an offer that contradict each other, or that nobody could pay or play."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from django.utils.translation import gettext as _

from config import limits
from tournaments import cash_terms
from tournaments.engine import entries, payout_tables, spin, terms
from tournaments.engine.payout_tables import BASIS_POINTS, PayoutTable
from tournaments.engine.terms import Terms
from tournaments.models import Tournament
from tournaments.models.buying import LateEnds
from tournaments.models.formats import Format, TimeUp
from tournaments.models.prizes import Methods
from tournaments.models.tournament import Start, State
from tournaments.refusals import BadOffer

OPEN = (State.ANNOUNCED, State.REGISTERING)


def check(tournament: Tournament) -> None:
    """Refuse what its rules turn down; raises a Refusal or a BadOffer, changes nothing (T-05)."""
    terms.sound(_terms(tournament), players_limit=limits.ENTRIES_MAX)
    entries.check_late(
        tournament.late,
        reentry=tournament.entries_max > 1,
        sit_and_go=tournament.start == Start.SIT_AND_GO,
    )
    for found in (
        _formats,
        _entries,
        _rebuys,
        _add_on,
        _spin,
        _payouts,
        _tickets,
        _satellite,
        _times,
        cash_terms.check,
    ):
        found(tournament)


def odds(written: Mapping[str, int]) -> dict[int, int]:
    """The odds of a spin as the engine reads them, the room's own when none are given (F-05)."""
    return {int(multiplier): count for multiplier, count in written.items()} or dict(spin.ODDS)


def payout_table(written: object) -> PayoutTable:
    """An own payout table from its rows, checked (Z-02)."""
    try:
        return payout_tables.decoded(written)
    except msgspec.ValidationError as broken:
        raise BadOffer(
            _("The payout table cannot be read: %(why)s") % {"why": broken}, field="payout_table"
        ) from broken


def _terms(tournament: Tournament) -> Terms:
    late = tournament.late_ends != LateEnds.NEVER_OPEN
    return Terms(
        format=tournament.format,  # type: ignore[arg-type]
        start=tournament.start,  # type: ignore[arg-type]
        players_min=tournament.players_min,
        players_max=tournament.players_max,
        seats_per_table=tournament.seats_per_table,
        late_registration=late,
        buying=tournament.sells or tournament.entries_max > 1,
    )


def _formats(tournament: Tournament) -> None:
    """What a format pays by itself leaves no room for more (F-05, F-07), nor for a clock (T-11)."""
    if tournament.play_time_ms and tournament.format not in (Format.FREEZEOUT, Format.HEADS_UP):
        raise BadOffer(
            _("This format has an end of its own: its play time is not limited."),
            field="play_time_ms",
        )
    extra = tournament.added or tournament.guarantee
    if tournament.format == Format.SPIN and extra:
        raise BadOffer(_("The pool of a spin is drawn: nothing can be added to it."), field="added")
    if tournament.format == Format.SPIN and not tournament.buy_in:
        raise BadOffer(_("A spin has a buy-in: its pool is a multiple of it."), field="buy_in")
    if tournament.format == Format.DOUBLE_OR_NOTHING and extra:
        raise BadOffer(
            _("Double or nothing pays twice the buy-in: nothing can be added to it."), field="added"
        )


def _entries(tournament: Tournament) -> None:
    """Re-entry and several entries at once (E-02, E-03)."""
    late = tournament.late_ends != LateEnds.NEVER_OPEN
    if tournament.entries_max < 1:
        raise BadOffer(_("Every player has at least one entry."), field="entries_max")
    if tournament.several_at_once and tournament.entries_max < 2:
        raise BadOffer(
            _("Several entries at once need more than one entry per player."), field="entries_max"
        )
    if tournament.entries_max > 1 and not late and not tournament.several_at_once:
        raise BadOffer(_("Re-entry needs late registration."), field="late_ends")
    if tournament.merge_at and not tournament.several_at_once:
        raise BadOffer(_("Only several entries at once can merge."), field="merge_at")


def _rebuys(tournament: Tournament) -> None:
    """A re-buy has a price, chips and a period (E-04)."""
    if tournament.rebuys_max and not tournament.rebuy_until_level:
        raise BadOffer(
            _("Re-buys need the last level they are sold in."), field="rebuy_until_level"
        )
    _check_chips(tournament.rebuy_chips, "rebuy_chips")
    _check_price(tournament.rebuy_price + tournament.rebuy_fee, "rebuy_price")


def _add_on(tournament: Tournament) -> None:
    """An add-on comes at the end of the re-buy period (E-05)."""
    if tournament.add_on and not tournament.rebuys_max:
        raise BadOffer(
            _("An add-on is sold at the end of a re-buy period: there is none."), field="add_on"
        )
    _check_chips(tournament.add_on_chips, "add_on_chips")
    _check_price(tournament.add_on_price + tournament.add_on_fee, "add_on_price")


def _spin(tournament: Tournament) -> None:
    """Odds add up, and every split is for a multiplier that can be drawn (F-05)."""
    if tournament.format != Format.SPIN:
        if tournament.spin_odds or tournament.spin_splits:
            raise BadOffer(_("Only a spin has odds and splits."), field="spin_odds")
        return
    wrong = _("Odds and splits name multipliers and whole numbers.")
    if not isinstance(tournament.spin_odds, dict) or not isinstance(tournament.spin_splits, dict):
        raise BadOffer(wrong, field="spin_odds")
    if any(type(count) is not int for count in tournament.spin_odds.values()):
        raise BadOffer(wrong, field="spin_odds")
    try:
        drawn = spin.sound(odds(tournament.spin_odds))
        splits = {int(multiplier): shares for multiplier, shares in tournament.spin_splits.items()}
    except ValueError as broken:
        raise BadOffer(wrong, field="spin_odds") from broken
    if not splits.keys() <= drawn.keys():
        raise BadOffer(_("A split belongs to a multiplier of the odds."), field="spin_splits")
    for shares in splits.values():
        if not isinstance(shares, list) or any(type(share) is not int for share in shares):
            raise BadOffer(wrong, field="spin_splits")
        if not shares:
            raise BadOffer(wrong, field="spin_splits")
        spin.split(BASIS_POINTS, shares)
    most = max(drawn) * tournament.buy_in
    _check_price(most, "spin_odds")


def _payouts(tournament: Tournament) -> None:
    """Own tables can pay any field, and named prizes have places (Z-02, Z-03)."""
    if tournament.payout_table is not None:
        payout_table(tournament.payout_table)
    if bool(tournament.second_prize) != bool(tournament.second_prize_places):
        raise BadOffer(
            _("A second prize needs a name and a number of places."), field="second_prize_places"
        )
    if tournament.bounty == 0 and (tournament.progressive_bp < BASIS_POINTS):
        raise BadOffer(_("A progressive bounty needs a bounty."), field="bounty")
    _check_price(tournament.pro_bounty * tournament.players_max, "pro_bounty")


def _tickets(tournament: Tournament) -> None:
    """Tickets pay where an activity names them (K-01, K-02)."""
    if tournament.methods != Methods.MONEY and not tournament.activity:
        raise BadOffer(
            _("Who pays with tickets needs to know which: name the activity."), field="activity"
        )
    if tournament.methods == Methods.TICKET and not tournament.price:
        raise BadOffer(_("A tournament paid with tickets has a price."), field="methods")


def _satellite(tournament: Tournament) -> None:
    """A satellite leads to a tournament that can still be entered, at a price (K-08)."""
    if tournament.format != Format.SATELLITE:
        if tournament.target_id is not None:
            raise BadOffer(_("Only a satellite leads to another tournament."), field="target")
        return
    target = tournament.target
    if target is None:
        raise BadOffer(_("A satellite needs the tournament it leads to."), field="target")
    if target.pk == tournament.pk or _leads_back(target, tournament):
        raise BadOffer(_("A satellite cannot lead to itself."), field="target")
    if target.state not in OPEN:
        raise BadOffer(
            _("The tournament it leads to has started or was cancelled."), field="target"
        )
    if not target.price:
        raise BadOffer(_("A satellite leads to a tournament that costs something."), field="target")
    if target.methods == Methods.MONEY:
        raise BadOffer(_("The tournament it leads to takes no tickets."), field="target")
    if tournament.play_time_ms and tournament.time_up == TimeUp.PROPORTIONAL:
        raise BadOffer(_("A satellite pays tickets, which chips cannot share."), field="time_up")
    if tournament.starts_at and target.starts_at and tournament.starts_at >= target.starts_at:
        raise BadOffer(
            _("A satellite starts before the tournament it leads to."), field="starts_at"
        )


def _leads_back(target: Tournament, tournament: Tournament) -> bool:
    seen = target.target
    while seen is not None and tournament.pk is not None:
        if seen.pk == tournament.pk:
            return True
        seen = seen.target
    return False


def _times(tournament: Tournament) -> None:
    """Clocks that people can meet (E-02, T-11, X-02, Y-01)."""
    spans = {
        "action_ms": (limits.ACTION_TIME_MIN_MS, limits.ACTION_TIME_MAX_MS),
        "offer_ms": (limits.OFFER_TIME_MIN_MS, limits.OFFER_TIME_MAX_MS),
        "deal_vote_ms": (limits.OFFER_TIME_MIN_MS, limits.OFFER_TIME_MAX_MS),
        "play_time_ms": (0, limits.PLAY_TIME_MAX_MS),
        "bubble_charge_ms": (0, limits.LEVEL_MAX_MS),
    }
    for name, (least, most) in spans.items():
        if not least <= getattr(tournament, name) <= most:
            raise BadOffer(
                _("%(field)s lies between %(least)s and %(most)s ms.")
                % {"field": name, "least": least, "most": most},
                field=name,
            )


def _check_chips(chips: int, field: str) -> None:
    if chips > limits.STACK_MAX_CHIPS:
        raise BadOffer(
            _("At most %(chips)s chips can be bought at once.") % {"chips": limits.STACK_MAX_CHIPS},
            field=field,
        )


def _check_price(cents: int, field: str) -> None:
    if cents > limits.TRANSFER_MAX_CENTS:
        raise BadOffer(_("This amount is too large to be paid."), field=field)
