// Elements of the page: make them, and change them only where they differ.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function text(node, words) {
  const value = String(words);
  if (node.textContent !== value) node.textContent = value;
}

export function attribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const wanted = value === true ? "" : String(value);
    if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
  }
}

export function show(node, visible) {
  if (node.hidden === visible) node.hidden = !visible;
}

export function place(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

// Children in the order of `keys`, made once per key and reused after that.
export function keyed(parent, keys, make) {
  const present = new Map();
  for (const child of [...parent.children]) present.set(child.dataset.key, child);
  let before = parent.firstElementChild;
  for (const key of keys.map(String)) {
    let child = present.get(key);
    present.delete(key);
    if (!child) {
      child = make(key);
      child.dataset.key = key;
    }
    if (child === before) before = before.nextElementSibling;
    else parent.insertBefore(child, before);
  }
  for (const child of present.values()) child.remove();
}
