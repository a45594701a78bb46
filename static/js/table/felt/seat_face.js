// The face of a seat: picture or letters, flag, mark of a bot, and the clock ring around it.

import { attribute, el, show, text } from "../../shared/dom.js";
import { gettext, interpolate, language } from "../../shared/i18n.js";

const RING = 2 * Math.PI * 21;
const SVG = "http://www.w3.org/2000/svg";
const TONES = 8;

/** @typedef {{user: number, picture?: string, country?: string, bot?: boolean}} Face */

const countries = new Intl.DisplayNames([language], { type: "region" });

// The flag and the mark of a bot in words; "" for a face without either.
/** @param {Face | undefined} face */
export const faceWords = (face) =>
  [face?.country ? countries.of(face.country) : "", face?.bot ? gettext("bot") : ""]
    .filter(Boolean)
    .join(", ");

function ring() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 46 46");
  svg.setAttribute("class", "ring");
  svg.setAttribute("aria-hidden", "true");
  const circle = document.createElementNS(SVG, "circle");
  for (const [name, value] of Object.entries({ cx: 23, cy: 23, r: 21 }))
    circle.setAttribute(name, String(value));
  circle.setAttribute("stroke-dasharray", String(RING));
  svg.append(circle);
  return svg;
}

/** @type {(name: string) => string} */
function initials(name) {
  const [first, second = ""] = name.split(/[._\-\s]+/).filter(Boolean);
  const number = second.replace(/^0+/, "");
  if (/^\d{1,3}$/.test(number)) return first[0].toUpperCase() + number;
  return (second ? first[0] + second[0] : name.slice(0, 2)).toUpperCase();
}

export class SeatFace {
  constructor() {
    this.letters = el("span", { class: "letters", "aria-hidden": "true" });
    this.seconds = el("span", { class: "seconds", "aria-hidden": "true" });
    this.ring = ring();
    this.portrait = /** @type {HTMLImageElement} */ (
      el("img", { class: "portrait", alt: "", decoding: "async", width: 46, height: 46 })
    );
    // A picture that does not come leaves the letters.
    this.portrait.addEventListener("error", () => attribute(this.avatar, "data-portrayed", false));
    this.flag = el("span", { class: "flag" });
    this.bot = el("span", { class: "flag", "data-bot": "" }, gettext("Bot"));
    this.avatar = el(
      "div",
      { class: "avatar" },
      this.portrait,
      this.ring,
      this.letters,
      this.seconds,
    );
  }

  /** @type {(seat: Wire.SeatSnapshot, face: Face | undefined) => void} */
  update(seat, face) {
    const bank = interpolate(gettext("Time bank: %(seconds)s s"), {
      seconds: Math.ceil(seat.bank_ms / 1000),
    });
    attribute(this.avatar, "title", seat.bank_ms ? bank : null);
    attribute(this.avatar, "data-tone", seat.user % TONES);
    text(this.letters, initials(seat.name));
    const address = face?.picture ? `/pictures/${face.picture}.webp` : null;
    if (this.portrait.getAttribute("src") !== address) {
      attribute(this.portrait, "src", address);
      attribute(this.avatar, "data-portrayed", Boolean(address));
    }
    text(this.flag, face?.country ?? "");
    attribute(this.flag, "title", face?.country ? countries.of(face.country) : null);
    show(this.flag, Boolean(face?.country));
    show(this.bot, Boolean(face?.bot));
  }

  // The clock ring: `left` of `total` ms; a seat whose connection is lost shows every second.
  /** @type {(left: number, total: number, isLost: boolean) => void} */
  clock(left, total, isLost) {
    const circle = /** @type {SVGElement} */ (this.ring.firstChild);
    const part = Math.max(0, Math.min(1, left / total));
    circle.style.strokeDashoffset = String(RING * (1 - part));
    attribute(this.ring, "data-hurry", left < 5000);
    text(this.seconds, left < 10_000 || isLost ? Math.max(0, Math.ceil(left / 1000)) : "");
  }
}
