"""A separate process that loads the settings with given environment variables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from config.environment import HOME

CHECK = """
import django
django.setup()
from django.core.management import call_command
from io import StringIO
said = StringIO()
call_command("check", deploy=True, fail_level="WARNING", stdout=said, stderr=said)
"""

SHOW = """
import json
from django.conf import settings
names = ("DEBUG SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_SSL_REDIRECT ALLOWED_HOSTS"
         " PUBLIC_URL SECURE_HSTS_SECONDS SOCKET_ORIGINS SECURE_PROXY_SSL_HEADER SHARDS"
         " DATABASES LOG_LEVEL MEDIA_ROOT STATIC_ROOT METRICS_TOKEN"
         " CSRF_TRUSTED_ORIGINS DEFAULT_FROM_EMAIL SECRET_KEY SECRET_KEY_FALLBACKS"
         " SECURE_HSTS_INCLUDE_SUBDOMAINS SECURE_HSTS_PRELOAD").split()
print(json.dumps({name: getattr(settings, name) for name in names}))
"""

LOADED = """
import django, json, sys
django.setup()
print(json.dumps(sorted(sys.modules)))
"""


def modules_of_a_start(place: Path) -> set[str]:
    """Return the names of the modules that a process of the room has when Django is set up."""
    done = _run(LOADED, place, {})
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def settings_with(place: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Load the settings and all apps, and pass Django's checks of a deployment."""
    return _run(CHECK + SHOW, place, given)


def settings_alone(place: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Load the settings, without any app and its checks."""
    return _run(SHOW, place, given)


def _run(code: str, place: Path, given: dict[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "ROOM_LOCAL": str(place),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **given,
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=HOME,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
