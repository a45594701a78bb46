"""Beginning of a hand: forced bets, hole cards, and all events until a seat is asked."""

from __future__ import annotations

from tables.engine.dealing import deal_hole_cards, go_on
from tables.engine.events import HandBegan, HandEvent, Posted, PostKind, Stack
from tables.engine.hand_progress import HandProgress
from tables.engine.invariants import check_setup
from tables.engine.positions import clockwise
from tables.engine.state import HandSetup, Player


def begin(setup: HandSetup) -> tuple[HandEvent, ...]:
    """Return the events that open a hand, up to the first decision or the end of the hand."""
    return tuple(begun(setup).events)


def begun(setup: HandSetup) -> HandProgress:
    """Begin a hand with the chips in front of each seat, which are all it can play for (B-05).

    Returns the events together with the state they lead to.
    """
    check_setup(setup)
    play = HandProgress(None, _began(setup))
    _post(play, setup.players)
    deal_hole_cards(play)
    go_on(play)
    return play


def _began(setup: HandSetup) -> HandBegan:
    positions = setup.positions
    stacks = {player.seat: player.stack for player in setup.players}
    order = clockwise(positions.button, stacks)
    return HandBegan(
        hand=setup.hand,
        variant=setup.rules.variant,
        limit=setup.rules.limit,
        stakes=setup.rules.stakes,
        options=setup.rules.options,
        button=positions.button,
        small_blind=positions.small_blind,
        big_blind=positions.big_blind,
        stacks=tuple([Stack(seat, stacks[seat]) for seat in order]),
        open_losers=tuple([player.seat for player in setup.players if player.open_loser]),
        closed_losers=tuple([player.seat for player in setup.players if player.closed_loser]),
        deck=setup.deck,
    )


def _post(play: HandProgress, players: tuple[Player, ...]) -> None:
    """Post antes of all seats before the blinds; the ante of the big blind after it (H-08)."""
    state, stakes = play.state, play.state.rules.stakes
    if stakes.ante_kind == "per_seat":
        for seat in state.order:
            _pay(play, seat, "ante", stakes.ante)
    if state.small_blind is not None:
        _pay(play, state.small_blind, "small_blind", stakes.small_blind)
    if state.big_blind is not None:
        _pay(play, state.big_blind, "big_blind", stakes.big_blind)
        if stakes.ante_kind == "big_blind":
            _pay(play, state.big_blind, "ante", stakes.ante)
    for player in players:
        for post in player.posts:
            _pay(play, player.seat, post.kind, post.amount)


def _pay(play: HandProgress, seat: int, kind: PostKind, amount: int) -> None:
    stack = play.state.seat(seat).stack
    paid = min(amount, stack)
    if paid:
        play.happen(Posted(seat=seat, kind=kind, amount=paid, all_in=paid == stack))
