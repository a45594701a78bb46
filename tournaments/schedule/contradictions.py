"""Refusal of options that contradict each other, or that cannot be paid or played."""

from __future__ import annotations

import re

import msgspec

from accounts.bots.places import BotsAdmitted
from accounts.models import User
from config import limits
from config.refusals import marked as _
from tournaments.choices import not_among
from tournaments.engine import contradictions as rules
from tournaments.engine import deals, payout_tables, spin
from tournaments.engine.contradictions import Contradiction
from tournaments.engine.payout_tables import BASIS_POINTS, PayoutTable
from tournaments.engine.terms import FormatTerms
from tournaments.models import Tournament
from tournaments.models.audience import Audience
from tournaments.models.options.buying import LateEnds
from tournaments.models.options.cards_up import CardsUp, Consent
from tournaments.models.options.prizes import Methods
from tournaments.prizes import bounties
from tournaments.prizes.spins import read_odds
from tournaments.refusals import BadSpec

SPANS_MS = {
    "bot_action_ms": (0, limits.ACTION_TIME_MAX_MS),
    "action_ms": (limits.ACTION_TIME_MIN_MS, limits.ACTION_TIME_MAX_MS),
    "bank_ms": (0, limits.TIME_BANK_MAX_MS),
    "hand_pause_ms": (0, limits.PAUSE_MAX_MS),
    "showdown_pause_ms": (0, limits.PAUSE_MAX_MS),
    "street_pause_ms": (0, limits.PAUSE_MAX_MS),
    "offer_ms": (limits.OFFER_TIME_MIN_MS, limits.OFFER_TIME_MAX_MS),
    "deal_vote_ms": (limits.OFFER_TIME_MIN_MS, limits.OFFER_TIME_MAX_MS),
    "play_time_ms": (0, limits.PLAY_TIME_MAX_MS),
    "bubble_charge_ms": (0, limits.LEVEL_MAX_MS),
    "cards_up_delay_ms": (limits.CARDS_UP_DELAY_MIN_MS, limits.CARDS_UP_DELAY_MAX_MS),
    "cards_up_final_ms": (limits.CARDS_UP_DELAY_MIN_MS, limits.CARDS_UP_DELAY_MAX_MS),
}
"""Minimum and maximum of each time option, in ms (E-02, T-11, X-02, Y-01)."""


def validate_own_options(tournament: Tournament) -> None:
    """Refuse a tournament whose own options the rules reject; nothing is changed (T-05).

    Raises RuleRefusal or BadSpec. The target of a satellite is checked by `target_checks`.
    """
    try:
        rules.validate_options(tournament, terms(tournament), players_limit=limits.ENTRIES_MAX)
    except Contradiction as contradiction:
        raise BadSpec.of(contradiction) from contradiction
    for validate in (
        *(_amounts, _spin, _payouts, _tickets, _cash_value, _times, _deals, _bounties),
        *(_club, _bots, _cards_up),
    ):
        validate(tournament)


def payout_table(written: object) -> PayoutTable:
    """Decode and check the rows of an own payout table (Z-02); raises BadSpec."""
    try:
        return payout_tables.decoded(written)
    except msgspec.ValidationError as broken:
        raise BadSpec(
            _("The payout table cannot be read: %(why)s"), why=broken, field="payout_table"
        ) from broken


def terms(tournament: Tournament) -> FormatTerms:
    """Options of a tournament that its format restricts."""
    late = tournament.late_ends != LateEnds.NEVER_OPEN
    return FormatTerms(
        # Columns with choices are typed as str.
        format=tournament.format,  # type: ignore[arg-type]
        start=tournament.start,  # type: ignore[arg-type]
        players_min=tournament.players_min,
        players_max=tournament.players_max,
        seats_per_table=tournament.seats_per_table,
        late_registration=late,
        buying=tournament.sells or tournament.entries_max > 1,
        time_limit=tournament.play_time_ms > 0,
        deals=tournament.deals_allowed,
        tables_max=tournament.tables_max,
        entries_at_once=tournament.entries_max if tournament.several_at_once else 1,
    )


def _amounts(tournament: Tournament) -> None:
    """Refuse sold chips or prices above what a stack or a payment may be (E-04, E-05)."""
    _check_chips(tournament.rebuy_chips, "rebuy_chips")
    check_price(tournament.rebuy_price + tournament.rebuy_fee, "rebuy_price")
    _check_chips(tournament.add_on_chips, "add_on_chips")
    check_price(tournament.add_on_price + tournament.add_on_fee, "add_on_price")


_ODDS_AND_SPLITS = _("Odds and splits name multipliers and whole numbers.")
_WIDEST_FIRST = list(Audience.values)


def _club(tournament: Tournament) -> None:
    """Refuse options of a club's tournament that the room alone can promise (Z-01, F-05, N-02)."""
    if tournament.club_id is None:
        return
    if tournament.format_rules.draws_pool:
        raise BadSpec(_("A club cannot offer spins: the room pays their prizes."), field="format")
    for name in ("bounty_players", "pro_bounty"):
        if getattr(tournament, name):
            raise BadSpec(_("Only the room puts bounties on players."), field=name)
    if _WIDEST_FIRST.index(tournament.watched_by) > _WIDEST_FIRST.index(tournament.entered_by):
        raise BadSpec(_("Players who may enter may also watch."), field="watched_by")


def _bots(tournament: Tournament) -> None:
    """Refuse a clock of bots without bots, and room bounties on people where only bots play."""
    if tournament.bots not in list(BotsAdmitted):
        raise not_among("bots", list(BotsAdmitted))
    if tournament.bot_action_ms and tournament.bots == BotsAdmitted.NONE:
        raise BadSpec(_("There are no bots whose clock could differ."), field="bot_action_ms")
    if tournament.pro_bounty and tournament.bots == BotsAdmitted.ONLY:
        raise BadSpec(_("Bots are no PROs: there is no PRO bounty."), field="pro_bounty")


def _cards_up(tournament: Tournament) -> None:
    """Refuse a final table told earlier than the rest, and a question about cards nobody sees."""
    if tournament.cards_up_final_ms < tournament.cards_up_delay_ms:
        raise BadSpec(
            _("The final table is shown no earlier than the tables before it."),
            field="cards_up_final_ms",
        )
    asked = tournament.cards_up_consent != Consent.NOT_ASKED
    if asked and tournament.cards_up == CardsUp.OFF:
        raise BadSpec(
            _("Players are asked for their consent only where cards are shown."),
            field="cards_up_consent",
        )


def _spin(tournament: Tournament) -> None:
    """Check the odds of a spin, and that every split has a multiplier that can be drawn (F-05)."""
    for name in ("spin_odds", "spin_splits"):
        _check_multipliers(tournament, name)
    if not tournament.format_rules.draws_pool:
        return
    if any(type(count) is not int for count in tournament.spin_odds.values()):
        raise BadSpec(_ODDS_AND_SPLITS, field="spin_odds")
    try:
        drawn = spin.validate_odds(read_odds(tournament.spin_odds))
    except ValueError as broken:
        raise BadSpec(_ODDS_AND_SPLITS, field="spin_odds") from broken
    try:
        splits = {int(multiplier): shares for multiplier, shares in tournament.spin_splits.items()}
    except ValueError as broken:
        raise BadSpec(_ODDS_AND_SPLITS, field="spin_splits") from broken
    if not splits.keys() <= drawn.keys():
        raise BadSpec(_("A split belongs to a multiplier of the odds."), field="spin_splits")
    for shares in splits.values():
        if not isinstance(shares, list) or any(type(share) is not int for share in shares):
            raise BadSpec(_ODDS_AND_SPLITS, field="spin_splits")
        if not shares:
            raise BadSpec(_ODDS_AND_SPLITS, field="spin_splits")
        spin.split(BASIS_POINTS, shares)
        payout_tables.check_order(shares, "spin_splits")
    most = max(drawn) * tournament.buy_in
    check_price(most, "spin_odds")


def _check_multipliers(tournament: Tournament, name: str) -> None:
    """Refuse odds or splits of another format, or for multipliers not in plain digits.

    A split is looked up by the digits of its multiplier: that of "02" would never be paid.
    """
    value = getattr(tournament, name)
    if not isinstance(value, dict):
        raise BadSpec(_ODDS_AND_SPLITS, field=name)
    if value and not tournament.format_rules.draws_pool:
        raise BadSpec(_("Only a spin has odds and splits."), field=name)
    if not all(re.fullmatch(r"-?(0|[1-9][0-9]*)", str(multiplier)) for multiplier in value):
        raise BadSpec(_ODDS_AND_SPLITS, field=name)


def _payouts(tournament: Tournament) -> None:
    """Check that own tables can pay any field, and that named prizes have places (Z-02, Z-03)."""
    if tournament.payout_table is not None:
        payout_table(tournament.payout_table)
    if bool(tournament.second_prize) != bool(tournament.second_prize_places):
        raise BadSpec(
            _("A second prize needs a name and a number of places."), field="second_prize_places"
        )
    check_price(bounties.most(tournament), "pro_bounty")


def _tickets(tournament: Tournament) -> None:
    """Check that tournaments paid with tickets have a price and name an activity (K-01, K-02)."""
    if tournament.methods != Methods.MONEY and not tournament.activity:
        raise BadSpec(
            _("Who pays with tickets needs to know which: name the activity."), field="activity"
        )
    if tournament.methods != Methods.MONEY and not tournament.price:
        raise BadSpec(_("A tournament that takes tickets has a price."), field="methods")


def _deals(tournament: Tournament) -> None:
    """Check that the allowed kinds of deals exist (Y-02)."""
    kinds = tournament.deal_kinds
    if not isinstance(kinds, list) or not set(map(str, kinds)) <= set(deals.KINDS):
        raise not_among("deal_kinds", deals.KINDS)


def _bounties(tournament: Tournament) -> None:
    """Check that bounties of the room name existing players and positive amounts (N-02)."""
    chosen = tournament.bounty_players
    if not isinstance(chosen, dict) or len(chosen) > limits.BOUNTY_PLAYERS_MAX:
        raise BadSpec(
            _("Bounties name up to %(most)s players, each with an amount."),
            most=limits.BOUNTY_PLAYERS_MAX,
            field="bounty_players",
        )
    for name, amount in chosen.items():
        if type(amount) is not int or not 0 < amount <= limits.TRANSFER_MAX_CENTS:
            raise BadSpec(
                _("The bounty on %(name)s is an amount above nothing."),
                name=name,
                field="bounty_players",
            )
    if chosen and tournament.cash_value:
        raise BadSpec(
            rules.MESSAGES["cash_no_bounty"],
            field="bounty_players",
        )
    if not chosen:
        return
    # Who wins all bounties may be paid them at once (N-06).
    check_price(bounties.most(tournament) + sum(chosen.values()), "bounty_players")
    # PostgreSQL rejects NUL and lone surrogates in a query; no player's name contains them.
    names = [name for name in chosen if name.isprintable()]
    known = set(User.objects.filter(name__in=names, is_active=True).values_list("name", flat=True))
    if unknown := [name for name in chosen if name not in known]:
        raise BadSpec(
            _("There is no player named %(name)s."), name=unknown[0], field="bounty_players"
        )


def _cash_value(tournament: Tournament) -> None:
    """Check that chips with cash value are paid with money, the rest going to the winner (A-04)."""
    if not tournament.cash_value:
        return
    if tournament.methods != Methods.MONEY:
        raise BadSpec(
            _("Chips with cash value are bought with money, not with tickets."), field="methods"
        )
    if tournament.payout_table is not None:
        raise BadSpec(
            rules.MESSAGES["cash_winner_takes_all"],
            field="payout_table",
        )


def _times(tournament: Tournament) -> None:
    """Check every time option against its limits (E-02, T-11, X-02, Y-01)."""
    for name, (least, most) in SPANS_MS.items():
        if not least <= getattr(tournament, name) <= most:
            raise BadSpec(
                _("This time lies between %(least)s and %(most)s ms."),
                least=least,
                most=most,
                field=name,
            )


def _check_chips(chips: int, field: str) -> None:
    if chips > limits.STACK_MAX_CHIPS:
        raise BadSpec(
            _("At most %(chips)s chips can be bought at once."),
            chips=limits.STACK_MAX_CHIPS,
            field=field,
        )


def check_price(cents: int, field: str) -> None:
    """Refuse an amount that no transfer can carry; raises BadSpec."""
    if cents > limits.TRANSFER_MAX_CENTS:
        raise BadSpec(_("This amount is too large to be paid."), field=field)
