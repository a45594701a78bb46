"""Parts of a record: each viewer knows from them exactly what the whole hand would show him."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from tables.dealer.record import HandRecord
from tables.dealer.seen_record import SeenRecord
from tables.engine.events import HIDDEN, HoleCardsDealt
from tables.engine.evolve import evolve_all
from tables.history import replays
from tables.history.exports import hand as exported
from tables.history.exports import ohh, phh, pokerstars
from tables.history.hand_proofs import hand_proof, logged_parts
from tables.records import parts, stored
from tests.tables.history.exports.played import GAME, USER
from tests.tables.records.hands import GAMES, deck_in, sealed_record

ORIGIN = "room.example/fair"


@cache
def _records(game: tuple[str, str]) -> list[HandRecord]:
    """Twenty-five random hands of a game, dealt once for all tests."""
    random = Random(str(game))
    return [sealed_record(random, *game) for _ in range(25)]


def _viewers(kept: HandRecord) -> list[int | None]:
    return [None, 99_999, *(seat.user for seat in kept.seats)]


@pytest.mark.parametrize("game", GAMES)
def test_open_and_secret_part_make_the_whole_record(game: tuple[str, str]) -> None:
    for kept in _records(game):
        split = parts.split(kept)
        whole = parts.whole(split.open, split.secret)
        assert replace(whole, ending=()) == kept
        assert whole.digest() == kept.digest() and whole.events() == kept.events()
        again = parts.split(whole)
        assert again == split, "an ending that is kept is the one that is replayed"


@pytest.mark.parametrize("game", GAMES)
def test_each_viewer_sees_in_the_parts_what_the_whole_hand_shows(game: tuple[str, str]) -> None:
    for kept in _records(game):
        raw = stored.encode(kept)
        for user in _viewers(kept):
            seen = stored.decode_seen(raw, user)
            asked = {"number": 4, "seats_max": 9, "user": user}
            assert replays.replay(seen, **asked) == replays.replay(kept, **asked)  # type: ignore[arg-type]
            assert replays.line(seen, user) == replays.line(kept, user)
            proof = hand_proof(kept, origin=ORIGIN, user=user)
            assert hand_proof(seen, origin=ORIGIN, user=user) == proof
        assert logged_parts(stored.decode_open(raw), origin=ORIGIN) == logged_parts(
            kept, origin=ORIGIN
        )


@pytest.mark.parametrize("game", GAMES)
def test_exports_of_the_parts_are_those_of_the_whole_hand(game: tuple[str, str]) -> None:
    for kept in _records(game)[:8]:
        raw = stored.encode(kept)
        for user in _viewers(kept):
            made = [
                exported.seen_by(user, one, game=GAME, table=4, seats_max=9)
                for one in (kept, stored.decode_seen(raw, user))
            ]
            for write in (phh.written, ohh.written):
                assert len({write(one) for one in made}) == 1
            if game == ("holdem", "no_limit"):
                assert len({pokerstars.written(one) for one in made}) == 1


@pytest.mark.parametrize("game", GAMES)
def test_no_folded_card_no_deck_and_no_secret_is_readable_in_a_stored_record(
    game: tuple[str, str],
) -> None:
    found = 0
    for kept in _records(game):
        raw = stored.encode(kept)
        assert kept.called is not None and kept.called.sealed.secret not in raw
        assert not deck_in(raw, kept.setup.deck)
        shown = dict(kept.result.shown)
        for seat, cards in parts.hole_cards(kept).items():
            seen = shown.get(seat, (HIDDEN,) * len(cards))
            hidden = tuple(card for card, one in zip(cards, seen, strict=True) if one == HIDDEN)
            if len(hidden) > 1:
                found += 1
                assert not deck_in(raw, hidden), "a folded hand in plain"
    assert found > 25


@pytest.mark.parametrize("game", GAMES)
def test_a_player_opens_only_the_own_box(game: tuple[str, str]) -> None:
    for kept in _records(game):
        raw = stored.encode(kept)
        hands = parts.hole_cards(kept)
        may = {seat.seat: seat.user for seat in kept.seats}
        for seat, user in may.items():
            seen = stored.decode_seen(raw, user)
            whole = replays.replay(kept, number=1, seats_max=9, user=user)
            assert isinstance(seen, SeenRecord) and not seen.unread
            allowed = {seat, *(other for other, _ in whole.looked_up)}
            assert set(dict(seen.known)) <= allowed
            assert all(hands[other] == cards for other, cards in seen.known)
            known = {one.card for one in seen.known_cards}
            open_cards = {one.card for one in stored.decode_open(raw).known_cards}  # type: ignore[attr-defined]
            assert len(known - open_cards) == sum(
                card not in dict(kept.result.shown).get(other, ())
                for other, cards in seen.known
                for card in cards
            )


def test_a_mucked_hand_that_was_shown_after_the_end_is_open_in_a_proof() -> None:
    found, random = 0, Random(1)
    for _ in range(200):
        kept = sealed_record(random, "stud", "fixed_limit")
        last = evolve_all(None, kept.events())
        for seat in kept.seats:
            for other, cards in replays.mucked_hands(last, seat.seat):
                shown = dict(kept.result.shown) | {other: cards}
                since = replace(kept, result=replace(kept.result, shown=tuple(shown.items())))
                proof = hand_proof(since, origin=ORIGIN, user=seat.user)
                assert proof == hand_proof(kept, origin=ORIGIN, user=seat.user)
                assert proof is not None and other in proof["looked_up"]
                seen = stored.decode_seen(stored.encode(since), seat.user)
                assert hand_proof(seen, origin=ORIGIN, user=seat.user) == proof
                found += 1
    assert found > 5


def test_hole_cards_at_the_top_of_the_deck_are_those_that_were_dealt() -> None:
    for game in GAMES:
        for kept in _records(game):
            dealt: dict[int, tuple[str, ...]] = {}
            for event in kept.events():
                if isinstance(event, HoleCardsDealt):
                    dealt[event.seat] = (*dealt.get(event.seat, ()), *event.cards)
            assert parts.hole_cards(kept) == dealt


def test_a_hand_without_a_seal_has_parts_too() -> None:
    for kept in _records(("holdem", "no_limit"))[:5]:
        bare = replace(kept, called=None)
        raw = stored.encode(bare)
        assert replace(stored.decode(raw), ending=()) == bare
        seen = stored.decode_seen(raw, USER + kept.seats[0].seat)
        assert hand_proof(seen, origin=ORIGIN, user=None) is None
        assert seen.setup.deck.count(HIDDEN) > 30
