// Dialogs that the server writes: htmx puts them into their holder, this opens and closes them.

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
  // A form is sent once, however often its button is pressed.
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.dataset.sent) event.preventDefault();
    else if (form.hasAttribute("data-once")) form.dataset.sent = "1";
  });
  window.addEventListener("pageshow", () => {
    const sent = /** @type {NodeListOf<HTMLFormElement>} */ (
      document.querySelectorAll("form[data-sent]")
    );
    for (const form of sent) delete form.dataset.sent;
  });
}

// What asked for the dialog was replaced meanwhile: the browser does not find it again.
/** @type {(address: string) => void} */
export function focusAgain(address) {
  if (document.activeElement !== document.body) return;
  const opener = document.querySelector(`[hx-get="${CSS.escape(address)}"]`);
  /** @type {HTMLElement | null} */ (opener)?.focus();
}
