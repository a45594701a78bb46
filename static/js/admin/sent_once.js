// A form that makes or changes a row is sent once, however often its button is pressed.

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  // Lists have another form: it stays on the page where an action downloads a file.
  if (event.defaultPrevented || form.method !== "post" || !form.id.endsWith("_form")) return;
  if (form.dataset.sent) event.preventDefault();
  else form.dataset.sent = "1";
});
window.addEventListener("pageshow", () => {
  const sent = /** @type {NodeListOf<HTMLFormElement>} */ (
    document.querySelectorAll("form[data-sent]")
  );
  for (const form of sent) delete form.dataset.sent;
});
