"""Bounties: heads of entries, their hunters, and the payment of every head (N-01..N-07)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import F, Q, Sum

from accounts.ledger import transfers
from accounts.models import Posting
from config.postgres.statements import ANY_KEY, BuiltOnce
from tournaments.engine import bounties as rules
from tournaments.events.prizes import BountyNotice, BountyShare, BountyWon
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, KnockOut, RoomBounty, Tournament
from tournaments.prizes import money, promises

_MERGES_MAX = 100


def offered(tournament: Tournament) -> bool:
    """Return whether a knock-out in this tournament can pay a bounty."""
    if tournament.bounty or tournament.pro_bounty:
        return True
    return bool(_ROOM_BOUNTY.rows(tournament.pk))


def most(tournament: Tournament) -> int:
    """Return the most cents on all heads together, but for what the room puts on chosen players."""
    each = tournament.bounty + tournament.pro_bounty
    return tournament.players_max * tournament.entries_max * each


def collect(tx: TournamentTransaction, outs: Sequence[int]) -> None:
    """Pay the bounties of entries that are certainly out to their hunters.

    Each head is collected once, in the transaction that eliminates its entry; the tournament is
    locked. Merged or disqualified entries go out without a bounty (E-08, T-15).
    """
    tournament = tx.tournament
    if not outs or not offered(tournament):
        return
    rows = KnockOut.objects.filter(tournament=tournament, entry__in=outs, bounties=[])
    knock_outs = list(rows.select_related("entry__user").order_by("order", "pk"))
    entries = {out.entry_id: out.entry for out in knock_outs}
    for out in knock_outs:
        hunters = _hunters(out, entries)
        from_room = _room_pays(tournament, out.entry)
        shares = _share(tournament, out.entry, hunters, from_room)
        out.bounties = [[share.entry, share.cash, share.added] for share in shares]
        at_once = {} if tournament.bounties_at_end else _by_user(hunters, shares)
        tx.pay(money.bounty(tournament, str(out.entry_id), at_once, from_room))
        _tell(tx, out.entry, hunters, shares)
    Entry.objects.bulk_update(entries.values(), ["head", "bounties_won"])
    KnockOut.objects.bulk_update(knock_outs, ["bounties"])


def fix_heads(tx: TournamentTransaction, chips: Mapping[int, int] = {}) -> None:
    """Leave on each head what `pay_heads` pays for it (N-07, T-15).

    The best gets those of disqualified entries: at the end who has the best place; on cancelling
    the live entries have none, and the best is the one with the largest stack in `chips`.
    """
    tournament = tx.tournament
    lost = list(tournament.entries.filter(head__gt=0, state=Entry.State.DISQUALIFIED))
    if not lost:
        return
    rows = tournament.entries.filter(head__gt=0).exclude(state=Entry.State.DISQUALIFIED)
    kept = rows.order_by(F("place").asc(nulls_last=True), "pk")
    best = min(kept, key=lambda one: (one.place is None, -chips.get(one.pk, 0)), default=None)
    assert best is not None, "at least one live entry keeps its head"
    best.head = rules.winner_head(best.head, [entry.head for entry in lost])
    for entry in lost:
        entry.head = 0
    Entry.objects.bulk_update([best, *lost], ["head"])


def owed(tournament: Tournament) -> Q:
    """Return the condition of entries that `pay_heads` pays at the end (N-06, N-07)."""
    heads = Q(head__gt=0)
    return heads | Q(bounties_won__gt=0) if tournament.bounties_at_end else heads


def owed_cents(tournament: Tournament) -> int:
    """Return the cents that `pay_heads` pays in all at the end (N-06, N-07)."""
    sums = tournament.entries.filter(owed(tournament)).aggregate(
        heads=Sum("head", default=0), won=Sum("bounties_won", default=0)
    )
    return int(sums["heads"] + (sums["won"] if tournament.bounties_at_end else 0))


def pay_heads(tx: TournamentTransaction, entries: Iterable[Entry]) -> None:
    """Pay these entries their own heads, and bounties that are paid at the end (N-06, N-07)."""
    tournament = tx.tournament
    due = {}
    for entry in (paid := list(entries)):
        due[entry.pk] = entry.head + (entry.bounties_won if tournament.bounties_at_end else 0)
        entry.bounties_won, entry.head = entry.bounties_won + entry.head, 0
    paid = [entry for entry in paid if due[entry.pk]]
    Entry.objects.bulk_update(paid, ["head", "bounties_won"])
    for entry in paid:
        tx.pay(money.bounty(tournament, f"end:{entry.pk}", {entry.user_id: due[entry.pk]}, 0))
        notice = BountyNotice(tournament.pk, tournament.name, "", due[entry.pk], 0, False)
        tx.notify(entry.user_id, notice)


def roll_back(tx: TournamentTransaction) -> None:
    """Empty all heads before a full refund; the room's part returns to the room (T-12).

    Collected bounties stay with their winners: the room replaces them for the refund.
    """
    tournament = tx.tournament
    if tournament.bounties_at_end:
        tx.pay(money.bounties_back(tournament, paid_by_room(tournament)))
        tournament.entries.exclude(bounties_won=0).update(bounties_won=0)
    tx.pay(promises.bounties_made_up(tournament, won_from_heads(tournament)))
    tournament.entries.exclude(head=0).update(head=0)


def won_from_heads(tournament: Tournament) -> int:
    """Return the cents of players' head money that hunters have received so far."""
    if tournament.bounties_at_end or not tournament.bounty:
        return 0
    paid = tournament.entries.filter(state__in=(*Entry.LIVE, *Entry.PLAYED))
    came = paid.aggregate(sum=Sum("paid_bounty", default=0))["sum"]
    return int(came) - transfers.balance(money.bounties(tournament))


def paid_by_room(tournament: Tournament) -> int:
    """Return the cents the room has paid for knock-outs so far (N-02, N-03)."""
    booked = Posting.objects.filter(
        transfer__key__startswith=f"bounty:{tournament.pk}:", account=money.room()
    )
    return -int(booked.aggregate(sum=Sum("amount", default=0))["sum"])


def heads(tournament: Tournament) -> dict[int, int]:
    """Live entries with a head that differs from the bounty bought -> cents on the head."""
    if not offered(tournament):
        return {}
    by_room = _by_room(tournament)
    live = tournament.entries.filter(state__in=Entry.LIVE)
    changed = {}
    for pk, user, head, is_pro in live.values_list("pk", "user", "head", "user__is_pro"):
        whole = head + by_room.get(user, 0) + (tournament.pro_bounty if is_pro else 0)
        if whole != tournament.bounty:
            changed[pk] = whole
    return changed


def worth(tournament: Tournament, entry: Entry) -> int:
    """Return the worth of an entry's knock-out in cents: its head and the room's bounty on it."""
    pro = tournament.pro_bounty if tournament.pro_bounty and entry.user.is_pro else 0
    return entry.head + pro + _by_room(tournament).get(entry.user_id, 0)


def _by_room(tournament: Tournament) -> dict[int, int]:
    """Open bounties of the room on chosen players: user -> cents (N-02)."""
    rows = RoomBounty.objects.filter(tournament=tournament, paid=False)
    return dict(rows.values_list("user", "amount"))


def _hunters(out: KnockOut, entries: dict[int, Entry]) -> list[Entry]:
    """Return an entry's hunters, the better seat first; merged hunters as their merged entry."""
    hunters: dict[int, Entry] = {}
    for pk, _chips in out.winners:
        hunter = _entry(pk, entries)
        for _ in range(_MERGES_MAX):
            if hunter.merged_into_id is None:
                break
            hunter = _entry(hunter.merged_into_id, entries)
        hunters[hunter.pk] = hunter
    assert hunters, "a knock-out has at least one hunter"
    assert out.entry_id not in hunters, "an entry cannot knock itself out"
    return list(hunters.values())


def _entry(pk: int, entries: dict[int, Entry]) -> Entry:
    """Return one object in memory per entry, because one hunter may knock out several entries."""
    if pk not in entries:
        entries[pk] = Entry.objects.get(pk=pk)
    return entries[pk]


def _share(
    tournament: Tournament, victim: Entry, hunters: Sequence[Entry], from_room: int
) -> list[BountyShare]:
    """Share a victim's head among its hunters in cash and heads; empty the victim's head."""
    cash, heads = rules.knock_out(
        victim.head,
        tournament.progressive_bp,
        [hunter.head for hunter in hunters],
        odd_to_cash=tournament.bounty_odd_to_cash,
        out=[hunter.state not in Entry.IN_PLAY for hunter in hunters],
    )
    victim.head = 0
    extras = rules.room_bounty(from_room, len(hunters))
    shares = []
    for hunter, paid, head, extra in zip(hunters, cash, heads, extras, strict=True):
        added, cashed = head - hunter.head, paid + extra
        hunter.head = head
        hunter.bounties_won += cashed
        shares.append(BountyShare(hunter.pk, hunter.name, cashed, added, worth(tournament, hunter)))
    return shares


def _room_pays(tournament: Tournament, victim: Entry) -> int:
    """Return the room's bounty on the victim: chosen players once, PRO players always."""
    amount = tournament.pro_bounty if victim.user.is_pro else 0
    chosen = RoomBounty.objects.filter(tournament=tournament, user=victim.user_id, paid=False)
    for row in chosen:
        amount += row.amount
    chosen.update(paid=True)
    return amount


def _by_user(hunters: Sequence[Entry], shares: Sequence[BountyShare]) -> dict[int, int]:
    """Cents for each player, because a player may hold several entries (E-03)."""
    paid: dict[int, int] = {}
    for hunter, share in zip(hunters, shares, strict=True):
        paid[hunter.user_id] = paid.get(hunter.user_id, 0) + share.cash
    return paid


def _tell(
    tx: TournamentTransaction,
    victim: Entry,
    hunters: Sequence[Entry],
    shares: Sequence[BountyShare],
) -> None:
    tournament = tx.tournament
    event = BountyWon(victim.pk, victim.name, tuple(shares))
    tx.announce(event)
    for hunter, share in zip(hunters, shares, strict=True):
        notice = BountyNotice(
            tournament.pk,
            tournament.name,
            victim.name,
            share.cash,
            share.added,
            tournament.bounties_at_end,
        )
        tx.notify(hunter.user_id, notice)


_ROOM_BOUNTY = BuiltOnce(
    lambda tournament: RoomBounty.objects.filter(tournament=tournament).values_list("pk")[:1],
    ANY_KEY,
)
