// The theme of the room on pages of Django's admin, set before they are drawn.

{
  const told = /** @type {HTMLScriptElement} */ (document.currentScript).dataset.theme;
  const themes = /** @type {Record<string, string>} */ ({ night: "dark", day: "light" });
  document.documentElement.dataset.theme = themes[told ?? ""] ?? "auto";
}
