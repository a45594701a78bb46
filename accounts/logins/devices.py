"""Short names of devices, shortened addresses, and the cookie of devices known to a user."""

from __future__ import annotations

from ipaddress import ip_network

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.logins.lockout import source_of_request
from config import limits
from config.door.source import UNKNOWN

COOKIE = "devices"
_SALT = "accounts.users.devices"  # never changed: cookies signed under it would be unknown
_USERS_KEPT = 10
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Chrome/", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_of(request: HttpRequest) -> str:
    """Return a short name from words of a fixed list, such as "Firefox, Linux", or ""."""
    agent = request.META.get("HTTP_USER_AGENT", "")[: limits.TEXT_ASKED_MAX * 4]
    names = (
        next((name for mark, name in known if mark in agent), "") for known in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, names))


def network_of(request: HttpRequest) -> str:
    """Return the /24 or /64 network of a request: enough to recognize, too little to locate."""
    source = source_of_request(request)
    if source == UNKNOWN:
        return ""
    # IPv6 sources are the first address of their /64 already.
    return source if ":" in source else str(ip_network(f"{source}/24", strict=False)[0])


def is_known(request: HttpRequest, user: int) -> bool:
    """Return whether this user logged in with this browser before, by its signed cookie."""
    return str(user) in _users(request)


def users_of(request: HttpRequest) -> list[int]:
    """Return the keys of the users who logged in with this browser, by its signed cookie."""
    return [int(user) for user in _users(request) if user.isdecimal()]


def remember(request: HttpRequest, answer: HttpResponse, user: int) -> None:
    """Set the cookie that names this user among the last ones of the browser."""
    users = [str(user), *(known for known in _users(request) if known != str(user))]
    answer.set_signed_cookie(
        COOKIE,
        ".".join(users[:_USERS_KEPT]),
        salt=_SALT,
        max_age=limits.DEVICE_KNOWN_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _users(request: HttpRequest) -> list[str]:
    # A cookie that was changed counts as none.
    value = request.get_signed_cookie(COOKIE, default="", salt=_SALT)
    return (value or "").split(".")
