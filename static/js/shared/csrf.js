// The token that every form of this page sends, for requests of scripts.

/** @returns {Record<string, string>} */
export function csrfHeaders() {
  const { "X-CSRFToken": token } = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
  return { "X-CSRFToken": token };
}
