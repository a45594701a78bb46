// Dialogs that the server writes: htmx puts them into their holder, this opens and closes them. And
// forms that are sent once.

/** @type {(holder: Element) => void} */
export function openDialogs(holder) {
  document.body.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target !== holder) return;
    const dialog = holder.querySelector("dialog");
    if (!dialog) return;
    dialog.removeAttribute("open");
    dialog.showModal();
    const address = detail.requestConfig.path;
    dialog.addEventListener("close", () => {
      dialog.remove();
      focusAgain(address);
    });
  });
  document.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("[data-close]");
    if (!button) return;
    const dialog = button.closest("dialog");
    if (!dialog) return;
    event.preventDefault();
    dialog.close();
  });
  sendOnce((form) => form.hasAttribute("data-once"));
}

// What asked for the dialog was replaced meanwhile: the browser does not find it again.
/** @type {(address: string) => void} */
export function focusAgain(address) {
  if (document.activeElement !== document.body) return;
  const opener = document.querySelector(`[hx-get="${CSS.escape(address)}"]`);
  /** @type {HTMLElement | null} */ (opener)?.focus();
}

// Forms that fit are sent once, however often their button is pressed, until the browser comes back
// to the page. Of forms that stay on it for a download, `againMs` is the time of a double click.
/**
 * @type {(
 *   fits: (form: HTMLFormElement, event: Event) => boolean,
 *   againMs?: (form: HTMLFormElement) => number,
 * ) => void}
 */
export function sendOnce(fits, againMs = () => 0) {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.dataset.sent) event.preventDefault();
    else if (fits(form, event)) {
      form.dataset.sent = "1";
      const ms = againMs(form);
      if (ms) setTimeout(() => delete form.dataset.sent, ms);
    }
  });
  window.addEventListener("pageshow", () => {
    const sent = /** @type {NodeListOf<HTMLFormElement>} */ (
      document.querySelectorAll("form[data-sent]")
    );
    for (const form of sent) delete form.dataset.sent;
  });
}
