// The reader's own choices for the chat, kept in the browser: open, closed or off, and muted players.

const MODE = "room.chat";
const MUTED = "room.chat.muted";
const MUTED_MAX = 200;

export function chatMode() {
  const mode = localStorage.getItem(MODE);
  return mode === "open" || mode === "closed" || mode === "off" ? mode : null;
}

export const keepChatMode = (mode) => localStorage.setItem(MODE, mode);

// Muted players: their number -> the name they had.
/** @returns {Map<number, string>} */
export function mutedPlayers() {
  try {
    const kept = JSON.parse(localStorage.getItem(MUTED) ?? "[]");
    return new Map(kept.map(([user, name]) => [Number(user), String(name)]));
  } catch {
    return new Map();
  }
}

export function mutePlayer(user, name) {
  const muted = mutedPlayers().set(user, name);
  localStorage.setItem(MUTED, JSON.stringify([...muted].slice(-MUTED_MAX)));
}

export function unmutePlayer(user) {
  const muted = mutedPlayers();
  muted.delete(user);
  localStorage.setItem(MUTED, JSON.stringify([...muted]));
}
