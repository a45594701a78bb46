"""Creation of tournaments: from a structure, and the next one of a series."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from config import limits
from config.inputs.readable import is_readable_line
from config.refusals import RuleRefusal
from config.refusals import marked as _
from config.time_zones import zone_names
from tournaments.engine import games
from tournaments.engine.payout_tables import PRESETS
from tournaments.engine.payouts import WINNER_TAKES_ALL
from tournaments.events import bells
from tournaments.models import AuditRow, Guest, Structure, Tournament
from tournaments.models.structure import encoded
from tournaments.models.tournament import Start, State
from tournaments.prizes import promises, room_bounties
from tournaments.refusals import BadSpec
from tournaments.schedule import contradictions, options, target_checks, targets

PAYOUTS = (*PRESETS, WINNER_TAKES_ALL)
"""Names of the payout presets (Z-02)."""

REPEATED = options.REPEATED
"""Fields that the next tournament of a series copies."""

_OWN = frozenset({"structure", "structure_name", "starts_at", "repeats", "repeat_every_s"})
"""Options that a single tournament like an earlier one does not copy."""


def create_from_structure(
    structure: Structure,
    *,
    name: str,
    start: str,
    password: str = "",
    password_hash: str = "",
    actor: User | None = None,
    reason: str = "",
    **offer: Any,
) -> Tournament:
    """Create an announced tournament with a snapshot of the structure (L-01, T-05).

    `offer` are fields of Tournament; the starting stack is the structure's unless given. The
    tournament is private with the password, or with a password known only by its hash (T-02).
    Raises RuleRefusal or BadSpec.
    """
    tournament = from_structure(structure, name=name, start=start, **offer)
    tournament.password = make_password(password) if password else password_hash
    validate_tournament(tournament)
    with transaction.atomic():
        tournament.save()
        room_bounties.put_offered(tournament)
        AuditRow.objects.create(tournament=tournament, actor=actor, action="create", reason=reason)
        transaction.on_commit(lambda: bells.schedule(tournament.pk, 0), robust=True)
    return tournament


def create_like(
    like: Tournament, *, actor: User | None = None, reason: str = "", **other: Any
) -> Tournament:
    """Create an announced tournament with levels, options, club and password of an earlier one.

    `other` overrides its options; a series is not repeated. Raises RuleRefusal or BadSpec.
    """
    copied = (*options.OFFERED, *options.OF_CLUBS)
    kept = {name: getattr(like, name) for name in copied if name not in _OWN}
    return create_from_structure(
        structure_of(like),
        password_hash=like.password,
        actor=actor,
        reason=reason,
        **(kept | other),
    )


def structure_of(tournament: Tournament) -> Structure:
    """Return the levels and the stack of a tournament as an unsaved structure."""
    return Structure(
        name=tournament.structure_name,
        items=tournament.structure,
        starting_stack=tournament.starting_stack,
    )


def from_structure(structure: Structure, **offer: Any) -> Tournament:
    """Build an unsaved tournament with the levels of a structure, and its stack unless given."""
    return Tournament(
        structure_name=structure.name,
        structure=encoded(structure.rules()),
        **({"starting_stack": structure.starting_stack} | offer),
    )


def validate_tournament(tournament: Tournament) -> None:
    """Refuse a tournament that cannot be played as described (T-01, T-04, T-05, K-08)."""
    check_itself(tournament)
    target_checks.check_target(tournament)


def check_itself(tournament: Tournament) -> None:
    """Refuse a tournament with invalid options of its own; a satellite's target is not checked."""
    _check_name(tournament.name)
    _check_start(tournament)
    if tournament.players_max < tournament.players_min:
        raise BadSpec(_("The maximum of players is not below the minimum."), field="players_max")
    if tournament.payout_preset not in PAYOUTS:
        raise BadSpec(
            _("There is no payout table of that name. There are: %(names)s."),
            names=list(PAYOUTS),
            payouts=list(PAYOUTS),
            field="payout_preset",
        )
    _check_game(tournament)
    if _largest_pool(tournament) > limits.TRANSFER_MAX_CENTS:
        raise BadSpec(_("The prize pool could become too large to be paid."), field="players_max")
    try:
        # No query: the constraints of the database are checked above and by the fields.
        tournament.full_clean(validate_unique=False, validate_constraints=False)
    except ValidationError as wrong:
        raise BadSpec(" ".join(wrong.messages), field=next(iter(wrong.message_dict))) from wrong
    contradictions.validate_own_options(tournament)


def _check_name(name: str) -> None:
    """Refuse a name of several lines, or with control, direction or invisible signs."""
    if not is_readable_line(name):
        raise BadSpec(_("A name has one line, of signs that can be shown."), field="name")


def _check_start(tournament: Tournament) -> None:
    """Refuse a scheduled tournament without a start in the future, and a Sit & Go with one (T-04).

    PostgreSQL stores times too late for Python to read: one would break every list it is in.
    """
    if tournament.starts_at is not None and tournament.starts_at.year >= limits.YEAR_MAX:
        raise BadSpec(
            _("The time to start is before the year %(year)s."),
            year=limits.YEAR_MAX,
            field="starts_at",
        )
    if tournament.start != Start.SCHEDULED:
        if tournament.starts_at is not None:
            raise BadSpec(
                _("A Sit & Go starts when it is full, at no set time."), field="starts_at"
            )
        return
    if tournament.starts_at is None:
        raise BadSpec(_("A scheduled tournament needs a time to start."), field="starts_at")
    if tournament.starts_at < timezone.now() - timedelta(seconds=limits.START_PAST_MAX_S):
        raise BadSpec(_("The time to start is over already."), field="starts_at")
    if tournament.repeats and not tournament.repeat_every_s:
        raise BadSpec(
            _("A scheduled tournament that repeats needs the time between two."),
            field="repeat_every_s",
        )


def _largest_pool(tournament: Tournament) -> int:
    """Upper bound of the prize pool in cents: every player buys everything for sale (Z-01)."""
    each = tournament.entries_max * tournament.price
    each += tournament.rebuys_max * (tournament.rebuy_price + tournament.rebuy_fee)
    if tournament.add_on:
        each += tournament.entries_max * (tournament.add_on_price + tournament.add_on_fee)
    return max(tournament.players_max * each + tournament.added, tournament.guarantee)


def _check_game(tournament: Tournament) -> None:
    """Refuse a variant, limit, seats, levels and stack that do not fit (O-01, O-02, D-03, L-01)."""
    try:
        game = games.validate_game(tournament.variant, tournament.limit, tournament.seats_per_table)
        games.check_levels(game, tournament.levels(), tournament.starting_stack)
    except RuleRefusal as refusal:
        raise BadSpec.of(refusal) from refusal


def follow(tournament: Tournament) -> Tournament | None:
    """Create the next tournament of a series, once; None outside a series.

    A tournament with a promise of the room is only announced: its first tick sets the promise aside
    and opens it, so that no transaction locks the promotions account after other accounts. A
    satellite whose target does not exist yet is announced as well, and opens once it does. Guests
    of a club's tournament are invited to the next one as well.
    """
    if not tournament.repeats or Tournament.objects.filter(follows=tournament).exists():
        return None
    following = Tournament(
        **{field: getattr(tournament, field) for field in REPEATED},
        follows=tournament,
        starts_at=_next_start(tournament),
    )
    aims = targets.aim(following)
    if not aims and not targets.is_awaited(following):
        return None
    if aims and not promises.most(following):
        following.state = State.REGISTERING
    following.save()
    room_bounties.put_offered(following)
    _invite_again(tournament, following)
    AuditRow.objects.create(tournament=following, action="repeat", details={"of": tournament.pk})
    transaction.on_commit(lambda: bells.schedule(following.pk, 0), robust=True)
    return following


def _invite_again(tournament: Tournament, following: Tournament) -> None:
    """Invite the guests of a club's tournament to the next one of its series."""
    guests = tournament.guests.filter(user__is_active=True).order_by("pk")
    users = guests.values_list("user", flat=True)
    Guest.objects.bulk_create(Guest(tournament=following, user_id=user) for user in users)


def _next_start(tournament: Tournament) -> datetime | None:
    """Return the next start of a series that is ahead; None for a Sit & Go.

    Whole days later it is the same time of the day where the start was typed, whether or not the
    clocks there have changed.
    """
    if tournament.start != Start.SCHEDULED:
        return None
    assert tournament.starts_at is not None
    every, now = timedelta(seconds=tournament.repeat_every_s), timezone.now()
    keeps_hour = not every % timedelta(days=1) and tournament.start_zone in zone_names()
    zone = ZoneInfo(tournament.start_zone if keeps_hour else "UTC")
    passed = max(1, (now - tournament.starts_at) // every)
    # A sum of times in one zone goes by its wall clock.
    following = _meant_start(tournament, every, zone) + passed * every
    while following <= now:  # twice at most
        following += every
    return following.astimezone(UTC)


def _meant_start(tournament: Tournament, every: timedelta, zone: ZoneInfo) -> datetime:
    """Return the start on the wall clock of a zone, also where the clocks skipped its hour.

    A start in a skipped hour is an hour later on that day alone.
    """
    starts_at, before = tournament.starts_at, tournament.follows
    assert starts_at is not None, "a scheduled tournament has a time to start"
    if before is not None and before.starts_at is not None:
        times = max(1, round((starts_at - before.starts_at) / every))
        meant = before.starts_at.astimezone(zone) + times * every
        if meant.astimezone(UTC) == starts_at:
            return meant
    return starts_at.astimezone(zone)
