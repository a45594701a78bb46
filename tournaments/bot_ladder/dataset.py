"""Data set of finished tournaments of bots: hands as PHH and as JSON lines, and a data card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from django.db.models import Max, Min, QuerySet

from accounts.bots.places import BotsAdmitted
from tables.history.released import hands_of_game
from tables.models import Hand
from tables.seeds import marking
from tournaments import locks
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.monitor import hand_files

FORMS = ("phh", "ndjson")
CARD = "DATA_CARD.md"


class NotInDatasets(Exception):
    """Tournament that belongs into no data set; the message says why."""


class Dataset(NamedTuple):
    """Counts of a data set that was written; `seeds` by tournament in a research room."""

    tournaments: int
    hands: int
    games: Counter[str]
    first: str
    last: str
    seeds: dict[int, int]


def chosen(numbers: Sequence[int]) -> list[Tournament]:
    """Return these tournaments, or all finished ones of bots; raises NotInDatasets.

    Hands of people are nobody's data set: only tournaments for bots alone are taken.
    """
    rows = Tournament.objects.order_by("pk")
    if not numbers:
        return list(rows.filter(bots=BotsAdmitted.ONLY, state=State.FINISHED))
    found = {row.pk: row for row in rows.filter(pk__in=numbers)}
    for number in numbers:
        row = found.get(number)
        if row is None:
            raise NotInDatasets(f"there is no tournament {number}")
        if row.bots != BotsAdmitted.ONLY:
            raise NotInDatasets(f"tournament {number} is not for bots alone")
        if row.state != State.FINISHED:
            raise NotInDatasets(f"tournament {number} is not finished")
    return [found[number] for number in numbers]


def write(tournaments: Sequence[Tournament], directory: Path) -> Dataset:
    """Write all hands with all cards, and the card, into a prepared directory; raises OSError."""
    games: Counter[str] = Counter()
    times = []
    for tournament in tournaments:
        rows = _hands(tournament)
        games[f"{tournament.variant} {tournament.limit}"] += rows.count()
        # Tables end at different times: neither row of the first and last table need be an end.
        span = rows.aggregate(first=Min("finished_at"), last=Max("finished_at"))
        times += [time for time in span.values() if time is not None]
        for form in FORMS:
            folder = directory / form / f"tournament-{tournament.pk}"
            folder.mkdir(parents=True)
            hand_files.write_rows(rows, folder, form, all_cards=True)
    days = sorted(f"{time:%Y-%m-%d}" for time in times) or [""]
    seeds = marking.seeds_of(locks.DIRECTOR, [tournament.pk for tournament in tournaments])
    made = Dataset(len(tournaments), games.total(), games, days[0], days[-1], seeds)
    (directory / CARD).write_text(card(made), encoding="utf-8")
    return made


def card(made: Dataset) -> str:
    """Return the data card."""
    rows = "\n".join(f"| {game} | {count} |" for game, count in sorted(made.games.items()))
    return f"""\
# Data card

{made.hands} hands of {made.tournaments} finished tournaments of bots, from {made.first} to
{made.last} (UTC).

| game | hands |
|---|---|
{rows}

- **Content**: every hand with all hole cards, folded ones too, stacks, actions and their times.
  `phh/` has one file a table in the Poker Hand History standard, `ndjson/` the same fields as one
  object a line.
- **Players**: programs; their names begin with `bot-`. No person played: tournaments that admit
  people are refused.
- **Origin**: dealt and settled by the room's engine. {_origin(made)}
- **Deviations**: a hand that a program of the standard plays differently says why in `_differs`.
- **Limits**: bots play unlike people, and against each other; chips are play money.
- **Licence**: to be named by the operator who publishes the files.
"""


def _origin(made: Dataset) -> str:
    if not made.seeds:
        return "Each hand has a proof in the room."
    seeds = ", ".join(f"{tournament}: {seed}" for tournament, seed in sorted(made.seeds.items()))
    return f"""\
In a research room:
  decks were not sealed and no hand has a proof; every deck follows from the seed of its tournament
  and the numbers of table and hand, and equal seeds dealt equal cards. Seeds by tournament:
  {seeds}."""


def _hands(tournament: Tournament) -> QuerySet[Hand]:
    return hands_of_game("tournament", tournament.pk)
