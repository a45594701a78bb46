// The keyboard's place in a part of the page that is replaced by a newer one.

const NAMED = ["id", "name", "href", "hx-get", "hx-post"];

// A selector of what `node` is called within its part, or null when nothing tells it from others.
function called(node) {
  const name = NAMED.find((attribute) => node.getAttribute(attribute));
  return name ? `${node.localName}[${name}="${CSS.escape(node.getAttribute(name))}"]` : null;
}

// What finds the focus again in the newer part: an element -> its namesake gets the focus.
export function focusIn(part) {
  const node = document.activeElement;
  const selector = node && part.contains(node) ? called(node) : null;
  return (newer) => {
    const found = selector && newer.querySelector(selector);
    if (found && document.activeElement !== found) found.focus({ preventScroll: true });
  };
}
