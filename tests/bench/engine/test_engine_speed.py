"""Speed of hands and of reading and writing states, beside pokerkit on the same hands."""

from __future__ import annotations

import msgspec
import pytest

from tests.bench.engine.recorded import GAMES, Game, Recorded, recorded
from tests.bench.engine.speed import best_s, ours, pokerkit, with_cards
from tests.bench.engine.table_state import table_in_play
from tests.bench.profile import print_profile
from tests.bench.shared.report import note

HANDS = 1_000
HANDS_OF_POKERKIT = 300
ENCODINGS = 20_000
ENCODING_US_MAX = 20
RATIO_MIN = {"holdem9": 20, "omaha6": 20}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_hands_per_second(game: Game) -> None:
    """Measure hands that reach a showdown, and a mix with few showdowns."""
    seconds, theirs, actions = _measured(recorded(game, HANDS, to_showdown=True))
    mixed, mixed_theirs, _ = _measured(recorded(game, HANDS, to_showdown=False))
    note(
        {
            f"engine.{game.name}.hands_per_s": round(1 / seconds),
            f"engine.{game.name}.actions_per_s": round(actions / seconds),
            f"engine.{game.name}.pokerkit_hands_per_s": round(1 / theirs),
            f"engine.{game.name}.ratio_pokerkit": round(theirs / seconds, 1),
            f"engine.{game.name}.mixed_hands_per_s": round(1 / mixed),
            f"engine.{game.name}.mixed_ratio_pokerkit": round(mixed_theirs / mixed, 1),
        }
    )
    assert theirs / seconds > RATIO_MIN.get(game.name, 5)


def _measured(hands: list[Recorded]) -> tuple[float, float, float]:
    """Return seconds a hand, this engine's and pokerkit's, and actions a hand."""
    few = with_cards(hands[:HANDS_OF_POKERKIT])
    seconds = best_s(lambda: ours(hands)) / len(hands)
    theirs = best_s(lambda: pokerkit(few)) / len(few)
    return seconds, theirs, sum(len(hand.actions) for hand in hands) / len(hands)


@pytest.mark.parametrize("name", ["hand9", "table9"])
def test_encoding_a_state(name: str) -> None:
    """Measure in the middle of a nine-handed hand: the hand alone, and its table's whole state."""
    table = table_in_play()
    state = table if name == "table9" else table.hand
    encode = msgspec.msgpack.Encoder().encode
    decode = msgspec.msgpack.Decoder(type(state)).decode
    data = encode(state)
    assert decode(data) == state

    def encodings() -> None:
        for _ in range(ENCODINGS):
            encode(state)

    def decodings() -> None:
        for _ in range(ENCODINGS):
            decode(data)

    note(
        {
            f"state.{name}.bytes": len(data),
            f"state.{name}.encode_us": round(encode_us := best_s(encodings) / ENCODINGS * 1e6, 2),
            f"state.{name}.decode_us": round(decode_us := best_s(decodings) / ENCODINGS * 1e6, 2),
        }
    )
    assert encode_us < ENCODING_US_MAX and decode_us < ENCODING_US_MAX


def test_profile_prints_the_largest_shares() -> None:
    assert [row.function for row in print_profile(GAMES[0])]
