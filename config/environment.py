"""Operator's configuration: the process environment, then the file of the local cluster."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

HOME = Path(__file__).resolve().parent.parent


def local() -> Path:
    """Return the folder of a local room's files."""
    return Path(os.environ.get("ROOM_LOCAL") or HOME / ".local")


def text(name: str, default: str) -> str:
    """Return the value set for `name`, which may be empty, else `default`."""
    found = os.environ.get(name)
    if found is None:
        found = _addresses().get(name)
    return default if found is None else found


def room_path(name: str, default: str) -> Path:
    """Return the path set for `name`, else the one called `default` among the room's own files.

    An empty one, which a file of variables may have, would be the folder of the program.
    """
    return Path(text(name, "") or local() / default)


def number(name: str, default: int, *, least: int | None = None) -> int:
    """Return the whole number set for `name`, else `default`; raise ValueError below `least`."""
    told = text(name, str(default))
    try:
        value = int(told)
    except ValueError:
        raise ValueError(f"{name} must be a whole number, not {told!r}") from None
    if least is not None and value < least:
        raise ValueError(f"{name} must be {least} or more, not {value}")
    return value


def minutes_or_never(name: str, default: int, least: int) -> int:
    """Return the minutes set for `name`, 0 for never; raise ValueError between 0 and `least`."""
    value = number(name, default, least=0)
    if 0 < value < least:
        raise ValueError(f"{name} must be 0 or at least {least}, not {value}")
    return value


def flag(name: str, default: bool) -> bool:
    """Return the switch set for `name` (1/0, true/false, yes/no, on/off), else `default`."""
    value = text(name, "1" if default else "0").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"", "0", "false", "no", "off"}:
        return False
    raise ValueError(f"{name} must be 1 or 0, not {value!r}")


def one_of(name: str, allowed: tuple[str, ...]) -> str:
    """Return the word set for `name`, else the first one allowed; raise ValueError otherwise."""
    value = text(name, "").strip().lower() or allowed[0]
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return value


def words(name: str, default: str) -> list[str]:
    """Return the comma-separated words set for `name`; without any those of `default`."""
    told, usual = text(name, default).split(","), default.split(",")
    return list(filter(None, map(str.strip, told))) or list(filter(None, usual))


def public_url() -> str:
    """Return PUBLIC_URL without a slash at its end; raise ValueError unless it is scheme and host.

    Links in mails begin with it, and its scheme decides whether cookies are secure.
    """
    told = text("PUBLIC_URL", "https://localhost").strip()
    parts = urlsplit(told)
    rest = (parts.path.removeprefix("/"), parts.query, parts.fragment)
    if parts.scheme not in ("http", "https") or not _SITE.fullmatch(parts.netloc) or any(rest):
        raise ValueError(f"PUBLIC_URL must be https://HOST, or http://HOST:PORT, not {told!r}")
    return f"{parts.scheme}://{parts.netloc}"


_SITE = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:@,\[\]]+)(:[0-9]{1,5})?")


def mail(url: str) -> dict[str, object]:
    """Return Django's settings for smtp://, smtps:// or file:// with a folder; empty: no mail.

    smtp:// turns to TLS by STARTTLS, smtps:// begins with it. Raises ValueError otherwise.
    """
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    try:
        parts = split_url(url)
    except ValueError as wrong:
        raise ValueError(f"MAIL_URL {wrong}") from None
    if parts.scheme == "file" and parts.path and not parts.netloc:
        backend = "django.core.mail.backends.filebased.EmailBackend"
        return {"EMAIL_BACKEND": backend, "EMAIL_FILE_PATH": unquote(parts.path)}
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError("MAIL_URL must be smtp://, smtps:// or file:///FOLDER")
    try:
        port = parts.port
    except ValueError:
        raise ValueError("MAIL_URL has a port that is no number from 0 to 65535") from None
    secure = parts.scheme == "smtps"
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or (465 if secure else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": secure,
        # A server on this machine needs no secret way.
        "EMAIL_USE_TLS": not secure and parts.hostname not in ("localhost", "127.0.0.1", "::1"),
    }


def mail_from(default: str) -> str:
    """Return MAIL_FROM, else `default`; raise ValueError for a sender that no mail could have."""
    told = text("MAIL_FROM", "").strip()
    if told and not _ADDRESS.fullmatch(parseaddr(told)[1]):
        raise ValueError(f"MAIL_FROM must be an address, or NAME <ADDRESS>, not {told!r}")
    return told or default


_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")


def email_required(mail_url: str) -> bool:
    """Return EMAIL_REQUIRED; raise ValueError in a room that has no mail to confirm addresses."""
    wanted = flag("EMAIL_REQUIRED", False)
    if wanted and not mail_url:
        raise ValueError("EMAIL_REQUIRED needs MAIL_URL: without mail nobody could play")
    return wanted


def half_the_cores() -> int:
    """Return half of the cores this process may use, at least one."""
    allowed = getattr(os, "sched_getaffinity", None)
    cores = len(allowed(0)) if allowed else os.cpu_count() or 1
    return max(1, cores // 2)


def split_url(url: str) -> SplitResult:
    """Return the URL of a server in its parts; raise ValueError for a password as it is typed.

    Such a password cuts the URL short: what is read as its port is a part of the password, which
    must not be told. The sentence follows the name of the variable.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(_TYPED) from None
    login, _, hosts = parts.netloc.rpartition("@")
    are_whole = all(map(_HOST.fullmatch, hosts.split(",")))
    is_cut = bool(hosts) and "@" in parts.path + parts.fragment and not (login and are_whole)
    if is_cut or ("@" in parts.query and not are_whole):
        raise ValueError(_TYPED)
    return parts


_HOST = re.compile(r"(\[[^\[\]]+\]|[^:\[\]]+)(:[0-9]+)?|")
_TYPED = (
    "cannot be read: in its user and password write / as %2F, ? as %3F, # as %23, [ as %5B and"
    " ] as %5D, and an IPv6 host in brackets"
)


def host_and_port(where: str) -> tuple[str, int]:
    """Return host and port of "ADDRESS:PORT", IPv6 in brackets; raise ValueError otherwise."""
    address, colon, number = where.rpartition(":")
    if not address or not colon or not number.isdecimal() or int(number) > 65_535:
        raise ValueError(f"{where!r} is not ADDRESS:PORT")
    return address.strip("[]"), int(number)


def secret_key() -> str:
    """Return SECRET_KEY, or SECRET_KEY_FILE's text, or a key generated once here (mode 0600).

    Without space around it, as that of a file: one key has one meaning on every machine. Raises
    KeyFileMissing for an empty file, and for a file that was named and is not there.
    """
    given = os.environ.get("SECRET_KEY", "").strip()
    if given:
        return given
    path = secret_key_file()
    if text("SECRET_KEY_FILE", "") and not path.is_file():
        raise KeyFileMissing(
            f"There is no secret key in {path} (SECRET_KEY_FILE): put the room's own there, from a"
            " backup its keys/secret_key. For a new room make one: python3 -c 'import secrets;"
            " print(secrets.token_urlsafe(48))'."
        )
    found = kept_secret(path)
    if not found:
        raise KeyFileMissing(f"The secret key in {path} is empty: restore the file.")
    return found


def secret_key_fallbacks() -> list[str]:
    """Return SECRET_KEY_FALLBACKS, and SECRET_KEY as it was used with the space around it."""
    given = os.environ.get("SECRET_KEY", "")
    with_space = [given] if given.strip() and given != given.strip() else []
    return words("SECRET_KEY_FALLBACKS", "") + with_space


def secret_key_file() -> Path:
    """Return the file of the secret key."""
    return room_path("SECRET_KEY_FILE", "secret_key")


def call_key() -> str:
    """Return CALL_KEY, or CALL_KEY_FILE's text, or a key generated once here (mode 0600).

    It signs called hands; only workers that settle ask for it. Raises KeyFileMissing for a file
    that is cut short.
    """
    return os.environ.get("CALL_KEY") or _whole_secret(call_key_file(), "call key")


def call_key_file() -> Path:
    """Return the file of the call key."""
    return room_path("CALL_KEY_FILE", "call_key")


def log_key() -> str:
    """Return LOG_KEY, or LOG_KEY_FILE's text, or a key generated once here (mode 0600).

    It signs heads of the log of sealed decks; only workers that settle ask for it. Raises
    KeyFileMissing for a file that is cut short.
    """
    return os.environ.get("LOG_KEY") or _whole_secret(log_key_file(), "log key")


def log_key_before() -> str:
    """Return LOG_KEY_BEFORE, or the text of the file that a new log key left; empty for none."""
    given = os.environ.get("LOG_KEY_BEFORE")
    path = before(log_key_file())
    return given or (path.read_text().strip() if path.is_file() else "")


def log_key_file() -> Path:
    """Return the file of the log key."""
    return room_path("LOG_KEY_FILE", "log_key")


class KeyFileMissing(Exception):
    """A key that this process needs is not there; the sentence says which file, and what to do."""


def deck_key() -> str:
    """Return DECK_KEY or DECK_KEY_FILE's text; only workers that play and settle ask for it.

    It hides cards in play. It is never made here: a new one opens nothing. Raises KeyFileMissing.
    """
    return os.environ.get("DECK_KEY") or whole_text(deck_key_file(), "deck key")


def deck_key_before() -> str:
    """Return DECK_KEY_BEFORE, or the text of the file that a new deck key left; empty for none.

    Raises KeyFileMissing for a file that cannot be read.
    """
    given = os.environ.get("DECK_KEY_BEFORE")
    path = before(deck_key_file())
    return given or (whole_text(path, "former deck key") if path.is_file() else "")


def deck_key_file() -> Path:
    """Return the file of the deck key."""
    return room_path("DECK_KEY_FILE", "deck_key")


def record_key_file() -> Path:
    """Return the file of the record key, which opens finished hands whole."""
    return room_path("RECORD_KEY_FILE", "record_key")


def own_key_file() -> Path:
    """Return the file of the own key, which shows players their own cards of finished hands."""
    return room_path("OWN_KEY_FILE", "own_key")


def auditor_key() -> bytes:
    """Return the public key of the auditor, AUDITOR_KEY or AUDITOR_KEY_FILE's text; b"" for none.

    Raises KeyFileMissing for anything but 64 hexadecimal digits.
    """
    path = text("AUDITOR_KEY_FILE", "")
    try:
        given = text("AUDITOR_KEY", "") or (Path(path).read_text() if path else "")
        key = bytes.fromhex(given.strip())
    except (OSError, ValueError) as error:
        raise KeyFileMissing(
            "The auditor's public key (AUDITOR_KEY or AUDITOR_KEY_FILE) cannot be read: it is 64"
            " hexadecimal digits, which manage.py fair_keys auditor --private FILE prints."
        ) from error
    if len(key) not in (0, AUDITOR_KEY_SIZE):
        raise KeyFileMissing(
            f"The auditor's public key (AUDITOR_KEY) has {len(key)} bytes instead of 32."
        )
    return key


AUDITOR_KEY_SIZE = 32
KEY_LENGTH_MIN = 32
"""Fewest characters of a key in a file."""


def _whole_secret(path: Path, name: str) -> str:
    """Return the key in `path`, made there once; an empty file would make a key that all know."""
    kept_secret(path)
    return whole_text(path, name)


def whole_text(path: Path, name: str) -> str:
    """Return the key in a file that is there and not cut short; raises KeyFileMissing."""
    found = key_text(path, name).strip()
    if len(found) < KEY_LENGTH_MIN:
        raise KeyFileMissing(f"The {name} in {path} is cut short: restore the file.")
    return found


def key_text(path: Path, name: str) -> str:
    """Return the text of the file of a key by its name; raises KeyFileMissing."""
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise KeyFileMissing(
            f"The {name} in {path} cannot be read ({error.__class__.__name__}): restore the file, "
            "or make one for a new room with manage.py fair_keys --make."
        ) from error


def before(path: Path) -> Path:
    """Return the file that holds the key before the one in `path`."""
    return path.with_name(f"{path.name}.before")


def _token() -> str:
    return secrets.token_urlsafe(48)


def kept_secret(path: Path, make: Callable[[], str] = _token) -> str:
    """Return the secret in `path`, made there once, readable by its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    if not path.exists():
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(make())
        try:
            os.link(made, path)  # the first process wins, the others read its value
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return path.read_text().strip()


def _addresses() -> dict[str, str]:
    """Return the addresses written by the local cluster, for every manage.py command."""
    path = local() / "environment"
    if not path.is_file():
        return {}
    pairs = (line.partition("=") for line in path.read_text().splitlines())
    return {name: value for name, separator, value in pairs if separator}
