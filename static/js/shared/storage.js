// Storage of the browser; what it does not take lasts as long as the page. Windows inside of other
// apps and blocked site data have no storage, and a full one throws at each write.

export class PageStorage {
  /** @param {"localStorage" | "sessionStorage"} name */
  constructor(name) {
    this.name = name;
    /** @type {Map<string, string>} */
    this.unstored = new Map();
  }

  /** @type {(key: string) => string | null} */
  get(key) {
    const unstored = this.unstored.get(key);
    if (unstored !== undefined) return unstored;
    try {
      return window[this.name].getItem(key);
    } catch {
      return null;
    }
  }

  /** @type {(key: string, value: string) => void} */
  set(key, value) {
    this.unstored.delete(key);
    try {
      window[this.name].setItem(key, value);
    } catch {
      this.unstored.set(key, value);
    }
  }

  /** @param {string} key */
  remove(key) {
    this.unstored.delete(key);
    try {
      window[this.name].removeItem(key);
    } catch {
      // Nothing was kept.
    }
  }
}

// Of this browser, for all its windows; and of this window, from page to page.
export const local = new PageStorage("localStorage");
export const session = new PageStorage("sessionStorage");
