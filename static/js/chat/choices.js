// The reader's own choices for the chat, kept in the browser: open, closed or off, emotes, muted players.

import { local } from "../shared/storage.js";

const MODE = "room.chat";
const MUTED = "room.chat.muted";
const EMOTES = "room.chat.emotes";
const MUTED_MAX = 200;

export function chatMode() {
  const mode = local.get(MODE);
  return mode === "open" || mode === "closed" || mode === "off" ? mode : null;
}

/** @type {(mode: string) => void} */
export const keepChatMode = (mode) => local.set(MODE, mode);

// Muted players: their number -> the name they had.
/** @returns {Map<number, string>} */
export function mutedPlayers() {
  try {
    /** @type {[unknown, unknown][]} */
    const kept = JSON.parse(local.get(MUTED) ?? "[]");
    return new Map(kept.map(([user, name]) => [Number(user), String(name)]));
  } catch {
    return new Map();
  }
}

/** @type {(user: number, name: string) => void} */
export function mutePlayer(user, name) {
  const muted = mutedPlayers().set(user, name);
  local.set(MUTED, JSON.stringify([...muted].slice(-MUTED_MAX)));
}

/** @type {(user: number) => void} */
export function unmutePlayer(user) {
  const muted = mutedPlayers();
  muted.delete(user);
  local.set(MUTED, JSON.stringify([...muted]));
}

export const emotesOn = () => local.get(EMOTES) !== "0";

/** @type {(isOn: boolean) => void} */
export const switchEmotes = (isOn) => local.set(EMOTES, isOn ? "1" : "0");

// Call `changed` when another window of this browser mutes a player, or switches the emotes.
/** @type {(changed: () => void) => void} */
export function watchChoices(changed) {
  window.addEventListener("storage", ({ key }) => {
    if (key === null || key === MUTED || key === EMOTES) changed();
  });
}
