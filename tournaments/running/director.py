"""The director of tournament tables: answers between hands with deal, wait or close."""

from __future__ import annotations

from django.db import transaction

from tables.dealer.grants import Answer, Wait
from tables.dealer.record import HandRecord
from tables.models import Table
from tournaments import locks, rows
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.running import settlement
from tournaments.running.ladder import NeedsChange, Question, climb

LOOKS_MAX = 3
"""Changes of the field that one call of `next` may make before the table asks again."""


class TournamentDirector:
    """Director of the tables of every tournament (`tables.dealer.director.Director`).

    Locks are taken in one order: the tournament, then tables. Most boundaries end with a new hand;
    the director then reads the tournament without its lock, under the lock of the table alone.
    """

    def lock(self, table: int, record: HandRecord) -> None:
        """Lock the tournament before its table when a hand knocks an entry out."""
        if record.busted():
            locks.tournament(record.game)

    def settle(self, table: int, record: HandRecord) -> None:
        """Settle knock-outs, places, prizes and the end in the transaction of the hand."""
        if record.busted():
            settlement.settle(Table.objects.get(pk=table), record)

    def game_name(self, game: int) -> str:
        """Return the name of a tournament; "" when the number is unknown."""
        return rows.name_of(game)

    def next(self, table: int, hand: int) -> Answer:
        """Return the answer for hand `hand` of a table; a granted hand gets its stored answer.

        Waits with reason `balancing` after `LOOKS_MAX` changes of the field.
        """
        for _ in range(LOOKS_MAX):
            # 1. Common case: another hand. The table's lock alone, so tables do not wait in line.
            with transaction.atomic():
                row = locks.table(table)
                step = climb(Question(row, hand))
            if not isinstance(step, NeedsChange):
                return step
            # 2. The field has to change. The table's lock was released above: the tournament is
            #    always locked before its tables, and waiting for it with a table in hand could
            #    deadlock. The whole ladder is climbed again and sees what changed in between.
            with tournament_transaction(row.game) as tx:
                row = locks.table(table)
                answer = _change(tx, Question(row, hand, tx.tournament))
            if answer is not None:
                return answer
            # 3. The change is committed: step 1 reads the table again.
        return Wait(reason="balancing")


def _change(tx: TournamentTransaction, question: Question) -> Answer | None:
    """Carry out the first change of the ladder under both locks; None when the field changed."""
    step = climb(question)
    if not isinstance(step, NeedsChange):
        return step
    return None if step.carry_out(tx) else step.otherwise
