"""Django settings, read from the environment and safe for the open internet by default."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config import environment, limit_relations, limits, logs
from config.inputs import sites
from config.outside import addresses as outside
from config.outside import identity_providers
from config.postgres import databases
from config.redis import addresses

if not __debug__:
    raise ImproperlyConfigured("The room asserts its invariants: run Python without -O.")
limit_relations.check_limits()

django_stubs_ext.monkeypatch()  # lets classes be written as ModelAdmin[User]

BASE_DIR = environment.HOME

# ---- addresses, hosts and proxies ----
PUBLIC_URL = environment.public_url()
FAIR_ORIGIN = f"{urlsplit(PUBLIC_URL).netloc}/fair"
SECURE = PUBLIC_URL.startswith("https://")
DEBUG = environment.flag("DEBUG", False)
SECRET_KEY = environment.secret_key()
SECRET_KEY_FALLBACKS = environment.secret_key_fallbacks()
ALLOWED_HOSTS = sites.verified_hosts(
    "ALLOWED_HOSTS", environment.words("ALLOWED_HOSTS", sites.host_of(PUBLIC_URL))
)
# Number of trusted proxies in front; headers of any other sender are ignored.
PROXIES = environment.number("PROXIES", 0, least=0)
# Networks beside the public Internet that webhooks may reach, e.g. 10.1.2.0/24; empty: none.
WEBHOOK_NETWORKS = outside.networks_of("WEBHOOK_NETWORKS")
# The same for push services; players name their addresses.
PUSH_NETWORKS = outside.networks_of("PUSH_NETWORKS")
# The same for providers of log-ins, which the operator names.
OPENID_NETWORKS = outside.networks_of("OPENID_NETWORKS")
try:
    OPENID_PROVIDERS = identity_providers.read(
        environment.text("OPENID_PROVIDERS", ""),
        environment.text("OPENID_PROVIDERS_FILE", ""),
        OPENID_NETWORKS,
    )
except ValueError as wrong:
    raise ImproperlyConfigured(f"OPENID_PROVIDERS: {wrong}.") from wrong
# Names the room to push services, equal in all its processes; with a new one devices ask again.
PUSH_KEY = environment.text("PUSH_KEY", "") or SECRET_KEY
CSRF_TRUSTED_ORIGINS = sites.verified_origins(
    "CSRF_TRUSTED_ORIGINS", environment.words("CSRF_TRUSTED_ORIGINS", PUBLIC_URL)
)
# Origins of pages that may open sockets; scheme://host:port each.
SOCKET_ORIGINS = environment.words("SOCKET_ORIGINS", ",".join(CSRF_TRUSTED_ORIGINS))

# ---- apps, middleware and templates ----
INSTALLED_APPS = [
    "config",
    "deploy",
    "tournaments",
    "tournaments.overlays",
    "tournaments.seasons",
    "tournaments.bot_ladder",
    "tournaments.duplicates",
    "tables",
    "tables.ring",
    "tables.chat",
    "tables.conduct",
    "tables.cardsup",
    "tables.fairlog",
    "tables.statistics",
    "tables.dealt",
    "tables.seeds",
    "accounts",
    "accounts.notifications",
    "accounts.bots",
    "accounts.player_notes",
    "accounts.faces",
    "accounts.approvals",
    "accounts.looks",
    "accounts.providers",
    "accounts.research",
    "config.admin_site.RoomAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "django_htmx",
    "axes",
    "csp",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.files.static_files.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.door.known.NoteSessions",
    "accounts.pages.onward.LeadToLogin",
    "accounts.pages.idle.EndIdleSessions",
    "accounts.pages.seen.NoteLogins",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
# ---- front door: bounds of the work of one web process ----
BODY_MAX_BYTES = environment.number("BODY_MAX_BYTES", limits.BODY_MAX_BYTES, least=1)
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = BODY_MAX_BYTES + 1  # never to disk
PAGES_AT_ONCE = environment.number("PAGES_AT_ONCE", limits.PAGES_AT_ONCE, least=1)
PAGES_WAITING = environment.number("PAGES_WAITING", limits.PAGES_WAITING, least=1)
SOCKETS_PER_ADDRESS = environment.number("SOCKETS_PER_ADDRESS", limits.SOCKETS_PER_ADDRESS, least=0)
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.research.mark.research",
            ],
        },
    },
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ---- PostgreSQL: the truth at every hand boundary ----
DATABASE_URL = environment.text("DATABASE_URL", "postgresql://room@127.0.0.1:5432/room")
try:
    DATABASES = {
        "default": databases.parse(
            DATABASE_URL,
            name=environment.text("PROCESS_NAME", "room"),
            kept_s=environment.number("DATABASE_CONNECTION_AGE_S", 0, least=0),
            # Whether a pooler lends connections for single transactions.
            pooled=environment.flag("DATABASE_POOLED", False),
        )
    }
except ValueError as wrong:
    raise ImproperlyConfigured(f"DATABASE_URL {wrong}.") from wrong

# ---- the two Redis servers, and the queues of the workers ----
ROOM_REDIS_URL = environment.text("ROOM_REDIS_URL", "redis://127.0.0.1:6379/0")
BROKER_URL = environment.text("BROKER_URL", "redis://127.0.0.1:6380/0")
for _name, _url in (("ROOM_REDIS_URL", ROOM_REDIS_URL), ("BROKER_URL", BROKER_URL)):
    try:
        _address = addresses.parse(_url)
    except ValueError as wrong:
        raise ImproperlyConfigured(f"{_name} {wrong}.") from wrong
    if _name == "ROOM_REDIS_URL":
        ROOM_REDIS_MODE = _address.mode
    elif _address.kind == "cluster":
        raise ImproperlyConfigured("BROKER_URL names a cluster, on which Celery has no queues.")
if BROKER_URL.startswith("rediss:") and "ssl_cert_reqs=" not in BROKER_URL:
    raise ImproperlyConfigured(
        "BROKER_URL: with rediss:// Celery looks at no certificate unless ?ssl_cert_reqs=required "
        "is added (or =none, where that is meant)."
    )
# Is what the room's Redis answered on its disk? "ask" it, or say "yes" or "no" of a managed server.
ROOM_REDIS_DURABLE = environment.one_of("ROOM_REDIS_DURABLE", ("ask", "yes", "no"))
SHARDS = environment.number(
    "SHARDS", limits.CLUSTER_SHARDS if ROOM_REDIS_MODE == "cluster" else 1, least=1
)
PLAY_QUEUES = environment.number("PLAY_QUEUES", 4, least=1)

# ---- accounts and passwords ----
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "accounts.users.hashing.Argon2",
    "accounts.users.hashing.PBKDF2",
]
# On this machine, over all of its processes; half the cores, at least one.
PASSWORD_HASHES_AT_ONCE = environment.number(
    "PASSWORD_HASHES_AT_ONCE", environment.half_the_cores(), least=1
)
LOGINS_PER_MINUTE_PER_ADDRESS = environment.number(
    "LOGINS_PER_MINUTE_PER_ADDRESS", limits.LOGINS_PER_MINUTE_PER_ADDRESS, least=1
)
LOGINS_PER_MINUTE = environment.number("LOGINS_PER_MINUTE", limits.LOGINS_PER_MINUTE, least=1)
SIGNUPS_PER_MINUTE_PER_ADDRESS = environment.number(
    "SIGNUPS_PER_MINUTE_PER_ADDRESS", limits.SIGNUPS_PER_MINUTE_PER_ADDRESS, least=1
)
SEARCHES_PER_MINUTE = environment.number("SEARCHES_PER_MINUTE", limits.SEARCHES_PER_MINUTE, least=1)
LANGUAGE_SWITCHES_PER_MINUTE = environment.number(
    "LANGUAGE_SWITCHES_PER_MINUTE", limits.LANGUAGE_SWITCHES_PER_MINUTE, least=1
)
RING_OVERDRAFT_CENTS = environment.number(
    "RING_OVERDRAFT_CENTS", limits.RING_OVERDRAFT_CENTS, least=0
)
WELCOMES_PER_ADDRESS_PER_DAY = environment.number(
    "WELCOMES_PER_ADDRESS_PER_DAY", limits.WELCOMES_PER_ADDRESS_PER_DAY, least=0
)
_validators = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": f"{_validators}.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["name", "email"]},
    },
    {
        "NAME": f"{_validators}.MinimumLengthValidator",
        "OPTIONS": {"min_length": limits.PASSWORD_MIN_CHARACTERS},
    },
    {"NAME": f"{_validators}.CommonPasswordValidator"},
    {"NAME": f"{_validators}.NumericPasswordValidator"},
]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
LOGIN_ROWS_KEPT_DAYS = environment.number(
    "LOGIN_ROWS_KEPT_DAYS", limits.LOGIN_ROWS_KEPT_DAYS, least=1
)
# Minor units that a member of staff credits alone in 24 hours; empty: no second person is needed.
CREDIT_ALONE_MAX_CENTS = (
    environment.number("CREDIT_ALONE_MAX_CENTS", 0, least=0)
    if environment.text("CREDIT_ALONE_MAX_CENTS", "")
    else None
)
# Rights of accounts are changed by two superusers: one asks, another one approves.
RIGHTS_BY_TWO = environment.flag("RIGHTS_BY_TWO", False)
# Minutes after which pages of security, money and rulings ask for the password again; 0: never.
PASSWORD_AGAIN_MINUTES = environment.number(
    "PASSWORD_AGAIN_MINUTES", limits.PASSWORD_AGAIN_MIN, least=0
)
# Minutes without use after which sessions of players and of staff end; 0: never.
IDLE_MINUTES = environment.minutes_or_never("IDLE_MINUTES", 0, limits.IDLE_MIN_LEAST)
STAFF_IDLE_MINUTES = environment.minutes_or_never(
    "STAFF_IDLE_MINUTES", limits.STAFF_IDLE_MIN, limits.IDLE_MIN_LEAST
)
# Whether web processes hold the record key, so that staff with the right see all cards of hands.
SEE_HOLE_CARDS = environment.flag("SEE_HOLE_CARDS", False)
# Whether staff reach the admin and the cockpit only with a second factor.
STAFF_SECOND_FACTOR = environment.flag("STAFF_SECOND_FACTOR", False)
AXES_FAILURE_LIMIT = limits.LOGIN_FAILURES_MAX
AXES_COOLOFF_TIME = timedelta(seconds=limits.LOGIN_LOCK_S)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "lockout.html"
AXES_RESET_ON_SUCCESS = True
# A lock-out lasts as long as its page says, also for somebody who tries again meanwhile.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
# Fields beside "password" that no row of a failed log-in keeps.
AXES_SENSITIVE_PARAMETERS = ["old_password", "new_password1", "new_password2"]
AXES_USERNAME_CALLABLE = "accounts.logins.lockout.attempted_name"
AXES_CLIENT_IP_CALLABLE = "accounts.logins.lockout.address"

PASSWORD_RESET_TIMEOUT = limits.PASSWORD_LINK_S

# ---- mail: smtp://USER:PASSWORD@HOST:PORT, smtps://..., file:///FOLDER; empty: none is sent ----
MAIL_URL = environment.text("MAIL_URL", "")
globals().update(environment.mail(MAIL_URL))
EMAIL_TIMEOUT = limits.MAIL_TIMEOUT_S
# Whether people need a confirmed e-mail address before they play.
EMAIL_REQUIRED = environment.email_required(MAIL_URL)
DEFAULT_FROM_EMAIL = environment.mail_from(f"room@{urlsplit(PUBLIC_URL).hostname or 'localhost'}")

# ---- chat ----
CHAT = environment.flag("CHAT", True)
# Whether spectators who are logged in may write, apart from the players.
CHAT_SPECTATORS = environment.flag("CHAT_SPECTATORS", False)
CHAT_LINKS = environment.flag("CHAT_LINKS", False)
# Whether players still in a hand are silent while somebody in it is all-in.
CHAT_QUIET_ALL_IN = environment.flag("CHAT_QUIET_ALL_IN", True)
# Seconds between two messages of a player; 0: no slow mode.
CHAT_SLOW_S = environment.number("CHAT_SLOW_S", limits.CHAT_SLOW_S, least=0)
CHAT_KEPT_DAYS = environment.number("CHAT_KEPT_DAYS", limits.CHAT_KEPT_DAYS, least=1)

# ---- conduct ----
CONDUCT_KEPT_DAYS = environment.number("CONDUCT_KEPT_DAYS", limits.CONDUCT_KEPT_DAYS, least=1)

# ---- browsers ----
SESSION_ENGINE = "accounts.logins.session_store"
SESSION_COOKIE_AGE = limits.SESSION_AGE_S
SESSION_COOKIE_SECURE = SECURE
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = SECURE
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = SECURE
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
# Other names below the room's host may be somebody else's, and have no TLS: only when asked for.
HSTS_SUBDOMAINS = environment.flag("HSTS_SUBDOMAINS", False)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE and HSTS_SUBDOMAINS
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # they ask for both in every room
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# ---- languages and time ----
LANGUAGE_CODE = "en"
LANGUAGES = [("de", _("German")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# ---- static files: WhiteNoise serves the gathered files under names with hashes ----
STATIC_URL = "static/"
STATIC_ROOT = str(environment.room_path("STATIC_ROOT", "static"))
STATICFILES_DIRS = [path for path in [BASE_DIR / "static"] if path.is_dir()]
STATIC_GATHERED = environment.flag("STATIC_GATHERED", True)
WHITENOISE_USE_FINDERS = not STATIC_GATHERED
_static_storage = (
    "config.files.hashed_names.HashedStaticFiles"
    if STATIC_GATHERED
    else "django.contrib.staticfiles.storage.StaticFilesStorage"
)
# Uploaded files: a folder that all web processes share, or a bucket of an S3-compatible server.
MEDIA_ROOT = str(environment.room_path("FILES_DIR", "files"))
_bucket = environment.text("FILES_S3_BUCKET", "")
_file_storage: dict[str, Any] = {"BACKEND": "django.core.files.storage.FileSystemStorage"}
if _bucket:
    _file_storage = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": _bucket,
            "endpoint_url": environment.text("FILES_S3_ENDPOINT", "") or None,
            "region_name": environment.text("FILES_S3_REGION", "") or None,
            "access_key": environment.text("FILES_S3_KEY", "") or None,
            "secret_key": environment.text("FILES_S3_SECRET", "") or None,
            "addressing_style": "path",
            "default_acl": None,  # the bucket is private: the room's own pages serve its files
        },
    }
STORAGES = {
    "default": _file_storage,
    "staticfiles": {"BACKEND": _static_storage},
}

# ---- logs and metrics ----
METRICS_TOKEN = environment.text("METRICS_TOKEN", "").strip()  # secrets often end a line
METRICS_LISTEN = environment.text("METRICS_LISTEN", "")
if METRICS_LISTEN and not METRICS_TOKEN:
    raise ImproperlyConfigured(
        "METRICS_LISTEN needs METRICS_TOKEN: who asks a worker for its counters has to show it."
    )
if METRICS_LISTEN:
    try:
        environment.host_and_port(METRICS_LISTEN)
    except ValueError as wrong:
        raise ImproperlyConfigured(f"METRICS_LISTEN: {wrong}") from wrong
LOG_LEVEL = environment.one_of("LOG_LEVEL", logs.LEVELS).upper()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "config.logs.formatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "axes": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
}
