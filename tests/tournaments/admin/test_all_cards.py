"""All cards of finished hands: shown for a logged reason, never to a player of that tournament."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import bots
from tables.dealer import record
from tables.engine.events import HoleCardsDealt
from tables.history import all_cards
from tables.models import Hand, Seat
from tables.records import stored
from tests.tournaments.cast import Arena, open_offer, started
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import operations

REASON = {"reason": "a complaint of seat 2"}


def staff(user: User) -> Client:
    """Client of a user who becomes staff with the permission to see hole cards."""
    user.is_staff = True
    user.save()
    codes = ("see_hole_cards", "view_hand", "view_table", "view_tournament", "view_announcement")
    user.user_permissions.set(Permission.objects.filter(codename__in=codes))
    client = Client()
    client.force_login(user)
    return client


def with_staff_entered(**fields: object) -> tuple[Tournament, User]:
    """A running tournament in which the first of three players is staff, one hand played."""
    made = open_offer(players_max=3, **fields)
    players = bots.create(3)
    for player in players:
        registration.register(player, made)
    operations.start(made.pk)
    return made, players[0]


def folded(hand: Hand, user: User | None) -> list[str]:
    """Hidden hole cards of other players and the top of the deck, as JSON."""
    kept = stored.decode(bytes(hand.record))
    own = {seat.seat for seat in kept.seats if user is not None and seat.user == user.pk}
    public = {*kept.result.board, *(card for _, cards in kept.result.shown for card in cards)}
    for event in record.replay(kept.setup, kept.actions):
        if isinstance(event, HoleCardsDealt) and event.seat in own:
            public.update(event.cards)
    return [card for card in kept.setup.deck if card not in public]


def seen_at(client: Client, made: Tournament, hand: Hand) -> dict[str, str]:
    """Every page with content of a finished hand, for this client."""
    pages = {
        "record": reverse("admin:tables_hand_change", args=[hand.pk]),
        "list": reverse("admin:tables_hand_changelist"),
        "history": reverse("admin:tables_hand_history", args=[hand.pk]),
        "table": reverse("admin:tables_table_change", args=[hand.table_id]),
        "live": f"{reverse('admin_live')}?tournament={made.pk}",
        "replay": reverse("hand", args=[hand.table_id, hand.number]),
        "hands": reverse("hands", args=[hand.table_id]),
        "cards": reverse("admin:tables_hand_cards", args=[hand.pk]),
    }
    found = {name: client.get(page).content.decode() for name, page in pages.items()}
    found["released"] = client.post(pages["cards"], REASON).content.decode()
    return {name: text.replace("&quot;", '"') for name, text in found.items()}


@pytest.mark.parametrize("stage", ["seated", "out"])
def test_an_entered_staff_user_sees_no_cards_of_others_during_the_tournament(
    house: Redis, stage: str
) -> None:
    made, user = with_staff_entered()
    arena = Arena(made.pk)
    arena.hand(arena.tables()[0])
    if stage == "out":
        Seat.objects.filter(user=user).delete()
        made.entries.filter(user=user).update(state="out")
    client, hand = staff(user), Hand.objects.earliest("pk")
    hidden = folded(hand, user)
    assert len(hidden) > 30
    for page, text in seen_at(client, made, hand).items():
        assert [card for card in hidden if f'"{card}"' in text] == [], page
    assert client.post(
        reverse("admin:tables_hand_cards", args=[hand.pk]), REASON
    ).status_code == 403  # fmt: skip
    assert not LogEntry.objects.exists()
    with pytest.raises(AssertionError):
        all_cards.events(user, hand, "by another way")


def test_cards_are_released_after_the_tournament(house: Redis) -> None:
    made, user = with_staff_entered()
    arena = Arena(made.pk)
    arena.run()
    made.refresh_from_db()
    assert made.state == "finished"
    hand = Hand.objects.earliest("pk")
    text = staff(user).post(reverse("admin:tables_hand_cards", args=[hand.pk]), REASON)
    assert text.status_code == 200 and '"??"' not in text.content.decode().replace("&quot;", '"')


def test_a_staff_user_without_entry_sees_cards_for_a_logged_reason(house: Redis) -> None:
    arena = Arena(started(3).pk)
    arena.hand(arena.tables()[0])
    hand = Hand.objects.get()
    client = staff(User.objects.create_user("Reader", "a long password"))
    page = reverse("admin:tables_hand_cards", args=[hand.pk])
    hidden = folded(hand, None)
    for asked in (client.get(page), client.post(page, {"reason": "  "}), client.post(page)):
        text = asked.content.decode().replace("&quot;", '"')
        assert not any(f'"{card}"' in text for card in hidden)
    assert not LogEntry.objects.exists()
    text = client.post(page, REASON).content.decode().replace("&quot;", '"')
    assert all(f'"{card}"' in text for card in hidden[:2])
    assert (
        LogEntry.objects.get().get_change_message() == f"looked at hole cards: {REASON['reason']}"
    )


def test_an_entry_in_another_tournament_hides_no_cards(house: Redis) -> None:
    arena = Arena(started(2).pk)
    arena.hand(arena.tables()[0])
    hand = Hand.objects.get()
    reader = bots.create(8)[7]
    registration.register(reader, open_offer())
    assert all_cards.refusal(reader, hand) == all_cards.NO_RIGHT
    staff(reader)
    assert all_cards.refusal(User.objects.get(pk=reader.pk), hand) == ""
