// Ids of events, `epoch-number`: which of them a page has not heard yet, and whether one is missing.

/** @type {(id: string) => number[]} */
const parts = (id) => id.split("-").map(Number);

// How `id` follows `last`: "next", "old", or "gap" when something between them is missing.
/** @type {(last: string, id: string) => "next" | "old" | "gap"} */
export function follows(last, id) {
  const [epoch, seq] = parts(id);
  const [lastEpoch, lastSeq] = parts(last);
  if (epoch === lastEpoch) return seq === lastSeq + 1 ? "next" : seq <= lastSeq ? "old" : "gap";
  return epoch < lastEpoch ? "old" : "gap";
}

// Events after `last`; where every event counts, those up to the first gap.
/** @type {(last: string | null, events: any[], everyCounts: boolean) => {fresh: any[], gap: boolean}} */
export function unheard(last, events, everyCounts) {
  const fresh = [];
  for (const event of events) {
    const order = last ? follows(last, event.id) : "next";
    if (order === "old") continue;
    if (order === "gap" && everyCounts) return { fresh, gap: true };
    last = event.id;
    fresh.push(event);
  }
  return { fresh, gap: false };
}
