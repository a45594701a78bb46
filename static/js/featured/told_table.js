// The table of a cards-up stream: the table's own model, and the chances told beside its events.

import { heard, NO_CHANCES } from "./chances.js";

export class ToldTable {
  /**
   * @param {import("../state/table_model.js").TableModel} model
   * @param {(retold: Wire.HandRetold) => void} begun a hand begins to be told, maybe at another table
   */
  constructor(model, begun) {
    this.model = model;
    this.begun = begun;
    this.chances = NO_CHANCES;
    model.addEventListener("happened", ({ detail }) => {
      this.chances = heard(this.chances, detail.event);
    });
  }

  /** @param {Wire.CardsUpSnapshot} state */
  snapshot({ retold }) {
    if (retold) this.#begin(retold);
  }

  // Events of the hand go through the model, which shows them at the speed of people; a new hand
  // starts from the table before it.
  /** @param {Wire.CardsupEvent[]} events */
  events(events) {
    /** @type {any[]} */
    let hand = [];
    for (const event of events) {
      if (event.type === "hand_retold") {
        this.model.events(hand);
        hand = [];
        this.#begin(event);
      } else hand.push(event);
    }
    this.model.events(hand);
  }

  /** @param {Wire.HandRetold} retold */
  #begin(retold) {
    this.chances = NO_CHANCES;
    this.model.snapshot(retold.start);
    this.begun(retold);
  }
}
