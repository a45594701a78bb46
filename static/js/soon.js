// "Starts in 5 minutes", "in 1 minute": once each, for the tournaments on the page one is in.

import { now } from "./clock.js";
import { gettext, interpolate, ngettext } from "./i18n.js";
import { sound } from "./sounds.js";
import { titleSays, toast } from "./toasts.js";

const MINUTE_MS = 60_000;
const told = new Set();

function look() {
  for (const node of document.querySelectorAll("[data-soon]")) {
    const left = Number(node.dataset.countdown) - now();
    const minutes = [1, 5].find((count) => left > 0 && left <= count * MINUTE_MS);
    const key = `${node.dataset.soon} ${node.dataset.countdown} ${minutes}`;
    if (!minutes || told.has(key)) continue;
    told.add(key);
    const inTime = interpolate(ngettext("in %(count)s minute", "in %(count)s minutes", minutes), {
      count: minutes,
    });
    const title = interpolate(gettext("%(name)s starts %(time)s"), {
      name: node.dataset.soon,
      time: inTime,
    });
    toast({ title });
    sound("notice");
    if (document.hidden) titleSays(title);
  }
}

export const watchStarts = () => setInterval(look, 5000);
