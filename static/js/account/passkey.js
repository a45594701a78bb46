// Passkeys: a form asks the browser for one, and is sent with the device's answer.

import { gettext } from "../shared/i18n.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-passkey]"));

// The dialog of the browser says most itself; this is what remains to be said on the page.
/** @type {() => Record<string, string>} */
const failures = () => ({
  InvalidStateError: gettext("This device has a passkey of your account already."),
  NotAllowedError: gettext("No passkey was used."),
});

function options() {
  return JSON.parse(document.getElementById("passkey-options")?.textContent ?? "{}").publicKey;
}

/** @type {(kind: string | undefined) => Promise<Credential | null>} */
function asked(kind) {
  const { PublicKeyCredential: known } = window;
  return kind === "create"
    ? navigator.credentials.create({
        publicKey: known.parseCreationOptionsFromJSON(options()),
      })
    : navigator.credentials.get({
        publicKey: known.parseRequestOptionsFromJSON(options()),
      });
}

/** @type {(words: string) => void} */
function say(words) {
  const note = /** @type {HTMLElement} */ (form?.querySelector("p.errorlist"));
  note.textContent = words;
  note.hidden = false;
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!form.reportValidity()) return;
  if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    say(gettext("This browser cannot use passkeys."));
    return;
  }
  try {
    const credential = /** @type {PublicKeyCredential} */ (await asked(form.dataset.passkey));
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
    field.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch (error) {
    say(failures()[/** @type {Error} */ (error).name] ?? gettext("No passkey was used."));
  }
});
