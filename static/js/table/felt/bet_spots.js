// Places of bets: between seat and middle, on no card, no seat and not on the board.

const TOWARD = [0, 0.15, 0.3, 0.45, 0.6, -0.15];
const ASIDE = [0, 0.7, -0.7, 1.1, -1.1, 1.6, -1.6, 2.4, -2.4, 3.4, -3.4, 4.6, -4.6];
const GAP = 2;

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */
/** @typedef {{width: number, height: number}} Size */
/** @typedef {{seat: Felt.Spot, bet: Felt.Spot}} Ends */

/** @type {(one: Box, other: Box) => boolean} */
const touch = (one, other) =>
  one.left < other.right + GAP &&
  other.left < one.right + GAP &&
  one.top < other.bottom + GAP &&
  other.top < one.bottom + GAP;

/** @type {(spot: Felt.Spot, size: Size) => Box} */
const around = ({ x, y }, { width, height }) => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

// First those nearest to the usual spot; `seat` and `bet` in px of the area, `size` that of the bet.
/** @type {(ends: Ends, size: Size) => Generator<Felt.Spot>} */
function* candidates({ seat, bet }, size) {
  const [dx, dy] = [seat.x - bet.x, seat.y - bet.y];
  const isUpright = Math.abs(dy) > Math.abs(dx);
  for (const aside of ASIDE)
    for (const part of TOWARD)
      yield {
        x: bet.x + dx * part + (isUpright ? aside * size.width : 0),
        y: bet.y + dy * part + (isUpright ? 0 : aside * size.height),
      };
}

/** @type {(box: Box, area: Size) => boolean} */
const within = (box, { width, height }) =>
  box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height;

// The first spot that touches nothing, else one off `never` at least: the board and other bets.
/** @type {(place: Ends, size: Size, whole: Size, never: Box[], others: Box[]) => Felt.Spot} */
function free(place, size, whole, never, others) {
  /** @type {Felt.Spot | null} */
  let second = null;
  for (const spot of candidates(place, size)) {
    const box = around(spot, size);
    if (!within(box, whole) || never.some((other) => touch(box, other))) continue;
    if (!others.some((other) => touch(box, other))) return spot;
    second ??= spot;
  }
  return second ?? place.bet;
}

/** @type {(node: Element, area: DOMRect) => Box} */
const inside = (node, area) => {
  const box = node.getBoundingClientRect();
  return {
    left: box.left - area.left,
    right: box.right - area.left,
    top: box.top - area.top,
    bottom: box.bottom - area.top,
  };
};

/** @type {(box: Box) => boolean} */
const isThere = ({ left, right }) => right > left;

// Places each of `bets` ({node, seat, bet}, in percent) in `area`; `middle` holds the board and the
// pots, `own` the viewer's cards, `seats` what lies around it.
/** @type {(area: Element, bets: (Ends & {node: HTMLElement})[], middle: Element[], seats: Element[], own: Element[]) => void} */
export function layBets(area, bets, middle, seats, own) {
  if (!bets.length) return;
  const whole = area.getBoundingClientRect();
  /** @type {(spot: Felt.Spot) => Felt.Spot} */
  const px = ({ x, y }) => ({ x: (x / 100) * whole.width, y: (y / 100) * whole.height });
  const [board, ...pots] = middle.map((node) => inside(node, whole));
  const never = [board, ...own.map((node) => inside(node, whole))].filter(isThere);
  const others = [...pots, ...seats.map((node) => inside(node, whole))].filter(isThere);
  const sizes = bets.map(({ node }) => node.getBoundingClientRect());
  bets.forEach(({ node, seat, bet }, index) => {
    const spot = free({ seat: px(seat), bet: px(bet) }, sizes[index], whole, never, others);
    never.push(around(spot, sizes[index]));
    node.style.setProperty("--x", `${Math.round(spot.x)}px`);
    node.style.setProperty("--y", `${Math.round(spot.y)}px`);
  });
}
