"""A final table between two hands, for proposals of deals and votes."""

from __future__ import annotations

import pytest

from accounts.models import User
from accounts.refusals import words_of
from config.refusals import Refusal
from tables.models import Seat
from tests.tournaments.cast import Arena, passive, started
from tournaments.models import Announcement, Deal, Tournament, Vote
from tournaments.running import deals


class FinalTable:
    """A tournament at its final table, with its players and the table between two hands."""

    def __init__(self, players: int = 4, **fields: object) -> None:
        wanted = {"seats_per_table": players, "deals_allowed": True, "payout_preset": "wide"}
        self.tournament = started(players, **(wanted | fields))
        self.arena = Arena(self.tournament.pk, 5)
        self.arena.choose = passive
        self.table = self.arena.tables()[0]

    @property
    def users(self) -> list[User]:
        """Players in play, by seat."""
        return [seat.user for seat in Seat.objects.select_related("user").order_by("seat")]

    def opened(self, kind: str = "icm") -> Deal:
        """A deal proposed by the first player and open to votes."""
        return self.vote_of(deals.propose(self.users[0], self.tournament.pk, kind))

    def vote_of(self, deal: Deal) -> Deal:
        """A proposed deal, open to votes once the table stands."""
        while self.arena.step(self.table) != "deal":
            pass
        deal.refresh_from_db()
        assert deal.state == "open"
        self.tournament.refresh_from_db()
        return deal

    def shape(self) -> tuple[object, ...]:
        """Every value that a refused request must leave unchanged."""
        return (
            list(Deal.objects.order_by("pk").values_list("state", "kind")),
            list(Vote.objects.order_by("pk").values_list("entry", "yes")),
            list(Tournament.objects.values_list("state", "left", "prizes")),
            list(Seat.objects.order_by("pk").values_list("chips", flat=True)),
            Announcement.objects.count(),
        )

    def refuse(self, code: str, act: object) -> None:
        """Assert that a request is refused with this code and changes nothing."""
        before = self.shape()
        with pytest.raises(Refusal) as refused:
            act()  # type: ignore[operator]
        assert refused.value.code == code and words_of(refused.value)
        assert self.shape() == before
