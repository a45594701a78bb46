"""Mirror the log of a room and check its laws: python verify_log.py URL --log-key HEX --keep FILE.

Needs Python 3.9 or newer and nothing else. Take the public log key from a place you trust, and give --log-key twice
while a room changes it. FILE keeps the last signed head and what is needed to go on from it, so that the next run reads
what is new alone: run it daily, because a log that nobody keeps heads of can be another one for everybody.

Prints each law with its sentence, then the numbers. Exit status 0: all laws hold; 1: one does not hold, and FILE stays
as it was when L01 to L03 fail; 2: nothing could be checked. A law that was broken once stays broken in FILE.
"""
from __future__ import annotations
import argparse, base64, functools, hashlib, hmac, http.client, json, os, re, sys, time, urllib.parse, urllib.request
from datetime import date, datetime, timezone
LAWS = {
    "L01": "The head is signed with a log key that you gave.",
    "L02": "The log continues the head that was kept: nothing before it was changed or taken away.",
    "L03": "Leaves, tiles and head belong together: the signed root is that over all leaves.",
    "L04": "Every leaf has a known form and is of this room.",
    "L05": "Every seal has one fate at most, later than it; a seal without one is that of a hand in play.",
    "L06": "No seal is there twice.",
    "L07": "The hands of an epoch of a table count up by one.",
    "L08": "An epoch that is followed by a higher one ends with fate 2, 3 or 4, or with a hand that was decided in it "
           "and settled after it, so that the next epoch counts on.",
    "L09": "Every secret of an undealt deck (fates 3 and 4) that was told remakes its seal.",
}
FATES = ["", "played", "void in play", "void before the cards", "never played"]
REASONS = ["no reason", "Redis was new", "superseded", "not in Redis", "closed", "key lost", "a fault", "another deck"]
GENESIS, SEAL, FATE, KEYS = 0, 1, 2, 3
SIZES = {GENESIS: 50, SEAL: 110, FATE: 144, KEYS: 106}  # Bytes of a leaf by its kind.
FORMAT, WIDTH = "verify_log 1", 256
HEAD_MAX, BUNDLE_MAX, OPENED_MAX = 20_000, WIDTH * (2 + 256), WIDTH * 500  # Bytes of an answer.
SENTENCES_KEPT, BUNDLES_ASKED, DAYS_SHOWN = 20, 1_000, 14
SILENCE_S, ANSWER_S, BUSY_S = 20, 60, 3  # Seconds: without a byte, for an answer, until a busy room is asked again.
class Unchecked(Exception): """Nothing can be checked: no answer, a wrong FILE, bad arguments."""
class Missing(Exception): """The room has nothing at this address (404)."""
class Broken(Exception):
    """The first three laws: without them nothing else means anything."""
    def __init__(self, law, sentence):
        super().__init__(sentence)
        self.law = law

# ---- hashes and signatures, as in verify.py; each script is one file that imports nothing of the other ----
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def tag(purpose): return f"fair1/{purpose}".encode().ljust(16, b"\0")
def stream(key, purpose, hand_id, length):
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
def seal_of(secret, hand_id):
    """The seal over the 52 envelopes that a secret makes."""
    order, salts = permute(stream(secret, "order", hand_id, 256)), stream(secret, "salts", hand_id, 16 * 52)
    envelopes = [sha(tag("card"), bytes([at, card]), salts[16 * at : 16 * at + 16]) for at, card in enumerate(order)]
    return sha(tag("seal"), hand_id, bytes([52]), *envelopes)
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
@functools.lru_cache(maxsize=100)
def is_signed(key, message, signature):
    """Ed25519 (RFC 8032): S times the base point equals R plus k times the key."""
    public, nonce, scalar = point_of(key), point_of(signature[:32]), int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % GROUP
    return bool(public and nonce and scalar < GROUP) and times(scalar, BASE) == add(nonce, times(k, public))

# ---- answers of the room ----
class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A log has one address: an answer that leads elsewhere is none."""
    def redirect_request(self, *args, **named): return None
OPENER = urllib.request.build_opener(NoRedirects)
def fetch(base, path, most, tries=5):
    """The bytes at an address under /fair/; raise Missing, or Unchecked without an answer."""
    body, until = b"", time.monotonic() + ANSWER_S
    try:
        with OPENER.open(base + path, timeout=SILENCE_S) as answer:
            while len(body) <= most and (part := answer.read1(65536)):
                body += part
                if time.monotonic() > until:
                    raise TimeoutError(f"it took longer than {ANSWER_S} seconds")
    except urllib.error.HTTPError as error:
        if error.code == 404:
            raise Missing(f"{base + path} is not there") from None
        if error.code in (429, 503) and tries > 1:
            return time.sleep(BUSY_S) or fetch(base, path, most, tries - 1)
        raise Unchecked(f"{base + path} answers with status {error.code}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unchecked(f"{base + path} does not answer ({str(error)[:100]!a})") from None
    if len(body) > most:
        raise Unchecked(f"{base + path} answers with more than {most} bytes")
    return body
def name_of(number):
    """Number of a tile in an address, e.g. x001/x234/067."""
    first, *rest = f"{number:,}".split(",")
    groups = [first.zfill(3), *rest]
    return "".join(f"x{group}/" for group in groups[:-1]) + groups[-1]
def width_of(count): return "" if count == WIDTH else f".p/{count}"
def bundle(base, number, count):
    """Leaves of an entry bundle, all of those that the head covers."""
    path = f"tile/entries/{name_of(number)}{width_of(count)}"
    try:
        data, leaves, at = fetch(base, path, BUNDLE_MAX), [], 0
    except Missing as missing:
        raise Broken("L03", f"A bundle of leaves under the signed head is missing: {missing}.") from None
    while at + 2 <= len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2], "big")
        leaves.append(data[at + 2 : end])
        at = end
    if at != len(data) or len(leaves) != count:
        raise Broken("L03", f"{path} holds {len(leaves)} leaves, and the head covers {count} of it.")
    return leaves

# ---- heads (C2SP checkpoints) and tree (RFC 6962) ----
def open_head(text, keys, where):
    """Origin, size and root of a signed head."""
    found = re.fullmatch("([!-~]{1,255})\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n\n((?:\u2014 [^\n]+\n)+)", text)
    if not found:
        raise Unchecked(f"{where} is no head of a log")
    for line in found[4].splitlines():
        name, _, value = line[2:].partition(" ")
        value = base64.b64decode(value) if name == found[1] and re.fullmatch("[A-Za-z0-9+/]{91}=", value) else b""
        for key in keys:
            named = value[:4] == sha(name.encode(), b"\n\1", key)[:4]
            if named and is_signed(key, text[: found.end(3) + 1].encode(), value[4:]):
                return found[1], int(found[2]), base64.b64decode(found[3])
    raise Broken("L01", f"{where} is signed with none of the keys that you gave. A room that changes its key tells the "
                 "new one in a leaf and signs with both for a while: ask where you trust, and give the old one, too.")
def fold(hashes):
    """The root over a power of two of hashes."""
    while len(hashes) > 1:
        hashes = [sha(b"\1", hashes[at], hashes[at + 1]) for at in range(0, len(hashes), 2)]
    return hashes[0]
def root_of(tiles):
    """The root of a log from the unfinished tile of each level."""
    tops = [fold(hashes[len(hashes) // (2 * bit) * 2 * bit :][:bit])
            for hashes in reversed(tiles) for bit in (128, 64, 32, 16, 8, 4, 2, 1) if len(hashes) & bit]
    root = tops.pop() if tops else sha()
    while tops:
        root = sha(b"\1", tops.pop(), root)
    return root
def compare(base, level, number, hashes, kept):
    """A tile as the room serves it is that of the leaves; its first hashes up to `kept` leaves were signed before."""
    path, at = f"tile/{level}/{name_of(number)}{width_of(len(hashes))}", (kept >> 8 * level) - number * WIDTH
    try:
        served = fetch(base, path, WIDTH * 32)
    except Missing as missing:
        raise Broken("L03", f"A tile under the signed head is missing: {missing}.") from None
    if served != b"".join(hashes):
        wrong = next((i for i, one in enumerate(hashes) if served[32 * i : 32 * i + 32] != one), len(hashes))
        if wrong < at:
            raise Broken("L02", f"The log was forked: hash {wrong} of {path} is another one than under the kept head.")
        raise Broken("L03", f"A tile is damaged: hash {wrong} of {path} is not that of the leaves.")
def grow(log, base, size):
    """Read the leaves from the kept head to a new one, and make the tree over them."""
    kept, tiles = log.size, log.tiles
    for number in range(kept // WIDTH, -(-size // WIDTH)):
        first = number * WIDTH
        leaves = bundle(base, number, min(WIDTH, size - first))
        hashes, known = [sha(b"\0", leaf) for leaf in leaves], tiles[0]
        if hashes[: len(known)] != known:
            at = first + next(at for at, one in enumerate(known) if hashes[at] != one)
            raise Broken("L02", f"The log was forked: leaf {at} is another one than under the kept head.")
        tiles[0] = hashes
        compare(base, 0, number, hashes, kept)
        for at, leaf in enumerate(leaves[len(known) :], first + len(known)):
            judge(log, at, leaf)
        level, place = 0, number
        while len(tiles[level]) == WIDTH:
            tiles += [[]] * (level + 2 - len(tiles))
            tiles[level + 1] = tiles[level + 1] + [fold(tiles[level])]
            tiles[level], level, place = [], level + 1, place // WIDTH
            if len(tiles[level]) == WIDTH:
                compare(base, level, place, tiles[level], kept)
    for level, hashes in enumerate(tiles[1:], 1):
        if hashes:
            compare(base, level, (size >> 8 * level) // WIDTH, hashes, kept)
    log.size = size

# ---- what is kept in FILE ----
class Log:
    """A log as far as it was read: its head, its tree, and what the laws need of older leaves."""
    def __init__(self):
        self.origin, self.note, self.size, self.newest_ms, self.opened = "", "", 0, 0, 0
        self.tiles = [[]]  # Hashes of the unfinished tile of each level.
        self.seals = set()  # The first 8 bytes of every seal: two of a billion are alike in one of 37 logs.
        self.open = {}  # By seal without a fate: index, name of the hand, ms.
        self.unopened = {}  # By seal of fate 3 or 4 whose secret was not told yet: index of the fate, name, ms.
        self.tables = {}  # By table: epoch, hand, seal and fate (0: none yet) of its last seal.
        self.days, self.reasons, self.keys, self.broken = {}, {}, [], {}
    def fail(self, law, sentence):
        count, sentences = self.broken.get(law, [0, []])
        self.broken[law] = [count + 1, sentences + [sentence] * (len(sentences) < SENTENCES_KEPT)]
def read_kept(path, keys):
    """The log as FILE keeps it, a new one without a FILE."""
    log = Log()
    try:
        with open(path, encoding="utf-8") as file:
            first, _, text = file.read().partition("\n")
    except FileNotFoundError:
        return log
    except ValueError:
        first, text = "", ""
    if first != f"{FORMAT} {sha(text.encode()).hex()}":
        raise Unchecked(f"{path} is none that this script wrote, or it was changed since")
    vars(log).update(json.loads(text))
    log.tiles = [[bytes.fromhex(one) for one in hashes] for hashes in log.tiles]
    seals = base64.b64decode(log.seals)
    log.seals = {seals[at : at + 8] for at in range(0, len(seals), 8)}
    if open_head(log.note, keys, f"The head that {path} keeps") != (log.origin, log.size, root_of(log.tiles)):
        raise Unchecked(f"{path} was changed: what it keeps is not under the head that it keeps")
    return log
def keep(log, path):
    tiles = [[one.hex() for one in hashes] for hashes in log.tiles]
    text = json.dumps({**vars(log), "tiles": tiles, "seals": base64.b64encode(b"".join(sorted(log.seals))).decode()})
    save(path, f"{FORMAT} {sha(text.encode()).hex()}\n{text}")
def save(path, text):
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)

# ---- the laws of single leaves ----
def place_of(hand): return int(hand[32:48], 16), int(hand[48:64], 16), int(hand[64:72], 16)
def words(hand): return "table {}, epoch {}, hand {}".format(*place_of(hand))
def judge(log, index, leaf):
    kind = leaf[1] if leaf[:1] == b"\1" and len(leaf) > 1 else None
    if len(leaf) != SIZES.get(kind) or (kind == GENESIS) != (index == 0):
        return log.fail("L04", f"Leaf {index} has no form that this script knows, or not its place.")
    if kind in (GENESIS, KEYS):
        log.newest_ms = int.from_bytes(leaf[-8:], "big")
        log.keys += [leaf[34:66].hex()] * (kind == KEYS and leaf[34:66].hex() not in log.keys)
        return None
    hand, seal = leaf[2:38].hex(), leaf[38:70].hex()
    if leaf[2:18] != sha(tag("room"), log.origin.encode())[:16]:
        return log.fail("L04", f"Leaf {index} is that of another room.")
    return (judge_seal if kind == SEAL else judge_fate)(log, index, leaf, hand, seal)
def judge_seal(log, index, leaf, hand, seal):
    if leaf[38:46] in log.seals:
        log.fail("L06", f"Leaf {index}: the seal of {words(hand)} is in the log for the second time.")
    table, epoch, hand_number = place_of(hand)
    last_epoch, last_hand, _, fate = log.tables.get(str(table), [epoch, hand_number - 1, "", 0])
    if epoch == last_epoch and hand_number != last_hand + 1 or epoch < last_epoch:
        log.fail("L07", f"Leaf {index}: the seal of {words(hand)} comes after hand {last_hand} of epoch {last_epoch}.")
    # A hand whose betting was over goes on in the next epoch with its deck: nothing of it is dealt again.
    counts_on = fate == 1 and hand_number == last_hand + 1
    if epoch > last_epoch and fate not in (2, 3, 4) and not counts_on:
        log.fail("L08", f"Leaf {index}: {words(hand)} follows epoch {last_epoch}, whose last hand {last_hand} "
                        f"{'was played' if fate == 1 else 'has no fate'}.")
    log.seals.add(leaf[38:46])
    log.newest_ms = int.from_bytes(leaf[70:78], "big")
    log.open[seal] = [index, hand, log.newest_ms]
    log.tables[str(table)] = [epoch, hand_number, seal, 0]
def judge_fate(log, index, leaf, hand, seal):
    fate, reason, ended_ms = leaf[70], leaf[71], int.from_bytes(leaf[72:80], "big")
    if seal not in log.open:
        told = "has a second fate" if leaf[38:46] in log.seals else "has its fate before its seal, or without one"
        return log.fail("L05", f"Leaf {index}: the deck of {words(hand)} {told}.")
    _, sealed_hand, sealed_ms = log.open.pop(seal)
    if sealed_hand != hand or not 1 <= fate <= 4 or reason >= len(REASONS) or ended_ms < sealed_ms:
        log.fail("L05", f"Leaf {index}: the fate of {words(hand)} does not fit its seal.")
        fate, reason = min(max(fate, 1), 4), min(reason, len(REASONS) - 1)
    last = log.tables[str(place_of(sealed_hand)[0])]
    last[3] = fate if last[2] == seal else last[3]
    log.newest_ms, day = ended_ms, str(date.fromordinal(719163 + min(ended_ms // 86_400_000, 2_900_000)))
    log.days.setdefault(day, [0] * 5)[fate] += 1
    if fate > 1:
        told = f"{FATES[fate]}, {REASONS[reason]}"
        log.reasons[told] = log.reasons.get(told, 0) + 1
    if fate > 2:
        log.unopened[seal] = [index, sealed_hand, ended_ms]
def check_opened(log, base):
    """Ask for the secrets of decks that were never dealt; the room tells one when its table closes."""
    bundles = sorted({index // WIDTH for index, _, _ in log.unopened.values()})
    for at in bundles[-BUNDLES_ASKED:]:
        try:
            told = [(str(deck["seal"]), bytes.fromhex(deck["secret"])) for deck in
                    json.loads(fetch(base, f"opened/{name_of(at)}", OPENED_MAX))["decks"]]
        except (Missing, ValueError, KeyError, TypeError, RecursionError):
            raise Unchecked(f"{base}opened/{name_of(at)} tells no secrets of undealt decks") from None
        for seal, secret in told:
            if seal in log.unopened:
                index, hand, _ = log.unopened.pop(seal)
                log.opened += 1
                if seal_of(secret, bytes.fromhex(hand)).hex() != seal:
                    log.fail("L09", f"The secret of {words(hand)}, fate at leaf {index}, makes another seal.")

# ---- one run ----
def moment(ms): return f"{datetime.fromtimestamp(min(ms, 2**47) / 1000, timezone.utc):%Y-%m-%d %H:%M} UTC"
def follow(base, keys, path):
    """Read the log from the head that FILE keeps to the newest one; return it and remarks."""
    log = read_kept(path, keys)
    remarks = [] if log.note else ["No head was kept before: L02 had nothing to compare."]
    try:
        note = fetch(base, "checkpoint", HEAD_MAX).decode("utf-8", "replace")
    except Missing:
        raise Unchecked(f"{base}checkpoint is not there: this address has no log, or it has no head yet") from None
    origin, size, root = open_head(note, keys, f"The head at {base}checkpoint")
    if log.note and origin != log.origin:
        first = bundle(base, 0, min(size, WIDTH))[0] if size else b""
        if first[2:42] != log.size.to_bytes(8, "big") + root_of(log.tiles):
            raise Unchecked(f"{path} keeps the log {log.origin}, and this address has the log {origin}, whose first "
                            "leaf does not name the kept head: use another FILE for it")
        remarks.append(f"The log {log.origin} ended at the kept head, {log.size} leaves; {origin} goes on from it.")
        broken, log = log.broken, Log()
        log.broken = broken
    try:
        if size < log.size:
            raise Broken("L02", f"The log shrank: {log.size} leaves were signed before, and now {size}.")
        begun, log.origin = log.size, origin
        if size > begun:
            grow(log, base, size)
        if root_of(log.tiles) != root:
            forked = f"The log was forked: the signed head of {size} leaves does not continue the kept one of {begun}."
            raise Broken("L02", forked) if begun else Broken("L03", "The signed root is not that over the leaves.")
    except Broken as broken:
        if broken.law == "L02":
            save(f"{path}.other-head", note)
            told = f"{broken} The other signed head is in {path}.other-head: with the kept one it convicts the room."
            raise Broken("L02", told) from None
        raise
    log.note = note
    check_opened(log, base)
    keep(log, path)
    newest = log.keys[-1] if log.keys else ""
    if newest and newest not in {key.hex() for key in keys}:
        remarks.append(f"A leaf tells another log key, {newest}: ask for it where you trust, and give it as well.")
    return log, [f"The head of {origin} is over {size} leaves, {size - begun} of them new; the newest is of "
                 f"{moment(log.newest_ms)}.", *remarks]
def numbers(log):
    """Shares of fates, their reasons, days, and what waits."""
    totals = [sum(counts[fate] for counts in log.days.values()) for fate in range(5)]
    ended = sum(totals) or 1
    yield "Decks: " + ", ".join(f"{totals[at]} {FATES[at]} ({totals[at] / ended:.2%})" for at in range(1, 5)) + "."
    for told, count in sorted(log.reasons.items(), key=lambda one: -one[1]):
        yield f"  {told}: {count}"
    for day, counts in sorted(log.days.items())[-DAYS_SHOWN:]:
        void = counts[2] + counts[3]
        yield f"  {day}: {counts[1]} played, {void} void ({void / (sum(counts) or 1):.2%}), {counts[4]} never played"
    if log.open:
        oldest = min(log.open.values(), key=lambda row: row[2])
        yield (f"Seals that wait for their fate: {len(log.open)}, the oldest since {moment(oldest[2])} "
               f"({words(oldest[1])}).")
    if log.opened or log.unopened:
        since = f", the oldest since {moment(min(ms for _, _, ms in log.unopened.values()))}" if log.unopened else ""
        yield f"Undealt decks: {log.opened} opened, {len(log.unopened)} not opened{since}."
def address(text):
    found = urllib.parse.urlsplit(text)
    if found.scheme not in ("http", "https") or not found.hostname or "@" in text or "?" in text or "#" in text:
        raise argparse.ArgumentTypeError("an address begins with https:// or http:// and is a host")
    return text.rstrip("/") + ("/" if text.rstrip("/").endswith("/fair") else "/fair/")
def log_key(text):
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise argparse.ArgumentTypeError("a key has 64 hexadecimal digits")
    return bytes.fromhex(text)
def main():
    parser = argparse.ArgumentParser(description="Mirror the log of a room and check its laws.")
    parser.add_argument("address", metavar="URL", type=address, help="the room, e.g. https://room.example")
    parser.add_argument("--log-key", required=True, action="append", type=log_key, metavar="HEX", help="public log key")
    parser.add_argument("--keep", required=True, metavar="FILE", help="what is kept from one run to the next")
    given = parser.parse_args()
    try:
        log, remarks = follow(given.address, given.log_key, given.keep)
    except (Unchecked, OSError) as error:
        return print(f"This cannot be checked: {error}.", file=sys.stderr) or 2
    except Broken as broken:
        print(*[f"{law} ok     {LAWS[law]}" for law in LAWS if law < broken.law],
              f"{broken.law} FAILED {LAWS[broken.law]}", f"           {broken}",
              "The other laws were not checked, and FILE stays as it was.", sep="\n")
        return 1
    for law, sentence in LAWS.items():
        count, sentences = log.broken.get(law, (0, []))
        print(f"{law} {'FAILED' if count else 'ok    '} {sentence}")
        for one in sentences + [f"… {count} in all"] * (count > len(sentences)):
            print(f"           {one}")
    print(*remarks, *numbers(log), sep="\n")
    print(f"Laws that do not hold: {len(log.broken)}." if log.broken else "All laws hold.")
    return 1 if log.broken else 0
if __name__ == "__main__":
    sys.exit(main())
