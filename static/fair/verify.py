"""Check the proof of one poker hand: python verify.py PROOF.json --log-key HEX --call-key HEX.

Needs Python 3.9 or newer. Take the room's keys, also replaced ones (repeat the option), from a place you trust, not
from the page that gave you the proof. V13 to V15 need --log-key. Exit 0: all hold, 1: one fails, 2: unreadable.
"""
from __future__ import annotations
import argparse, base64, functools, hashlib, hmac, itertools, json, re, sys
from types import SimpleNamespace
NO_LOG = ["Without --log-key V13 to V15 were not checked: this seal may stand in no public log."]
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
FATES = ["", "played", "void in play", "void before the cards", "never played"]
REASONS = ["", "Redis was new", "superseded", "not in Redis", "closed", "key lost", "engine fault", "other deck needed"]
HOLE = {"holdem": 2, "omaha": 4, "omaha5": 5, "omaha5_house": 5, "omaha_hilo": 4, "omaha5_hilo": 5}
GAMES = {game: [("preflop", count, 0, 0), ("flop", 0, 0, 3), ("turn", 0, 0, 1), ("river", 0, 0, 1)]
         for game, count in HOLE.items()}  # Streets: cards to each seat face down and face up, cards to the board.
GAMES["stud"] = GAMES["stud_hilo"] = [
    ("third", 2, 1, 0), ("fourth", 0, 1, 0), ("fifth", 0, 1, 0), ("sixth", 0, 1, 0), ("seventh", 1, 0, 0)]
# Forms of values: a number is the largest one allowed, zero bytes are so many bytes as hexadecimal digits, a list
# is a list of its item, a tuple a list of just these, a dictionary an object; "?" marks a value that may be null.
SEAT, HAND, NUMBER, HASH, CARD, SHOWN, ZEROS = 255, 2**32 - 1, 2**64 - 1, bytes(32), "card", "card or ??", bytes(32)
FIELDS = {"seat": SEAT, "button": SEAT, "up": 5, "hand": HAND, "small_blind?": SEAT, "big_blind?": SEAT,
          "pots": [{"amount": NUMBER, "seats": [SEAT]}], "stacks": [{"seat": SEAT, "chips": NUMBER}],
          "winners": [{"seat": SEAT, "amount": NUMBER}], "cards": [SHOWN], "hands": [(SEAT, [SHOWN])],
          **dict.fromkeys(["variant", "limit", "kind", "street", "half"], str),
          **dict.fromkeys(["amount", "to", "pot", "rake"], NUMBER)}
EVENTS = {line.split()[0]: {field: FIELDS[field] for field in line.split()[1:]} for line in """
hand_began hand variant limit button small_blind? big_blind? stacks|posted seat kind amount
hole_cards_dealt seat cards up|folded seat|checked seat|called seat amount|bet seat amount|raised seat to amount
uncalled_returned seat amount|bets_collected pots|rake_taken amount|hands_revealed hands|street_dealt street cards
cards_shown seat cards|mucked seat|pot_awarded pot half amount rake winners|hand_ended hand stacks
""".strip().replace("\n", "|").split("|")}  # The fields of each event that are in its line of the course.
EVENTS["button_drawn"] = {"cards": [(SEAT, CARD)], "button": SEAT}
PROOF = {
    "version": 1, "origin": str, "table": NUMBER, "epoch": NUMBER, "hand": HAND, "variant": str, "cards": SEAT,
    "fate": 4, "reason": 7, "sealed_ms": NUMBER, "called_ms?": NUMBER, "dealt_ms?": NUMBER, "ended_ms": NUMBER,
    "seal": HASH, "envelopes": [HASH], "call?": HASH, "call_signature?": bytes(64), "cut_key?": HASH, "cut?": [51],
    "roster": [{"seat": SEAT, "entry": NUMBER, "state": 3, "pledge?": HASH, "seed?": HASH}], "secret?": HASH,
    "course?": [EVENTS], "viewer?": SEAT, "looked_up?": [SEAT], "escrow_hash?": HASH,
    "openings?": [{"position": 51, "place": 51, "card": CARD, "salt": bytes(16), "to": str}],
    "notes?": {"seal": HASH, "call?": HASH, "entry": NUMBER, "pledge?": HASH, "seed?": HASH, "in_time": bool,
               "hole?": [CARD], "course?": HASH}, "auditor?": {"secret": HASH, "deck?": str},
    "log?": {**dict.fromkeys(["seal", "fate"], {"index": NUMBER, "path": [HASH]}), "checkpoint": str,
             **dict.fromkeys(["older?", "newer?"], {"checkpoint": str, "path": [HASH]})}}
class Unreadable(Exception): """The file is no proof: nothing in it can be checked."""
class Failed(Exception): """A check does not hold."""
def need(true, sentence, error=Failed):
    if not true:
        raise error(sentence)
def read(value, shape, name):
    """The value in the form it must have, objects as namespaces, digits as bytes; raise Unreadable."""
    def must(true, wanted):
        need(true, f"{name.rstrip('?')} is not {wanted}", Unreadable)
    if value is None and name.endswith("?"):
        return None
    if shape is EVENTS:
        value = parse(value) if isinstance(value, str) else value
        kind = read(value, {"type": str}, name).type
        must(kind in EVENTS, "all of known events")
        return SimpleNamespace(type=kind, **vars(read(value, EVENTS[kind], kind)))
    if isinstance(shape, dict):
        must(isinstance(value, dict), "an object")
        missing = [key for key in shape if key not in value and not key.endswith("?")]
        must(not missing, f"complete, these are missing: {missing}")
        return SimpleNamespace(**{key.rstrip("?"): read(value.get(key.rstrip("?")), shape[key], key) for key in shape})
    if isinstance(shape, (list, tuple)):
        must(isinstance(value, list) and len(value) <= 2000, "a list of at most 2,000")
        must(isinstance(shape, list) or len(value) == len(shape), f"a list of {len(shape)}")
        return [read(item, inner, name.rstrip("?")) for item, inner in zip(value, itertools.cycle(shape))]
    if isinstance(shape, bytes):
        digits = f"[0-9a-f]{{{2 * len(shape)}}}"
        must(isinstance(value, str) and re.fullmatch(digits, value), f"text of the form {digits}")
        return bytes.fromhex(value)
    if isinstance(shape, int):
        must(type(value) is int and 0 <= value <= shape, f"a whole number from 0 to {shape}")
    else:
        must(type(value) is (bool if shape is bool else str) and len(str(value)) < 9000, "a short text or a yes or no")
        must(not isinstance(shape, str) or value in DECK or value == "??" and shape == SHOWN, "a card")
    return value
def unique(pairs):
    need(len(dict(pairs)) == len(pairs), "an object names one key twice", Unreadable)
    return dict(pairs)
def parse(source):
    try:
        return json.loads(source, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no JSON that can be read ({str(error)[:80]})") from None

# ---- hashes, permutations, signatures ----
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def tag(purpose): return f"fair1/{purpose}".encode().ljust(16, b"\0")
def u64(value): return value.to_bytes(8, "big")
def stream(key, purpose, hand_id, length=256):
    """HKDF-SHA-256 without salt (RFC 5869)."""
    secret, block, output = hmac.digest(bytes(32), key, "sha256"), b"", b""
    while len(output) < length:
        block = hmac.digest(secret, block + tag(purpose) + hand_id + bytes([len(output) // 32 + 1]), "sha256")
        output += block
    return output[:length]
def permute(source):
    """A permutation of the deck, each equally likely: words that would favour a place are skipped."""
    order, values = list(range(52)), (int.from_bytes(source[at : at + 2], "big") for at in range(0, len(source), 2))
    for last in range(51, 0, -1):
        place = next(word for word in values if word < 65536 - 65536 % (last + 1)) % (last + 1)
        order[last], order[place] = order[place], order[last]
    return order
PRIME, GROUP = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
def add(p, q):
    mixed = CURVE * p[0] * p[1] * q[0] * q[1] % PRIME
    x, y = p[0] * q[1] + p[1] * q[0], p[1] * q[1] + p[0] * q[0]
    return x * pow(1 + mixed, -1, PRIME) % PRIME, y * pow(1 - mixed, -1, PRIME) % PRIME
def times(scalar, point):
    rest = times(scalar >> 1, add(point, point)) if scalar else (0, 1)
    return add(rest, point) if scalar & 1 else rest
def point_of(encoded):
    """The point of the curve, or None."""
    y, sign = int.from_bytes(encoded, "little") & (2**255 - 1), encoded[31] >> 7
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    x = x if x * x % PRIME == square else x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    return (x if x & 1 == sign else PRIME - x, y) if y < PRIME and x * x % PRIME == square and (x or not sign) else None
BASE = point_of((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))
@functools.lru_cache(maxsize=1000)
def is_signed(key, message, signature):
    """Ed25519 (RFC 8032): S times the base point equals R plus k times the key."""
    public, nonce, scalar = point_of(key), point_of(signature[:32]), int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % GROUP
    return bool(public and nonce and scalar < GROUP) and times(scalar, BASE) == add(nonce, times(k, public))

# ---- the log (RFC 6962, RFC 9162, C2SP checkpoints) ----
def open_head(p, text):
    """Size and root of a head that the room's log key signed."""
    found = re.fullmatch("([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n\n((?:\u2014 [^\n]+\n)+)", text)
    need(found and found[1] == p.origin, "The head is none of this room's log.")
    for line, key in itertools.product(found[4].splitlines(), p.log_keys):
        name, _, value = line[2:].partition(" ")
        value = base64.b64decode(value) if name == p.origin and re.fullmatch("[A-Za-z0-9+/]{91}=", value) else b""
        named = value[:4] == sha(name.encode(errors="replace"), b"\n\1", key)[:4]
        if named and is_signed(key, text[: found.end(3) + 1].encode(errors="replace"), value[4:]):
            return int(found[2]), base64.b64decode(found[3])
    raise Failed("The head of the log is not signed with a log key.")
def climb(first, last, nodes, path):
    """Follow a path to the root: a hash from the left joins every node, one from the right the last node."""
    for other in path:
        need(last, "A path in the log is too long.")
        if first & 1 or first == last:
            nodes = [sha(b"\1", other, node) for node in nodes]
            while first and not first & 1: first, last = first >> 1, last >> 1
        else:
            nodes = [*nodes[:-1], sha(b"\1", nodes[-1], other)]
        first, last = first >> 1, last >> 1
    need(not last, "A path in the log is too short.")
    return nodes
def need_leaf(p, kind, leaves):
    need(p.log, "The hand is not in the log.")
    (size, root), at = open_head(p, p.log.checkpoint), getattr(p.log, kind)
    need(at.index < size, f"The leaf of the {kind} lies beyond the end of the log.")
    roots = [climb(at.index, size - 1, [sha(b"\0", leaf)], at.path) for leaf in leaves]
    need([root] in roots, f"The log does not hold this {kind}.")
def line_of(value):
    inside = list(vars(value).values()) if isinstance(value, SimpleNamespace) else value
    return "-" if value is None else f"({' '.join(map(line_of, inside))})" if isinstance(inside, list) else str(value)
def course_of(p):
    link = sha(tag("course"), p.hand_id, p.seal)
    for told in p.course:
        link = sha(link, " ".join(map(line_of, vars(told).values())).encode(errors="replace"))
    return link

# ---- what the public events dealt ----
def show(deal, places, cards):
    need(len(places) == len(cards), "A hand was shown with another number of cards than it has.")
    for place, card in zip(places, cards):
        deal.clash |= card != "??" and deal.shown.setdefault(place, card) != card
def seats_dealt_in(p):
    """Seats in the order of dealing, when the course is that of one whole hand."""
    kinds, start = " ".join(told.type for told in p.course), p.course[0].type == "button_drawn"
    once = r"(button_drawn )?hand_began( (?!button_drawn|hand_began|hand_ended)\w+)*" + " hand_ended" * (p.fate == 1)
    need(re.fullmatch(once, kinds), "The course does not begin and end with the hand.")
    began, hands = p.course[start], {told.hand for told in p.course if "hand" in vars(told)}
    need(hands == {p.hand} and began.variant == p.variant and p.variant in GAMES, "The course is that of another hand.")
    seats = [stack.seat for stack in began.stacks]
    need({row.seat for row in p.roster} >= set(seats), "A seat was dealt in that was not called.")
    order = sorted(set(seats), key=lambda seat: (seat <= began.button, seat))
    need(len(seats) > 1 and seats == order, "The seats are not in order from left of the button.")
    return seats
def follow(p):
    """Positions of the cards from the public events, by the game's order of dealing, burns and streets."""
    deal = SimpleNamespace(hole={}, shown={}, own=set(), clash=False)
    if not p.course and p.fate > 1:
        return deal
    need(p.course and p.fate < 3, "The course is left out, or it is that of a hand without cards.")
    live, streets, at, street, waiting = seats_dealt_in(p), GAMES[p.variant], 0, 0, True
    for dealing, run in itertools.groupby(p.course, lambda told: told.type == "hole_cards_dealt"):
        run, (_, down, up, board) = list(run), streets[street]
        if dealing:
            need(waiting and [told.seat for told in run] == live, "Cards were not dealt to each seat in turn.")
            for turn, told in enumerate(run):
                cards = told.up == up and [card == "??" for card in told.cards] == [True] * down + [False] * up
                need(cards, "A seat got other cards than the street has.")
                own = [at + turn + number * len(live) for number in range(down + up)]
                deal.hole.setdefault(told.seat, []).extend(own)
                show(deal, own, told.cards)
            at, waiting = at + len(live) * (down + up), False
        for told in [] if dealing else run:
            need(not waiting or told.type in ("button_drawn", "hand_began", "posted"), "Cards of a street are missing.")
            if told.type == "street_dealt":
                street += 1
                need(street < len(streets) and told.street == streets[street][0], "A street is out of order.")
                each, board = len(live) * sum(streets[street][1:3]), streets[street][3]
                board = 1 if 52 - at < each else board  # A common card when the deck is too short for all.
                need(len(told.cards) == board and "??" not in told.cards, "A street has another number of cards.")
                at += 52 - at > (board or each)  # One card is burnt, unless the street needs them all.
                show(deal, range(at, at + board), told.cards)
                at, waiting = at + board, not board
            elif told.type == "folded":
                live = [seat for seat in live if seat != told.seat]
            hands = [(told.seat, told.cards)] if told.type == "cards_shown" else vars(told).get("hands", [])
            for seat, cards in hands:
                need(seat in deal.hole.keys() & live, "Cards were shown by a seat that has none, or that folded.")
                show(deal, deal.hole[seat], cards)
    need(not waiting or p.fate == 2, "No cards were dealt.")
    need(at <= 52, "More cards were dealt than the deck has.")
    need(p.fate == 2 or len(live) == 1 or live and street == len(streets) - 1, "The hand ended before its last street.")
    showdown = set(live) if p.fate == 1 and len(live) > 1 else set()  # Its hands alone may be looked up.
    open_to = {p.viewer} | showdown & set(p.looked_up) if p.viewer in deal.hole else set()
    deal.own = {place for seat in open_to for place in deal.hole.get(seat, [])}
    return deal

# ---- the checks ----
def v01(p):
    """The seal is that of the 52 envelopes, and none is left out."""
    need(len(p.envelopes) == p.cards == 52, "There are not 52 envelopes.")
    need(p.seal == sha(tag("seal"), p.hand_id, b"\x34", *p.envelopes), "The seal is not that of these envelopes.")
def v02(p):
    """A secret that is published, or that an auditor has, makes exactly these envelopes."""
    secrets = [secret for secret in (p.secret, p.auditor and p.auditor.secret) if secret]
    need(secrets or p.fate < 3, "The secret of a deck that was never dealt is not published.")
    for secret in secrets:
        order, salts = permute(stream(secret, "order", p.hand_id)), stream(secret, "salts", p.hand_id, 832)
        made = [sha(tag("card"), bytes([at, order[at]]), salts[16 * at : 16 * at + 16]) for at in range(52)]
        need(made == p.envelopes, "The secret makes other envelopes.")
        decks = (None, "".join(DECK[order[place]] for place in p.cut))
        need(not p.auditor or p.auditor.deck in decks, "The auditor's deck is another one.")
    return None if secrets else "No secret is in the file: it opens every card and stays with the room."
def v03(p):
    """The call is that of seal, seats and pledges, and signed by the room."""
    if p.call is None and p.fate > 2 and not p.roster:
        return "The hand was never called."
    need(p.fate < 4, "A hand that was called is told as one that never was.")
    seats, entries = [row.seat for row in p.roster], {row.entry for row in p.roster}
    need(seats and seats == sorted(set(seats)) and len(entries) == len(seats), "Seats are left out or not in order.")
    rows = [bytes([row.seat]) + u64(row.entry) + (row.pledge or ZEROS) for row in p.roster]
    call = sha(tag("call"), p.hand_id, p.seal, bytes([len(rows)]), *rows)
    need(call == p.call, "The call is not that of this seal, these seats and pledges.")
    signed = [is_signed(key, tag("called") + call, p.call_signature or bytes(64)) for key in p.call_keys]
    need(any(signed), "The call is not signed with a call key.")
def v04(p):
    """Every seed opens its pledge; states and seeds fit; no seed is there twice."""
    for row in p.roster:
        there = row.pledge is not None, row.seed is not None
        need(there == (row.state > 0, row.state > 1), f"Pledge and seed of seat {row.seat} do not fit its state.")
        made = row.seed and sha(tag("pledge"), p.room, u64(row.entry), row.seed)
        need(made in (None, row.pledge), f"The seed of seat {row.seat} does not open its pledge.")
    values = [value for row in p.roster for value in (row.seed, row.pledge) if value]
    need(len(values) == len(set(values)), "Two seats have the same seed or pledge.")
def v05(p):
    """Seal, call, own pledge and cut, own cards and course are those that this browser noted."""
    if p.notes is None:
        return "No notes of a browser are in the file: nothing to compare."
    need((p.notes.seal, p.notes.call) == (p.seal, p.call), "Seal or call are not those that were noted.")
    mine = [row for row in p.roster if row.entry == p.notes.entry]
    need(not p.roster or mine and mine[0].seat == p.viewer, "The own entry was not called at this seat.")
    for row in mine:
        same = (row.pledge, row.seed or p.notes.seed) == (p.notes.pledge, p.notes.seed)
        need(same, "The own pledge or seed is not the one that was noted.")
        need(p.fate > 2 or not p.notes.in_time or row.state == 2, "The own cut was sent in time and is left out.")
    if p.fate == 2 and not p.course:
        return "Cards and course of this void hand are not in the file: not compared with the notes."
    opened = {opening.position: opening.card for opening in p.openings}
    own = [opened.get(place) for place in follow(p).hole.get(p.viewer, [])]
    need(p.notes.hole in (None, own), "The own cards are not those that were noted.")
    need(p.notes.course in (None, course_of(p)), "The course is not the one that was noted.")
def v06(p):
    """The hand was sealed, called, dealt and ended in this order."""
    moments = [p.sealed_ms, *(at for at in (p.called_ms, p.dealt_ms) if at or p.fate == 1), p.ended_ms]
    need(moments[0] and moments == sorted(moments), "The times are not in this order.")
def v07(p):
    """The cut follows from the call and the seeds that were opened in time."""
    if p.fate > 1 and not p.cut_key and not p.cut and not p.course:
        return "The deck was not cut."
    seeds = [b"\2" + (row.seed or ZEROS) if row.state == 2 else bytes([row.state > 0]) + ZEROS for row in p.roster]
    key = sha(tag("cutkey"), p.call or ZEROS, bytes([len(seeds)]), *seeds)
    need(key == p.cut_key, "The key of the cut is not that of the call and these seeds.")
    need(p.cut == permute(stream(key, "cut", p.hand_id)), "The cut is not the one that this key makes.")
def v08(p):
    """Each opened card lay in the envelope at its position; no card and no position is there twice."""
    for o in p.openings:
        need(p.cut[o.position : o.position + 1] == [o.place], f"Position {o.position} has another envelope.")
        made = sha(tag("card"), bytes([o.place, DECK.index(o.card)]), o.salt)
        need([made] == p.envelopes[o.place : o.place + 1], f"{o.card} was not in envelope {o.place}.")
    least = min(len({o.card for o in p.openings}), len({o.position for o in p.openings}))
    need(least == len(p.openings), "A card or a position is opened twice.")
def v09(p):
    """All seats dealt in were called; order of dealing, burns and streets are those of the game."""
    return None if follow(p).hole else "No cards were dealt, or the file does not tell them."
def v10(p):
    """All cards that were shown and all own cards are opened, and they are those that were told."""
    deal, opened = follow(p), {o.position: o.card for o in p.openings}
    need(not deal.clash, "A card was shown as two different ones.")
    for place in deal.own | set(deal.shown) if p.fate == 1 else opened:
        need(place in opened, f"The card at position {place} is not opened.")
        need(opened[place] == deal.shown.get(place, opened[place]), f"Another card was told for position {place}.")
    return None if p.fate == 1 else "No opened card is another one than was told: a void hand need open none."
def v11(p):
    """Nothing else is opened, and each card only to those who were shown it."""
    deal = follow(p)
    need(p.fate > 2 or not p.secret, "The secret of a dealt deck opens every card.")
    for o in p.openings if p.fate < 3 else []:
        right = "all" if o.position in deal.shown else "you" if o.position in deal.own else None
        need(o.to == right, f"The card at position {o.position} is opened to others than it was shown to.")
def v12(p):
    """The first button follows from the cut."""
    if len(p.course) < 2 or p.course[0].type != "button_drawn":
        return "No button was drawn in this hand."
    seats, drawn = sorted(row.seat for row in p.roster), permute(stream(p.cut_key or ZEROS, "button", p.hand_id))
    cards, told = dict(zip(seats, drawn)), p.course[0]
    need(told.cards in ([], [[seat, DECK[card]] for seat, card in cards.items()]), "The seats drew other cards.")
    buttons = {told.button, vars(p.course[1]).get("button"), max(cards, key=cards.get, default=None)}
    need(len(buttons) == 1, "The highest card did not get the button.")
def v13(p):
    """The seal is in the public log, under a head that the room signed."""
    need_leaf(p, "seal", [b"\1\1" + p.hand_id + p.seal + u64(p.sealed_ms) + (p.escrow_hash or ZEROS)])
def v14(p):
    """The hand's end, with what was known of its public part and course, is in the log after its seal."""
    rows = [bytes([row.seat]) + u64(row.entry) + bytes([row.state]) + (row.pledge or ZEROS) + (row.seed or ZEROS)
            for row in p.roster]
    cards = [bytes([o.position, o.place, DECK.index(o.card)]) + o.salt
             for o in sorted(p.openings, key=lambda o: o.position) if o.to == "all"]
    public = sha(tag("public"), p.hand_id, p.seal, u64(p.called_ms), u64(p.dealt_ms),
                 bytes([len(rows)]), *rows, bytes([len(cards)]), *cards)
    forms = 1 if p.fate == 1 else 2  # Zeros stand for a hash that the room does not know any more.
    ends = [part + course for part in (public, ZEROS)[:forms] for course in (course_of(p), ZEROS)[:forms]]
    start = b"\1\2" + p.hand_id + p.seal + bytes([p.fate, p.reason]) + u64(p.ended_ms)
    need_leaf(p, "fate", [start + end for end in ends])
    need(p.log.seal.index < p.log.fate.index, "The end of the hand is in the log before its seal.")
    need((p.fate == 1) == (p.reason == 0), "The reason does not fit the end of the hand.")
def v15(p):
    """The log continues a head that was seen before, and one seen since continues it: nothing was rewritten."""
    need(p.log, "The hand is not in the log.")
    head, older, newer = open_head(p, p.log.checkpoint), p.log.older, p.log.newer
    for seen in filter(None, [older, newer]):
        (old_size, old_root), (size, root) = [open_head(p, seen.checkpoint), head][:: 1 if seen is older else -1]
        need(0 < old_size <= size, "The head is older than the one that was seen before.")
        first, last = (old_size - 1, size - 1) if old_size < size else (0, 0)
        while first & 1: first, last = first >> 1, last >> 1
        path = seen.path if first else [old_root, *seen.path]
        need(climb(first, last, path[:1] * 2, path[1:]) == [old_root, root], "The log was rewritten between two heads.")
    return None if older or newer else "No other head is in the file: nothing to compare."
def verify(data, log_keys, call_keys):
    """Code, whether it holds and a sentence for each check, and remarks on the hand; raise Unreadable."""
    p, results = read(data, PROOF, "the proof"), []
    need(p.fate > 1 or None not in (p.course, p.openings, p.looked_up), "a list of it is missing", Unreadable)
    for key, empty in {"called_ms": 0, "dealt_ms": 0, "cut": [], "course": [], "openings": [], "looked_up": []}.items():
        setattr(p, key, getattr(p, key) or empty)
    known = p.version == 1 and p.fate and max(len(p.roster), len(p.openings)) < 256
    need(known, "version, fate, number of seats or of openings is none that this script knows", Unreadable)
    p.log_keys, p.call_keys, p.room = log_keys, call_keys, sha(tag("room"), p.origin.encode(errors="replace"))[:16]
    p.hand_id = p.room + u64(p.table) + u64(p.epoch) + p.hand.to_bytes(4, "big")
    for check in [v01, v02, v03, v04, v05, v06, v07, v08, v09, v10, v11, v12] + [v13, v14, v15] * bool(log_keys):
        try:
            results.append((check.__name__.upper(), True, check(p) or check.__doc__))
        except Failed as failed:
            results.append((check.__name__.upper(), False, str(failed)))
    states = {row.seat: row.state for row in p.roster}
    why = ["you had no pledge", "your cut did not come", "", "your cut came too late"][states.get(p.viewer, 2)]
    remark = f"You did not cut this deck: {why}." if why else ""
    remark = remark if 2 in states.values() else "Nobody cut: only the room shuffled this deck."
    remark = f"This hand was {FATES[p.fate]}: {REASONS[p.reason]}." if p.fate > 1 else remark
    unknown = sorted(set(data) - {key.rstrip("?") for key in PROOF} - {"case"})
    remarks = [remark] * bool(remark) + NO_LOG * (not log_keys)
    return results, remarks + [f"Not checked, as not known: {str(unknown)[:200]!a}."] * bool(unknown)
def main():
    parser = argparse.ArgumentParser(description="Check the proof of one poker hand.")
    parser.add_argument("proof", metavar="PROOF.json")
    for key in ("--log-key", "--call-key"):
        parser.add_argument(key, action="append", default=[], required=key[2] == "c", metavar="HEX", help="repeatable")
    given = parser.parse_args()
    try:
        log_keys, call_keys = read(given.log_key, [HASH], "--log-key"), read(given.call_key, [HASH], "--call-key")
        with open(given.proof, "rb") as file:
            results, remarks = verify(parse(file.read(4_000_000).decode()), log_keys, call_keys)
    except (Unreadable, OSError, UnicodeDecodeError) as error:
        return print(f"This cannot be checked: {error}.", file=sys.stderr) or 2
    lines = [f"{code} {'ok    ' if holds else 'FAILED'} {sentence}" for code, holds, sentence in results]
    failures = sum(not holds for _, holds, _ in results)
    lines += [f"Note: {remark}" for remark in remarks]
    print(*lines, f"Checks that failed: {failures}." if failures else "All checks hold.", sep="\n")
    return min(failures, 1)
if __name__ == "__main__":
    sys.exit(main())
