"""Bots of users enter only where the tournament says so; their clock is their own."""

from __future__ import annotations

import random
from typing import Any

import pytest
from redis import Redis

from accounts.bots import owning
from accounts.bots.refusals import BotsNotAllowed, BotsOnly, OwnerBanned
from accounts.ledger import transfers
from accounts.ledger.transfers import held_by
from accounts.models import User
from accounts.users import access_tokens
from accounts.users import bots as room_bots
from accounts.users.welcome import welcome
from config.refusals import Refusal
from tables.dealer.state import TableState
from tables.engine.actions import Action
from tables.ring.models import RingSession, WaitingPlayer
from tables.ring.sessions import sit_down, waiting_list
from tests.tables.ring.room import cast as ring
from tests.tournaments.api.asking import post, refused
from tests.tournaments.cast import Arena, offer, open_offer, passive
from tournaments.entries import registration
from tournaments.models import Entry, Tournament
from tournaments.prizes import money
from tournaments.refusals import BadSpec
from tournaments.running import operations

OWNER = "Ann"


@pytest.fixture
def bot(house: Redis) -> User:
    """A bot that Ann owns."""
    owner = User.objects.create_user(OWNER)
    welcome(owner)
    return owning.make(owner, "Deep")


def _refused(user: User, tournament: Tournament, refusal: type[Refusal]) -> None:
    """Assert that an entry is refused, and that nothing has changed."""
    had = held_by(user)
    with pytest.raises(refusal):
        registration.register(user, tournament)
    tournament.refresh_from_db()
    assert (held_by(user), tournament.entrants, Entry.objects.count()) == (had, 0, 0)
    assert transfers.balance(money.pool(tournament)) == 0


def test_a_bot_in_a_tournament_of_people_is_refused_and_nothing_changes(bot: User) -> None:
    tournament = open_offer()
    _refused(bot, tournament, BotsNotAllowed)
    text = owning.issue_token(User.objects.get(name=OWNER), bot.pk, 1)
    refused(post(f"/tournaments/{tournament.pk}/entries", text, {}, "k1"), 409, "bots_not_allowed")
    boss = User.objects.create_superuser("boss", "correct horse battery")
    with pytest.raises(BotsNotAllowed):
        registration.register_for(bot, tournament, actor=boss, reason="a friend")
    assert not Entry.objects.exists()


def test_bots_enter_where_they_are_admitted_and_people_only_beside_them(bot: User) -> None:
    owner = User.objects.get(name=OWNER)
    both, alone = open_offer(bots="allowed"), open_offer(bots="only")
    assert registration.register(bot, both).name == "bot-Deep"
    assert registration.register(owner, both)
    with pytest.raises(BotsOnly):
        registration.register(owner, alone)
    assert registration.register(bot, alone)
    assert registration.register(room_bots.create(1)[0], open_offer()), "the room's own play on"


def test_a_bot_of_a_banned_owner_is_refused(bot: User) -> None:
    User.objects.filter(name=OWNER).update(is_active=False)
    _refused(bot, open_offer(bots="allowed"), OwnerBanned)


def test_a_bot_sits_at_no_ring_table(bot: User) -> None:
    game = ring.game()
    for step in (
        lambda: sit_down.sit(bot, game.pk, amount=ring.BUY_IN),
        lambda: waiting_list.join(bot, game.pk),
    ):
        with pytest.raises(BotsNotAllowed):
            step()
    assert not RingSession.objects.exists() and not WaitingPlayer.objects.exists()
    text = access_tokens.issue(bot, name="b", scopes=["play"], days=1)
    answer = post(f"/ring-games/{game.pk}/sessions", text, {"amount": ring.BUY_IN}, "k2")
    refused(answer, 409, "bots_not_allowed")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"bots": "some"}, "bots"),
        ({"bot_action_ms": 5_000}, "bot_action_ms"),
        ({"bots": "allowed", "bot_action_ms": 10**9}, "bot_action_ms"),
        ({"bots": "only", "pro_bounty": 100}, "pro_bounty"),
    ],
)
def test_contradictions_of_bots_are_refused(
    house: Redis, fields: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadSpec) as wrong:
        offer(**fields)
    assert wrong.value.field == field
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("own", "of_target", "fits"),
    [
        ("none", "none", True),
        ("none", "allowed", True),
        ("only", "only", True),
        ("allowed", "none", False),
        ("only", "none", False),
        ("none", "only", False),
        ("allowed", "only", False),
    ],
)
def test_players_of_a_satellite_may_play_its_target(
    house: Redis, own: str, of_target: str, fits: bool
) -> None:
    target = open_offer(bots=of_target, methods="money_and_tickets", activity="Big", players_max=6)
    wanted = {"format": "satellite", "target": target, "bots": own, "buy_in": 500, "fee": 0}
    if fits:
        assert offer(**wanted).bots == own
        return
    with pytest.raises(BadSpec) as wrong:
        offer(**wanted)
    assert wrong.value.field == "target"


def test_a_bot_has_its_own_clock_and_people_theirs(bot: User) -> None:
    owner = User.objects.get(name=OWNER)
    tournament = open_offer(players_max=2, bots="allowed", bot_action_ms=2_000, action_ms=20_000)
    for user in (owner, bot):
        registration.register(user, tournament)
    operations.start(tournament.pk)
    asked: dict[str, int] = {}

    def look(state: TableState, chance: random.Random) -> Action:
        assert state.turn is not None
        seat = state.at(state.turn.seat)
        asked[seat.name] = state.turn.deadline_ms - state.turn.asked_ms
        return passive(state, chance)

    arena = Arena(tournament.pk)
    arena.choose = look
    (table,) = arena.tables()
    for _ in range(2):
        arena.hand(table)
    assert asked == {"bot-Deep": 2_000, OWNER: 20_000}
