// The link of a replay: given to the system's own sharing where there is one, else copied.

import { gettext } from "../shared/i18n.js";
import { toast } from "../shared/toasts.js";

/** @param {HTMLButtonElement | null} button */
export function offerSharing(button) {
  const address = document.querySelector('meta[property="og:url"]')?.getAttribute("content") ?? "";
  const title = document.querySelector('meta[property="og:title"]')?.getAttribute("content") ?? "";
  button?.addEventListener("click", async () => {
    if (navigator.share) {
      // Refused or put away by the reader: nothing to say.
      await navigator.share({ title, url: address }).catch(() => null);
      return;
    }
    try {
      await navigator.clipboard.writeText(address);
      toast({ title: gettext("The link is copied."), kind: "good" });
    } catch {
      // Plain http has no clipboard: the address to copy by hand.
      toast({ title: address, stays: 0 });
    }
  });
}
