"""Chromium for the browser tests, located or installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from functools import cache
from pathlib import Path

PLACE = Path(__file__).resolve().parent.parent / ".local" / "chromium"
STARTS_WITHIN_S = 120
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
_PACKAGE = "@sparticuz/chromium"
_UNPACK = """
const fs = require('fs'), zlib = require('zlib');
const [from, to] = process.argv.slice(1);
fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)), {mode: 0o755});
"""

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
    """Return a Chromium that starts: $CHROMIUM, on the path, Playwright's, or a new
    installation.
    """
    for found in _candidates():
        if starts(found):
            return found
    tried = []
    for install in (_from_npm, _from_debian, _from_playwright):
        try:
            install()
        except (OSError, subprocess.SubprocessError, tarfile.TarError) as problem:
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


def _candidates() -> list[Path]:
    named = os.environ.get("CHROMIUM")
    on_path = [shutil.which(name) for name in NAMES]
    cache = Path.home() / ".cache" / "ms-playwright"
    mac = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    found = [
        *([Path(named)] if named else []),
        *(Path(path) for path in on_path if path),
        *sorted(cache.glob("chromium*/chrome-*/*chrome*"), reverse=True),
        mac,
        PLACE / "chromium",
    ]
    return [path for path in found if path.is_file()]


def _from_npm() -> None:
    """Install a server build without desktop libraries; needs npm and node, not root."""
    PLACE.mkdir(parents=True, exist_ok=True)
    _run("npm", "pack", "--silent", _PACKAGE, "--pack-destination", str(PLACE))
    package = max(PLACE.glob("*.tgz"), key=lambda path: path.stat().st_mtime)
    with tarfile.open(package) as archive:
        archive.extractall(PLACE, filter="data")
    binaries = PLACE / "package" / "bin"
    _run("node", "-e", _UNPACK, str(binaries / "chromium.br"), str(PLACE / "chromium"))


def _from_debian() -> None:
    """Install the distribution's package; needs root."""
    if os.geteuid() != 0:
        raise OSError("not root")
    _run("apt-get", "update")
    _run("apt-get", "install", "-y", "--no-install-recommends", "chromium")


def _from_playwright() -> None:
    """Install Playwright's own build."""
    _run(sys.executable, "-m", "playwright", "install", "--with-deps", "chromium")


def _run(*command: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(
        command,
        check=True,
        timeout=600,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment,
    )


if __name__ == "__main__":
    print(f"browser: {chromium()}")
