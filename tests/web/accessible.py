"""Faults of a page for people who read, hear or reach it otherwise, as axe-core finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import Error, Page

from config.environment import HOME

SCRIPT = HOME / "node_modules" / "axe-core" / "axe.min.js"

FOREIGN = [".select2", ".help-tooltip", ".selector", "p.datetime"]
"""Parts of Django's admin that Django draws alone."""

COLOUR_RULES = ["color-contrast", "link-in-text-block"]
"""Rules whose answers change with the theme."""

_RUN = """
async ({ foreign, rules }) => {
  const only = rules ? { runOnly: rules } : {};
  const left = foreign.map((part) => [part]);
  const told = await axe.run({ exclude: left }, { resultTypes: ["violations"], ...only });
  return told.violations
    .filter((fault) => ["serious", "critical"].includes(fault.impact))
    .flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.html.slice(0, 200)}`));
}
"""
_WEAR = """
(theme) => {
  const { dataset } = document.documentElement;
  const django = { night: "dark", day: "light" };
  dataset.theme = ["auto", "dark", "light"].includes(dataset.theme) ? django[theme] : theme;
  // Links of Django's admin fade from one colour to the other.
  // What appears slowly is there; what moves for ever moves on.
  for (const one of document.getAnimations())
    if (one.effect.getComputedTiming().endTime !== Infinity) one.finish();
}
"""
_WIDE = """
() => document.documentElement.scrollWidth <= 640 ? [] : [...document.querySelectorAll("body *")]
  .filter((part) => part.getBoundingClientRect().right > 641 && !part.closest(".scroll"))
  .map((part) => `too wide: ${part.outerHTML.slice(0, 120)}`)
"""
_LINKS = "[...document.querySelectorAll('a[href]:not([download])')].map((link) => link.href)"


@cache
def _axe() -> str:
    return SCRIPT.read_text(encoding="utf-8")


def faults(page: Page) -> list[str]:
    """Return the serious and critical faults of an open page, by day and by night.

    Each is told as its rule, its element and the theme. Rules on anything but colours run once.
    """
    page.evaluate(_axe())
    page.evaluate(_WEAR, "day")
    found = page.evaluate(_RUN, {"foreign": FOREIGN})
    page.evaluate(_WEAR, "night")
    dark = page.evaluate(_RUN, {"foreign": FOREIGN, "rules": COLOUR_RULES})
    return [f"{one} (day)" for one in found] + [f"{one} (night)" for one in dark]


def too_wide(page: Page) -> list[str]:
    """Return the parts that make a page of the room scroll sideways in a window of 640x400.

    That is a window of 1280x800 at 200 %.
    """
    if "/admin/" in page.url:
        return []
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 640, "height": 400})
    wide = list(page.evaluate(_WIDE))
    page.set_viewport_size(size)
    return wide


def walk(page: Page, origin: str, *starts: str, admin: bool = False) -> Iterator[str]:
    """Open one page of each route that links lead to; yield its address while it is open."""
    todo, seen = list(starts), set[str]()
    while todo:
        address = todo.pop(0)
        shape = _shape(address)
        if not shape or shape in seen or (shape.startswith("admin/") and not admin):
            continue
        seen.add(shape)
        if not _opened(page, origin + address):
            continue
        yield address
        links = [urlsplit(link) for link in page.evaluate(_LINKS)]
        todo += [
            f"{link.path}?{link.query}" if link.query else link.path
            for link in links
            if f"{link.scheme}://{link.netloc}" == origin
        ]


def _shape(address: str) -> str:
    """Return the route of an address with its tab; empty for one that ends the log-in."""
    link = urlsplit(address)
    try:
        route = resolve(link.path)
    except Resolver404:
        return ""
    if route.url_name == "logout":
        return ""
    tab = re.search(r"tab=\w+", link.query)
    return f"{route.route}?{tab[0]}" if tab else str(route.route)


def _opened(page: Page, address: str) -> bool:
    """Open an address; return whether it answered with a page and not with a file."""
    try:
        answer = page.goto(address)
    except Error as error:
        if "Download is starting" not in error.message:
            raise
        return False
    assert answer is not None and answer.ok, f"{address}: {answer and answer.status}"
    return "text/html" in answer.headers.get("content-type", "")
