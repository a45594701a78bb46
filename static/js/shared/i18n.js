// Words in the visitor's language: Django's catalogue when the page loaded it, else English.

/** @type {(text: string) => string} */
const identity = (text) => text;

export const gettext = window.gettext ?? identity;

export const ngettext = window.ngettext ?? ((one, many, count) => (count === 1 ? one : many));

/** @type {(text: string, values: Record<string, any>) => string} */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}

export const language = document.documentElement.lang || "en";

/** @type {(tag: string) => boolean} */
function isSpoken(tag) {
  try {
    return new Intl.Locale(tag).language === new Intl.Locale(language).language;
  } catch {
    return false; // some browsers tell "en-US@posix", which no formatter takes
  }
}

// The page's language as the visitor's browser writes it: who reads "en-GB" has no "1:37 PM".
export const region = navigator.languages.find(isSpoken) ?? language;
