"""Cards-up streams of tournaments: delay, hidden cards, featured table and viewers of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from tables.cardsup.source import FeaturedTable, RetellingTerms
from tables.dealer.record import HandRecord
from tables.engine.events import Event
from tables.gateway.streams.known_kinds import NoSuchStream
from tables.models import Table
from tournaments import locks
from tournaments.engine import lifecycle
from tournaments.entries import privacy
from tournaments.models import Entry, Tournament
from tournaments.models.options.cards_up import CardsUp, Consent
from tournaments.streams.field_facts import field_facts

COMMENTS = "cardsup.see_delayed_cards"
"""Permission of commentators."""

OPENED_AFTER_END = timedelta(hours=1)
"""Time after its end in which a tournament's streams are still opened, if nobody did before."""

FEATURED_MOST = 3


class TournamentCardsUp:
    """Source of the cards-up streams of tournaments (`tables.cardsup.source.CardsUpSource`)."""

    def games(self) -> Collection[int]:
        """Return the tournaments in play, or just over, that show cards."""
        just_over = Q(finished_at__gte=timezone.now() - OPENED_AFTER_END)
        shown = Tournament.objects.exclude(cards_up=CardsUp.OFF)
        played = shown.filter(Q(state__in=lifecycle.PLAYED) | just_over)
        return list(played.values_list("pk", flat=True))

    def terms(self, game: int, hand: HandRecord) -> RetellingTerms | None:
        """Return the delay of a hand and the seats of players who refused to show their cards."""
        tournament = _showing(game)
        if tournament is None:
            return None
        final = _is_final(tournament, hand)
        delay_ms = tournament.cards_up_final_ms if final else tournament.cards_up_delay_ms
        hidden: frozenset[int] = frozenset()
        if tournament.cards_up_consent != Consent.NOT_ASKED:
            entries = [seat.entry for seat in hand.seats]
            refused = Entry.objects.filter(pk__in=entries, shows_cards=False)
            keys = set(refused.values_list("pk", flat=True))
            hidden = frozenset(seat.seat for seat in hand.seats if seat.entry in keys)
        return RetellingTerms(delay_ms, hidden)

    def delay_ms(self, game: int) -> int:
        """Return the delay of the hands that are played now."""
        tournament = _showing(game)
        if tournament is None:
            raise NoSuchStream(game)
        final = tournament.final_table
        return tournament.cards_up_final_ms if final else tournament.cards_up_delay_ms

    def featured(self, game: int, told: Mapping[int, int]) -> Sequence[FeaturedTable]:
        """Return the organiser's choice, then a final table, then the biggest stacks told."""
        tournament = _showing(game)
        if tournament is None:
            return ()
        found: dict[int, FeaturedTable] = {}
        chosen = tournament.featured_id
        if chosen is not None and chosen in told:
            found[chosen] = FeaturedTable(chosen, "chosen")
        last = max(told, default=0) if tournament.final_table else 0
        if last:
            found.setdefault(last, FeaturedTable(last, "final_table"))
        for table in sorted(told, key=lambda table: (-told[table], table)):
            found.setdefault(table, FeaturedTable(table, "biggest_stack"))
        return list(found.values())[:FEATURED_MOST]

    def facts(self, game: int, at_ms: int, due_ms: int) -> Event:
        """Return clock, field and payouts of a tournament now."""
        return field_facts(Tournament.objects.get(pk=game), at_ms, due_ms)

    def viewers(self, game: int, users: Collection[int | None]) -> set[int] | None:
        """Return which users may follow: all who may watch, or the commentators among them.

        A commentator who plays in the tournament is a player until it is over.
        """
        tournament = _showing(game)
        if tournament is None:
            raise NoSuchStream(game)
        watching = privacy.admitted(tournament, users)
        if tournament.cards_up == CardsUp.EVERYBODY:
            return watching
        asked = [
            user for user in users if user is not None and (watching is None or user in watching)
        ]
        members = User.objects.filter(pk__in=asked, is_active=True)
        return {
            member.pk
            for member in members
            if member.has_perm(COMMENTS) and not privacy.plays_in(game, member.pk)
        }


def may_follow(user: User | None, tournament: Tournament) -> bool:
    """Return whether a user may follow the streams of a tournament that show cards."""
    pk = None if user is None else user.pk
    if tournament.cards_up == CardsUp.OFF:
        return False
    viewers = TournamentCardsUp().viewers(tournament.pk, {pk})
    return viewers is None or pk in viewers


def _showing(game: int) -> Tournament | None:
    return Tournament.objects.filter(pk=game).exclude(cards_up=CardsUp.OFF).first()


def _is_final(tournament: Tournament, hand: HandRecord) -> bool:
    """Return whether a hand was played at the final table, which is the one opened last."""
    if not tournament.final_table:
        return False
    tables = Table.objects.filter(director=locks.DIRECTOR, game=tournament.pk)
    last = tables.order_by("-number").values_list("pk", flat=True).first()
    return last == hand.table
