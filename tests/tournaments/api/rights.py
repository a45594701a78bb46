"""Every route of the API as every kind of user: the table of rights in the docs."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib.auth.models import Permission

from accounts.ledger.credit import credit
from accounts.models import Membership
from accounts.users import access_tokens, bots, groups
from tables.models import Hand
from tables.ring.models import RingGame, RingSession
from tables.ring.sessions import sit_down
from tests.tables.ring.pages.floor import LEAST, ring_game
from tests.tournaments.api.asking import token
from tests.tournaments.cast import structure
from tests.tournaments.club_scene import club_offer, join, make_club, person
from tests.tournaments.pages.hands.played_hands import PlayedHands
from tests.tournaments.seasons.cast import season
from tournaments.bot_ladder.models import BotLadder, RatedBot
from tournaments.entries import registration
from tournaments.models import ClubTemplate, Template, Tournament
from tournaments.running import club_templates, operations
from tournaments.seasons.models import Season

KINDS = ("nobody", "player", "other player", "observer", "staff", "club manager")
RIGHTS = ("view_tournament", "add_tournament", "run_tournament")
"""Rights of the member of staff."""
BALANCE = 500_00


class Scene(NamedTuple):
    """Tournaments of a club (running, open, entered), a ring game of it and a seat, a season,
    and a rated bot of a ladder."""

    running: Tournament
    open: Tournament
    entered: Tournament
    table: int
    hand: Hand
    template: Template
    club_template: ClubTemplate
    ring: RingGame
    session: RingSession
    season: Season
    rated_bot: RatedBot
    tokens: dict[str, str]


def make_scene() -> Scene:
    """Make the rows that the requests name, and a token with every right for each kind of user."""
    club = make_club()
    players = bots.create(4)
    for bot in players:
        Membership.objects.create(club=club, user=bot)
    played = PlayedHands(
        1, club=club, watched_by="members", entered_by="members", cards_up="everybody"
    )
    people = {
        "player": players[0],
        "other player": person("Otto"),
        "observer": person("Oda", is_staff=True),
        "staff": person("Stan", is_staff=True),
        "club manager": join(club, "Max", "manager"),
    }
    people["observer"].groups.add(groups.keep_observers())
    people["staff"].user_permissions.set(Permission.objects.filter(codename__in=RIGHTS))
    credit(list(people.values()), amount=BALANCE, reason="test", token="rights")
    upcoming = [club_offer(club, name=name) for name in ("Open", "Entered")]
    for tournament in upcoming:
        operations.open(tournament.pk)
    registration.register(people["player"], upcoming[1])
    of_club = {"club": club, "watched_by": "members"}
    ring, other_ring = ring_game(**of_club), ring_game(name="Second", **of_club)
    return Scene(
        running=played.tournament,
        open=upcoming[0],
        entered=upcoming[1],
        table=played.table,
        hand=Hand.objects.get(),
        template=Template.objects.create(name="Turbo", structure=structure()),
        club_template=club_templates.keep(club, people["club manager"], upcoming[0].pk, "Friday"),
        ring=ring,
        session=sit_down.sit(people["player"], other_ring.pk, amount=LEAST),
        season=season(club, audience="members"),
        rated_bot=RatedBot.objects.create(
            ladder=BotLadder.objects.create(name="Ladder"), user=players[0], mu=25, sigma=8, games=1
        ),
        tokens={
            "nobody": "",
            **{kind: token(user, *access_tokens.SCOPES) for kind, user in people.items()},
        },
    )
