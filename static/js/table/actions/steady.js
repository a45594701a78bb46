// Controls that change places: a click counts only when the player saw what he pressed.

// From what comes on the screen to the finger, at the least; a double click is quicker, too.
const SEEN_MS = 350;

export class Steady {
  /** @param {HTMLElement[]} nodes the controls; keys name what they mean and are not judged */
  constructor(...nodes) {
    this.meaning = "";
    this.since = -Infinity;
    /** @type {number | null} */
    this.pressed = null;
    for (const node of nodes) {
      node.addEventListener("pointerdown", (event) => (this.pressed = event.timeStamp), true);
      node.addEventListener("click", (event) => this.#judge(event), true);
    }
  }

  // What the controls on the screen stand for now; "" for none, where nothing is clicked by mistake.
  /** @param {string} meaning */
  shows(meaning) {
    if (!meaning || meaning === this.meaning) return;
    if (this.meaning) this.since = performance.now();
    this.meaning = meaning;
  }

  // A press that began too early, or before the change, was meant for what lay there before.
  /** @param {MouseEvent} event */
  #judge(event) {
    const pressed = this.pressed ?? event.timeStamp;
    this.pressed = null;
    if (event.detail > 0 && pressed < this.since + SEEN_MS) event.stopPropagation();
  }
}
