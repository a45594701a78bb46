// Places of the seats: points around a stadium-shaped table, in percent of the felt.

const STEPS = 720;

// Bets lie this far from their seat toward the middle; the own one clears the larger own cards.
const OWN_REACH = 0.58;

// A superellipse: exponent 2 is an ellipse, more is squarer.
/** @type {(radiusX: number, radiusY: number, exponent: number) => Felt.Spot[]} */
function outline(radiusX, radiusY, exponent) {
  const points = [];
  for (let step = 0; step <= STEPS; step += 1) {
    const angle = Math.PI / 2 + (2 * Math.PI * step) / STEPS;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    points.push({
      x: 50 + radiusX * Math.sign(cos) * Math.abs(cos) ** (2 / exponent),
      y: 50 + radiusY * Math.sign(sin) * Math.abs(sin) ** (2 / exponent),
    });
  }
  return points;
}

// Evenly spaced along the line, as seen with the felt's real proportions; first at the bottom.
/** @type {(points: Felt.Spot[], count: number, ratio: number) => Felt.Spot[]} */
function spread(points, count, ratio) {
  const lengths = [0];
  for (let index = 1; index < points.length; index += 1) {
    const dx = (points[index].x - points[index - 1].x) * ratio;
    const dy = points[index].y - points[index - 1].y;
    lengths.push(lengths[index - 1] + Math.hypot(dx, dy));
  }
  const whole = lengths[lengths.length - 1];
  return Array.from({ length: count }, (_, seat) => {
    const wanted = (whole * seat) / count;
    return points[lengths.findIndex((length) => length >= wanted)];
  });
}

/** @type {(from: Felt.Spot, to: Felt.Spot, part: number) => Felt.Spot} */
const toward = (from, to, part) => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
});

// Seat number -> {seat, bet, button} points; `bottom` is the seat drawn nearest to the viewer.
/** @type {(seatsMax: number, bottom: number, portrait: boolean, ratio: number) => Map<number, Felt.Place>} */
export function seating(seatsMax, bottom, portrait, ratio) {
  const line = portrait ? outline(37.2, 40.5, 2.9) : outline(42.5, 38.5, 2.5);
  const centre = { x: 50, y: 48 };
  const spots = spread(line, seatsMax, ratio);
  const reach = portrait ? 0.42 : 0.4;
  const places = new Map();
  for (let offset = 0; offset < seatsMax; offset += 1) {
    const number = ((bottom - 1 + offset) % seatsMax) + 1;
    const spot = spots[offset];
    const bet = toward(spot, centre, offset === 0 ? OWN_REACH : reach);
    places.set(number, { seat: spot, bet, offset });
  }
  return places;
}
