// The faces of the players at a table: pictures, flags and marks of bots. The page has those of who
// sat there when it was written; others are asked for once each, and again where no answer came.

import { readJson } from "../shared/api.js";

const WAIT_MS = 200;
const AGAIN_MS = 30_000;
const AT_ONCE_MAX = 20;

/** @typedef {import("./felt/seat_face.js").Face} Face */

// What the room tells of these players, or null.
/** @type {(users: number[]) => Promise<{faces: Face[]} | null>} */
const facesOf = (users) => readJson(`/players/faces.json?of=${users.sort((a, b) => a - b).join()}`);

export class Faces {
  /** @param {import("./poker_table.js").PokerTable} room */
  constructor(room) {
    this.room = room;
    const seated = /** @type {HTMLElement} */ (document.getElementById("seated-faces"));
    const { users, faces } = JSON.parse(seated.textContent ?? "");
    /** @type {Set<number>} */
    this.asked = new Set(users);
    this.#keep(faces);
    this.timer = 0;
    room.model.addEventListener("change", () => this.#look());
    this.#look();
  }

  // Newcomers are asked for together: seats are taken in bursts.
  #look() {
    if (this.timer || !this.#unknown().length) return;
    this.timer = setTimeout(() => this.#ask(), WAIT_MS);
  }

  #unknown() {
    const users = (this.room.model.state?.seats ?? []).map(({ user }) => user);
    return users.filter((user) => !this.asked.has(user)).slice(0, AT_ONCE_MAX);
  }

  async #ask() {
    const users = this.#unknown();
    for (const user of users) this.asked.add(user);
    this.timer = 0;
    const told = await facesOf(users);
    if (!told) {
      setTimeout(() => this.#forget(users), AGAIN_MS);
      return;
    }
    this.#keep(told.faces);
    this.room.model.dispatchEvent(new Event("change"));
  }

  /** @param {number[]} users */
  #forget(users) {
    for (const user of users) this.asked.delete(user);
    this.#look();
  }

  /** @param {Face[]} faces */
  #keep(faces) {
    for (const face of faces) this.room.faces.set(face.user, face);
  }
}
