// Decisions of a finished hand in words: the time that each took, and the reason of the room.

import { decimal } from "../shared/format.js";
import { gettext, interpolate } from "../shared/i18n.js";

// A seat that was away is folded at once: its time says nothing.
/** @type {(decision: {made_by: string, used_ms: number}) => string} */
export function decisionWords({ made_by, used_ms }) {
  /** @type {Record<string, string>} */
  const reasons = {
    time_out: gettext("timed out"),
    disconnected: gettext("connection lost"),
    absent: gettext("away"),
  };
  const time = interpolate(gettext("%(seconds)s s"), { seconds: decimal(used_ms / 1000) });
  const reason = reasons[made_by] ?? "";
  return made_by === "absent" ? reason : [reason, time].filter(Boolean).join(", ");
}
