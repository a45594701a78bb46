"""Planted defects of the kind people make; the simulation must find each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from django.db import transaction
from msgspec.structs import replace

from accounts.ledger import transfers
from accounts.models import Transfer
from tables.dealer import advance as dealer_advance
from tables.dealer import boundary, commands, record, turns
from tables.engine import visibility
from tables.engine.events import HoleCardsDealt
from tables.models import Table
from tables.store import hidden_states, readable, streams
from tables.wire.client_commands import Act
from tables.workers import advance, recovery, settle
from tables.workers.void_hands import Void
from tests.simulation.defects import (
    batch_bugs,
    count_bugs,
    database_bugs,
    edge_bugs,
    level_bugs,
    power_bugs,
    ring_bugs,
    seal_bugs,
)
from tests.simulation.options import Offered
from tournaments import locks
from tournaments.engine import balancing
from tournaments.engine.refusals import RegistrationClosed
from tournaments.entries import registration
from tournaments.models import Entry, Move
from tournaments.models.tournament import State
from tournaments.prizes import money, placing
from tournaments.refusals import NotRegistered
from tournaments.running import director
from tournaments.seating import balancer, grants, hand_for_hand, planning

Patches = Callable[[], AbstractContextManager[Any]]


def _any_offer(_: Offered) -> bool:
    return True


def _several_tables(offer: Offered) -> bool:
    """Return whether the offer needs several tables, so that players move."""
    several = offer.players > offer.fields["seats_per_table"]
    return several and offer.fields.get("format") != "shootout"


def _many_tables(offer: Offered) -> bool:
    """Return whether the offer fills at least three tables, so that two may send players to the
    third.
    """
    return _several_tables(offer) and offer.players > 2 * offer.fields["seats_per_table"]


def _rounds_by_stack(offer: Offered) -> bool:
    """Return whether hand-for-hand rounds place several busted entries by stack."""
    fields = offer.fields
    holds = fields["bubble_places"] or fields["bubble_final"]
    return _several_tables(offer) and bool(holds) and fields["tie_rule"] == "by_stack"


def _cancelled_forward(offer: Offered) -> bool:
    """Return whether the operator cancels the tournament with shares of what is unpaid (T-12)."""
    return any(step == "cancel_forward" for _, step in offer.operations)


def _shown_slowly(offer: Offered) -> bool:
    """Return whether the streets of an all-in are shown with a pause between them."""
    return bool(offer.fields["street_pause_ms"])


@dataclass(frozen=True)
class Bug:
    """One planted defect: a replaced piece of a Lua script, or patches of Python code.

    Only offers for which `needs` is true can show the defect; the search skips the seeds of others.
    """

    name: str
    patches: Patches = nullcontext
    scripts: dict[str, tuple[str, str]] = field(default_factory=dict)
    needs: Callable[[Offered], bool] = _any_offer

    def planted(self) -> AbstractContextManager[Any]:
        """Keep the defect in the code while the context lasts."""
        return self.patches()


def _card_leaks() -> AbstractContextManager[Any]:
    real = visibility.view

    def view(event: Any, audience: int | None) -> Any:
        seen = real(event, audience)
        if isinstance(event, HoleCardsDealt) and event.seat == 1 and audience == 2:
            return replace(seen, cards=(event.cards[0], *seen.cards[1:]))
        return seen

    return patch.object(streams, "view", view)


@contextmanager
def _any_turn() -> Iterator[None]:
    real = commands._carry_out.dispatch(Act)

    def act(command: Act, state: Any, seat: Any, when: Any) -> Any:
        if state.turn is not None:
            command = replace(command, turn=state.turn.turn)
        return real(command, state, seat, when)

    commands._carry_out.register(Act, act)
    try:
        yield
    finally:
        commands._carry_out.register(Act, real)


def _deadline_first() -> AbstractContextManager[Any]:
    real = dealer_advance.advance

    def step(state: Any, received: Any, **now: Any) -> Any:
        state, struck = real(state, (), **now)
        state, obeyed = real(state, received, **now)
        return state, (*struck, *obeyed)

    return patch.object(advance, "step", step)


def _outage_folds() -> AbstractContextManager[Any]:
    real = dealer_advance.advance

    def step(state: Any, received: Any, **now: Any) -> Any:
        return real(state, received, **(now | {"shift_ms": state.shift_ms}))

    return patch.object(advance, "step", step)


def _asked_before_settled() -> AbstractContextManager[Any]:
    def between_hands(loaded: Any) -> Any:
        state = loaded.state
        if state.phase != "finished":
            return real(loaded)
        said = director.TournamentDirector().next(state.table, state.hand_number + 1)
        settle.settle_hand(record.of(state))
        return boundary.answer(boundary.confirm(state), said, now_ms=loaded.now_ms)

    real = settle._between_hands
    return patch.object(settle, "_between_hands", between_hands)


def _placed_too_early() -> AbstractContextManager[Any]:
    real = hand_for_hand.review_hand_for_hand

    def review(tx: Any) -> None:
        if tx.tournament.pool is not None:
            placing.pay(tx, placing.place(tx))
        real(tx)

    return patch.object(hand_for_hand, "review_hand_for_hand", review)


def _no_reservation() -> AbstractContextManager[Any]:
    real = planning.view_tables

    def views(ids: Any, **how: Any) -> Any:
        return tuple(replace(view, reserved={}) for view in real(ids, **how))

    return patch.object(planning, "view_tables", views)


def _arrives_for_ever() -> AbstractContextManager[Any]:
    real = grants.seat_arrivals

    def seat_arrivals(now: Any) -> None:
        arriving = [move.pk for move in now.arriving]
        real(now)
        Move.objects.filter(pk__in=arriving).update(state=Move.State.LEFT)

    return patch.object(grants, "seat_arrivals", seat_arrivals)


def _epoch_stays() -> AbstractContextManager[Any]:
    def bump(
        _: object, tables: list[int], *__: object, seen_epoch: int | None = None
    ) -> dict[int, Void]:
        rows = Table.objects.filter(pk__in=tables, status=Table.Status.OPEN)
        return {row.pk: Void(tuple(range(row.hand + 1, row.granted_hand + 1))) for row in rows}

    return patch.object(recovery, "_bump", bump)


def _old_record() -> AbstractContextManager[Any]:
    real = balancer._read

    def read(client: Any, tournament: Any, table: int) -> Any:
        version = client.get(balancer._names(tournament.pk)[0])
        kept = tournament.balance_version
        tournament.balance_version = kept if version is None else int(version)
        try:
            return real(client, tournament, table)
        finally:
            tournament.balance_version = kept

    return patch.object(balancer, "_read", read)


def _left_as_they_are() -> AbstractContextManager[Any]:
    return patch.object(balancing, "_levelling", lambda *_: [])


def _told_at_once() -> AbstractContextManager[Any]:
    return patch.object(turns, "schedule", lambda _, last, **__: (len(last), None))


def _settled_while_shown() -> AbstractContextManager[Any]:
    real = settle._next_step

    def next_step(loaded: Any) -> Any:
        state = loaded.state
        while state.phase == "run_out":
            state, _ = turns.show(state, now_ms=loaded.now_ms)
        if loaded.state.phase == "run_out":
            settle.settle_hand(record.of(state))
            return loaded.state, ()
        return real(loaded)

    return patch.object(settle, "_next_step", next_step)


def _refunded_twice() -> AbstractContextManager[Any]:
    def unregister(user: Any, tournament: int) -> Entry:
        with transaction.atomic():
            locked = locks.tournament(tournament)
            entry = Entry.objects.filter(tournament=locked, user=user).order_by("pk").last()
            if entry is None:
                raise NotRegistered
            if locked.state != State.REGISTERING:
                raise RegistrationClosed(state=locked.state)
            if entry.state == Entry.State.REGISTERED:
                entry.state = Entry.State.UNREGISTERED
                entry.save(update_fields=["state"])
                locked.entrants -= 1
                locked.save(update_fields=["entrants"])
            again = Transfer.objects.filter(key__startswith=f"refund:{entry.pk}").count()
            for order in money.refunds(locked, [entry]):
                transfers.transfer_all([order._replace(key=f"{order.key}:{again}")])
        return entry

    return patch.object(registration, "unregister", unregister)


def _unreadable_stops_all() -> AbstractContextManager[Any]:
    """Let workers fail when one of several tables has a state that nobody can read."""

    def stored_state(table: int, reply: Any) -> readable.StoredState | None:
        _, version, raw = reply
        if raw is None:
            return None
        return readable.StoredState(hidden_states.decode(raw), int(version))

    return patch.object(readable, "stored_state", stored_state)


BUGS = (
    Bug(
        "commit does not check the fence",
        scripts={
            "commit": (
                "if fields[1] ~= ARGV[1] or fields[2] ~= ARGV[2] then return 0 end",
                "",
            )
        },
    ),
    Bug(
        "wake is popped, not leased",
        scripts={
            "lease": (
                "redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), member)",
                "redis.call('ZREM', KEYS[1], member)",
            )
        },
    ),
    Bug("one seat sees a card of another", _card_leaks),
    Bug("a command acts in whatever turn it is", _any_turn),
    Bug("the deadline beats a command that came before it", _deadline_first),
    Bug("an outage runs on players' clocks", _outage_folds),
    Bug("the next hand is asked for before the last is settled", _asked_before_settled),
    Bug("places are given before the round is complete", _placed_too_early, needs=_rounds_by_stack),
    Bug("a move looks at seats and not at reservations", _no_reservation, needs=_many_tables),
    Bug("an arrived player stays on the way", _arrives_for_ever, needs=_several_tables),
    Bug("a rebuilt table keeps its epoch", _epoch_stays),
    Bug("the balancer trusts an old record", _old_record, needs=_several_tables),
    Bug("tables are not levelled", _left_as_they_are, needs=_several_tables),
    Bug("a result is told with the hands", _told_at_once, needs=_shown_slowly),
    Bug("a decided hand is settled while shown", _settled_while_shown, needs=_shown_slowly),
    Bug("a state that nobody can read stops its neighbours", _unreadable_stops_all),
    Bug("a repeated refund is paid twice", _refunded_twice),
    Bug("a batch of refunds is the last one", batch_bugs.one_batch_of_refunds),
    Bug(
        "a batch of shares is the last one",
        batch_bugs.one_batch_of_shares,
        needs=_cancelled_forward,
    ),
    Bug("a batch of prizes is the last one", batch_bugs.one_batch_of_prizes),
    Bug(
        "more time brings the level before back",
        level_bugs.more_time_in_the_level_before,
        needs=level_bugs.prolongs,
    ),
    Bug(
        "a second click sets the level clock again",
        level_bugs.set_again_by_a_second_click,
        needs=level_bugs.sets_the_clock,
    ),
    Bug("a resume skips an event", edge_bugs.resume_skips),
    Bug("an offset of an older epoch is believed", edge_bugs.old_epoch_believed),
    Bug("a snapshot between hands has folded cards", edge_bugs.folded_in_snapshot),
    Bug("a folded hand is shown at the showdown", edge_bugs.folded_at_showdown),
    Bug("the loss of a slow reader is forgotten", edge_bugs.slow_reader_forgotten),
    Bug("one seat's frame goes to all", edge_bugs.one_frame_for_all),
    Bug("a hand is counted before it is written", count_bugs.counted_before_the_fence),
    Bug("acknowledgement before durability", power_bugs.told_before_it_is_durable),
    Bug("watermark not raised at a void", power_bugs.watermark_stays_at_a_void),
    Bug(
        "what nobody follows any more was never told",
        power_bugs.told_forgotten_with_the_last_follower,
    ),
    Bug("a void hand is told by none but its first process", power_bugs.void_told_once),
    Bug("epoch kept after promotion", power_bugs.epoch_kept_after_promotion),
    Bug("web processes are not asked what they told", power_bugs.web_processes_not_asked),
    Bug(
        "a promoted database is believed though it lacks what was told",
        database_bugs.believed_though_behind,
    ),
    Bug(
        "event numbers are reused after an accepted loss",
        database_bugs.numbers_reused_after_a_loss,
    ),
    Bug("a void hand keeps its seal", seal_bugs.void_keeps_its_seal),
    Bug("a hand is granted before its seal is kept", seal_bugs.row_after_the_grant),
    Bug("a cut that came in time is left out", seal_bugs.cut_left_out),
    Bug("a pledge is called twice", seal_bugs.pledge_called_twice),
    Bug("a cut that comes again is believed", seal_bugs.open_pledge_called),
    Bug("a late seed counts", seal_bugs.late_seed_counts),
    Bug("a deck is sealed after the call", seal_bugs.seal_made_after_the_call),
    Bug("a hand is called to two rosters", seal_bugs.called_twice),
    Bug("a head of the log forgets a leaf", seal_bugs.head_forgets_a_leaf),
    Bug("a fate is logged twice", seal_bugs.fate_logged_twice),
    Bug("a course misses the end of its hand", seal_bugs.course_without_its_end),
    Bug(
        "a ring pot below the minimum pays rake",
        ring_bugs.rake_below_the_minimum,
        needs=ring_bugs.raked_above_a_minimum,
    ),
    Bug(
        "a ring stack is paid twice on leaving and dying",
        ring_bugs.stack_paid_before_the_seat_is_free,
        needs=ring_bugs.any_ring_game,
    ),
    Bug(
        "a ring jackpot is not shared to the cent",
        ring_bugs.jackpot_short_by_a_cent,
        needs=ring_bugs.with_jackpot,
    ),
    Bug(
        "a missed ring blind is forgotten",
        ring_bugs.missed_blind_forgotten,
        needs=ring_bugs.with_blinds,
    ),
    Bug(
        "a ring penalty is taken again",
        ring_bugs.penalty_taken_again,
        needs=ring_bugs.any_ring_game,
    ),
    Bug(
        "a folded rapid player is dealt in twice",
        ring_bugs.folded_player_freed_again,
        needs=ring_bugs.is_rapid,
    ),
)
