// What a player holds so far, in the notation of made hands: "two_pair:KT" (tables/engine/notation.py).

const RANKS = "23456789TJQKA";
const KINDS = [
  ...["high", "pair", "two_pair", "three", "straight", "flush"],
  ...["full_house", "four", "straight_flush", "royal_flush"],
];
const NAMED_BY_TWO = new Set(["two_pair", "full_house"]);
// How many hole cards and how many of the board make a hand; all others take any five.
const PARTS = { omaha: [2, 3], omaha5: [2, 3], omaha5_house: [3, 2], omaha_hilo: [2, 3], omaha5_hilo: [2, 3] };

function choices(cards, count) {
  if (count >= cards.length) return [cards];
  if (count === 0) return [[]];
  const [first, ...rest] = cards;
  return [...choices(rest, count - 1).map((chosen) => [first, ...chosen]), ...choices(rest, count)];
}

const rankOf = (card) => RANKS.indexOf(card[0]);

// The top card of a straight, -1 for none; the ace also goes below the two.
function straightTop(ranks) {
  const own = [...new Set(ranks)].sort((a, b) => b - a);
  if (own.length < 5) return -1;
  if (own[0] - own[4] === 4) return own[0];
  return own.join() === "12,3,2,1,0" ? 3 : -1;
}

// Up to five cards as numbers that compare from the left: the kind, then ranks by how often they come.
function weigh(cards) {
  const ranks = cards.map(rankOf);
  const times = new Map();
  for (const rank of ranks) times.set(rank, (times.get(rank) ?? 0) + 1);
  const groups = [...times].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const shape = groups.map(([, count]) => count);
  const top = straightTop(ranks);
  const flush = cards.length === 5 && new Set(cards.map((card) => card[1])).size === 1;
  let kind = "high";
  if (flush && top === 12) kind = "royal_flush";
  else if (flush && top >= 0) kind = "straight_flush";
  else if (shape[0] === 4) kind = "four";
  else if (shape[0] === 3 && shape[1] === 2) kind = "full_house";
  else if (flush) kind = "flush";
  else if (top >= 0) kind = "straight";
  else if (shape[0] === 3) kind = "three";
  else if (shape[0] === 2) kind = shape[1] === 2 ? "two_pair" : "pair";
  const order = top >= 0 ? [top] : groups.map(([rank]) => rank);
  return [KINDS.indexOf(kind), ...order];
}

function better(one, other) {
  const differs = one.findIndex((number, place) => number !== (other[place] ?? -1));
  return differs >= 0 && one[differs] > (other[differs] ?? -1) ? one : other;
}

function hands(variant, hole, board) {
  const parts = PARTS[variant];
  if (!parts) return choices([...hole, ...board], 5);
  const ofBoard = choices(board, parts[1]);
  return choices(hole, parts[0]).flatMap((own) => ofBoard.map((rest) => [...own, ...rest]));
}

// The best that hole cards and board make so far; "" before any card is known.
export function strength(variant, hole, board) {
  if (!hole.length || hole.includes("??")) return "";
  const [kind, ...ranks] = hands(variant, hole, board).map(weigh).reduce(better);
  const name = KINDS[kind];
  if (name === "royal_flush") return name;
  const shown = ranks.slice(0, NAMED_BY_TWO.has(name) ? 2 : 1);
  return `${name}:${shown.map((rank) => RANKS[rank]).join("")}`;
}
