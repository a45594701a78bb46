"""Facts of the field are told with the cards of their time, also of hands longer than the delay."""

from __future__ import annotations

from django.conf import settings
from redis import Redis

from tables.cardsup.models import DelayedFacts
from tables.history.kept import kept_of
from tables.store import keys
from tables.store.streams import publish
from tests.tournaments.cardsup.scene import DELAY_MS, FINAL_MS, CardsUpScene


def test_facts_are_told_after_the_delay_as_of_their_moment(house: Redis) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    field, began_ms = f"field:{scene.tournament.pk}", 1_000_000
    scene.look(began_ms)
    scene.look(began_ms + DELAY_MS - 1)
    assert scene.told(field) == []
    scene.look(began_ms + DELAY_MS)
    [told] = scene.told(field)
    assert (told["type"], told["due_ms"]) == ("field_facts", began_ms + DELAY_MS)


def test_facts_after_a_loss_of_postgresql_are_told_behind_those_that_redis_has(
    house: Redis,
) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    field, began_ms = f"field:{scene.tournament.pk}", 1_000_000
    for seq in range(1, 4):
        assert publish(house, field, seq, b'{"type":"field_facts"}')
    scene.look(began_ms)
    scene.look(began_ms + DELAY_MS)
    assert [told["id"] for told in scene.told(field)][3:] == ["0-4"]


def test_facts_do_not_come_before_the_end_of_a_hand_longer_than_the_delay(house: Redis) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    # Shorter than any organiser may choose: each hand lasts longer.
    scene.tournament.cards_up_delay_ms = scene.tournament.cards_up_final_ms = 1
    scene.tournament.save()
    scene.play(1)
    kept, field = kept_of(scene.hands().get()), f"field:{scene.tournament.pk}"
    lag_ms = kept.released_ms - kept.began_ms
    # The result is known from the release on; the hand is told from then on.
    scene.look(kept.released_ms)
    ends_ms = scene.row(f"cardsup:{kept.table}").ends_ms
    assert kept.released_ms + 2 < ends_ms <= kept.released_ms + lag_ms
    scene.look(ends_ms - 1)
    assert scene.told(field) == []
    scene.look(kept.released_ms + lag_ms)
    assert "hand_ended" in [event["type"] for event in scene.told(f"cardsup:{kept.table}")]
    [told] = scene.told(field)
    assert told["due_ms"] == kept.released_ms + lag_ms
    stored = DelayedFacts.objects.get(stream=field, is_told=True)
    assert bytes(stored.payload).startswith(b'{"type":"field_facts"')


def test_streams_in_keys_of_another_type_begin_anew_and_hold_up_no_other(house: Redis) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    scene.play(1)
    kept, field = kept_of(scene.hands().get()), f"field:{scene.tournament.pk}"
    table = f"cardsup:{kept.table}"
    scene.look(kept.began_ms)
    for stream in (table, field, scene.featured):
        house.delete(keys.events(stream, settings.SHARDS))
        house.set(keys.events(stream, settings.SHARDS), "no stream")
    scene.look_until(kept.began_ms, kept.released_ms + FINAL_MS, times=3)
    for stream in (table, scene.featured):
        types = [event["type"] for event in scene.told(stream)]
        assert (types[0], types.count("hand_ended")) == ("hand_retold", 1)
    assert {told["type"] for told in scene.told(field)} == {"field_facts"}
