// Elements of the page: make them, and change them only where they differ.

/** @typedef {string | number | boolean | null | undefined | ((event: any) => unknown)} Attribute */
/** @typedef {Node | string | null | undefined} Child */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Attribute>} attributes values by name; a function listens to `on…`
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}

// The element that every page of this module has under this id.
/** @type {(id: string) => HTMLElement} */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

// The elements of the page that fit a selector.
/** @type {(root: ParentNode, selector: string) => NodeListOf<HTMLElement>} */
export const elements = (root, selector) => root.querySelectorAll(selector);

/** @type {(node: Node, words: string | number) => void} */
export function text(node, words) {
  const value = String(words);
  if (node.textContent !== value) node.textContent = value;
}

/** @type {(node: Element, name: string, value: string | number | boolean | null | undefined) => void} */
export function attribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const wanted = value === true ? "" : String(value);
    if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
  }
}

/** @type {(node: HTMLElement, visible: boolean) => void} */
export function show(node, visible) {
  if (node.hidden === visible) node.hidden = !visible;
}

/** @type {(node: HTMLElement, name: string, value: string) => void} */
export function place(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

/** @type {(parent: Element) => HTMLElement[]} */
export const childrenOf = (parent) => /** @type {HTMLElement[]} */ ([...parent.children]);

// Children in the order of `keys`, made once per key and reused after that.
/** @type {(parent: Element, keys: (string | number)[], make: (key: string) => HTMLElement) => void} */
export function keyed(parent, keys, make) {
  const present = new Map();
  for (const child of childrenOf(parent)) present.set(child.dataset.key, child);
  let before = parent.firstElementChild;
  for (const key of keys.map(String)) {
    let child = present.get(key);
    present.delete(key);
    if (!child) {
      child = make(key);
      child.dataset.key = key;
    }
    if (child === before) before = child.nextElementSibling;
    else parent.insertBefore(child, before);
  }
  for (const child of present.values()) child.remove();
}
