"""One Sit & Go of a ladder: the room's engines, decks by seed, a bot for each entry."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tables.dealer.seeded import seeded_deck
from tables.engine.actions import Action, Option
from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS
from tournaments.bot_ladder.contestants import Contestant
from tournaments.simulation import players
from tournaments.simulation.field import SimulatedTable
from tournaments.simulation.options import SimulationOptions, validate_simulation
from tournaments.simulation.simulation_run import SimulationRun


def options(players: int) -> SimulationOptions:
    """Return the Sit & Go that ladders play: one table of hold'em without limit."""
    return validate_simulation(
        SimulationOptions(
            start="sit_and_go", players=players, seats_per_table=players, structure="turbo"
        )
    )


class LadderGame(SimulationRun):
    """A Sit & Go whose decks depend on the seed alone, whoever sits where.

    So equal seeds deal equal cards to equal seats (duplicate): with the bots in other seats what
    they win differs by their play, not by their luck.
    """

    def __init__(self, seats: Sequence[Contestant], seed: int, terms: SimulationOptions) -> None:
        super().__init__(terms, seed)
        self._bots = list(seats)
        self._seed = seed
        self._chance = [Random(f"{seed}:{bot.name}") for bot in seats]  # nosec B311

    def deck(self, table: SimulatedTable) -> tuple[str, ...]:
        """Return the deck of the table's hand, from the seed and the number of the hand."""
        cards = VARIANTS[self.options.variant].deck
        return seeded_deck(cards, self._seed, table.number, table.hand)

    def play_hand(self, setup: HandSetup, table: SimulatedTable) -> tuple[HandState, int]:
        """Play a hand with the bots of the seats, each with a chance of its own."""

        def decide(option: Option, state: HandState) -> Action:
            assert state.actor is not None
            user = self.field.entries[table.seats[state.actor]].user
            return self._bots[user].act(state, option, self._chance[user])

        return players.play_by(setup, decide)

    def places(self) -> list[int]:
        """Return the place of each bot, in the order of the seats given."""
        by_user = {entry.user: entry.place for entry in self.field.entries.values()}
        return [by_user[number] for number in range(len(self._bots))]
