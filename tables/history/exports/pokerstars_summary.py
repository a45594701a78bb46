"""Summary at the end of a hand in the words of PokerStars: pots, board, the fate of each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tables.history.exports.hand import ExportedHand
from tables.history.exports.pokerstars_words import FOLDED

if TYPE_CHECKING:
    from tables.history.exports.pokerstars_actions import ActionLines


def summary(hand: ExportedHand, lines: ActionLines) -> list[str]:
    """Return the lines from the heading of the summary on."""
    kept = hand.kept
    board = [f"Board [{' '.join(kept.result.board)}]"] if kept.result.board else []
    seats = sorted(player.seat for player in kept.setup.players)
    return [
        "*** SUMMARY ***",
        _total(hand),
        *board,
        *(f"Seat {seat}: {_named(hand, seat)} {_fate(hand, lines, seat)}" for seat in seats),
    ]


def _total(hand: ExportedHand) -> str:
    """Return the line of the pots; the chips of a pot include its rake."""
    pots: dict[int, int] = {}
    for award in hand.kept.result.awards:
        pots[award.pot] = pots.get(award.pot, 0) + award.amount
    split = ""
    if len(pots) > 1:
        side = [
            f" Side pot{f'-{pot}' if len(pots) > 2 else ''} {pots[pot]}."
            for pot in sorted(pots)
            if pot
        ]
        split = f" Main pot {pots[0]}." + "".join(side)
    return f"Total pot {sum(pots.values())}{split} | Rake {hand.kept.result.rake}"


def _named(hand: ExportedHand, seat: int) -> str:
    positions = hand.kept.setup.positions
    labels = {
        "button": positions.button,
        "small blind": positions.small_blind,
        "big blind": positions.big_blind,
    }
    return hand.names[seat] + "".join(f" ({name})" for name, at in labels.items() if at == seat)


def _fate(hand: ExportedHand, lines: ActionLines, seat: int) -> str:
    shares = (share for award in hand.kept.result.awards for share in award.winners)
    won = sum(share.amount for share in shares if share.seat == seat)
    if seat in lines.folded:
        return f"folded {FOLDED[lines.folded[seat]]}"
    if seat in lines.shown:
        cards = next(cards for shown, cards in hand.kept.result.shown if shown == seat)
        fate = f"and won ({won})" if won else "and lost"
        return f"showed [{' '.join(cards)}] {fate} with {lines.shown[seat]}"
    if won:
        return f"collected ({won})"
    return "mucked"
