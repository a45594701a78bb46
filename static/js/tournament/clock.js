// The clock on a wall calls out what changes: in words for everybody, with sound when switched on.

import { now } from "../shared/clock.js";
import { attribute, byId, show, text } from "../shared/dom.js";
import { gettext, interpolate } from "../shared/i18n.js";
import { Chimes } from "./chimes.js";
import { ClockCalls } from "./clock_calls.js";

const LOOK_MS = 250;
const SHOWN_MS = 15_000;
const [call, button] = [byId("clock-call"), byId("clock-sound")];
const chimes = new Chimes();
const calls = new ClockCalls();
let timer = 0;

/** @type {Record<string, (shown: { level: string }) => string>} */
const WORDS = {
  level: ({ level }) => interpolate(gettext("Level %(level)s"), { level }),
  break: () => gettext("Break"),
  play: () => gettext("Play goes on"),
  last_minute: () => gettext("Last minute"),
};

// The panel is replaced at each change; its attributes say what the clock shows.
function state() {
  const { level = "", pausing = "", ends = "" } = byId("tab-panel").dataset;
  return { level, pausing: pausing !== "", endsMs: Number(ends) };
}

function look() {
  const shown = state();
  const called = calls.look(shown, now());
  if (!called) return;
  chimes.sound(called);
  text(call, WORDS[called](shown));
  show(call, true);
  clearTimeout(timer);
  timer = setTimeout(() => show(call, false), SHOWN_MS);
}

function showSwitch() {
  attribute(button, "aria-pressed", String(chimes.on));
  text(button, chimes.on ? gettext("Sound is on") : gettext("Sound is off"));
}

button.addEventListener("click", () => chimes.switch());
chimes.addEventListener("change", showSwitch);
showSwitch();
show(button, true);
look();
setInterval(look, LOOK_MS);
