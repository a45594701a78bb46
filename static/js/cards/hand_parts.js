// The five of hole cards and board that make a hand in each game: places in "hole cards, then
// board".

// How many hole cards and how many of the board make a hand; all others take any five.
/** @type {Record<string, [number, number]>} */
const PARTS = {
  omaha: [2, 3],
  omaha5: [2, 3],
  omaha5_house: [3, 2],
  omaha_hilo: [2, 3],
  omaha5_hilo: [2, 3],
};
const WITH_LOW = new Set(["omaha_hilo", "omaha5_hilo", "stud_hilo"]);

/** @type {(variant: string) => boolean} */
export const hasLow = (variant) => WITH_LOW.has(variant);

/** @type {<Item>(items: Item[], count: number) => Item[][]} */
export function choices(items, count) {
  if (count >= items.length) return [items];
  if (count === 0) return [[]];
  const [first, ...rest] = items;
  return [...choices(rest, count - 1).map((chosen) => [first, ...chosen]), ...choices(rest, count)];
}

// All hands of up to five cards that these hole cards and this board allow.
/** @type {<Card>(variant: string, hole: Card[], board: Card[]) => Card[][]} */
export function handsOf(variant, hole, board) {
  const parts = PARTS[variant];
  if (!parts) return choices([...hole, ...board], 5);
  const ofBoard = choices(board, parts[1]);
  return choices(hole, parts[0]).flatMap((own) => ofBoard.map((rest) => [...own, ...rest]));
}
