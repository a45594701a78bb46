// A panel that lies over the table on a small window makes way for what matters more.

/** @typedef {import("../state/table_model.js").TableModel} TableModel */
/** @typedef {import("./poker_table.js").PokerTable} PokerTable */

// `makeWay` is called when the own turn begins, and when the room says or asks something over the
// table.
/** @type {(room: PokerTable, model: TableModel, makeWay: () => void) => void} */
export function keepWay(room, model, makeWay) {
  let asked = false;
  const look = () => {
    const { seat, turn } = model;
    const isAsked = Boolean(seat && turn?.seat === seat.seat);
    if (isAsked && !asked) makeWay();
    asked = isAsked;
  };
  model.addEventListener("change", look);
  const heard = new MutationObserver(() => room.notice.hidden || makeWay());
  heard.observe(room.notice, { attributes: true, attributeFilter: ["hidden"] });
  look();
}
