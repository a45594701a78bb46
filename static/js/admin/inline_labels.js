// Names for the fields of inline tables, whose column headers screen readers do not join to them.

/** @param {ParentNode} place */
function label(place) {
  for (const field of place.querySelectorAll(".tabular td :is(input, select, textarea)")) {
    const cell = field.closest("td");
    const column = field.closest("table")?.tHead?.rows[0]?.cells[cell?.cellIndex ?? 0];
    const words = column?.textContent?.trim();
    if (words && field.getAttribute("type") !== "hidden") field.setAttribute("aria-label", words);
  }
}

label(document);
document.addEventListener("formset:added", () => label(document));
