"""Settings follow the operator's environment and default to the safe choice."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from config import environment
from tests.config.process.settings_process import modules_of_a_start, settings_alone, settings_with


def shown(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_libraries_of_log_ins_are_not_loaded_at_the_start_of_a_process(tmp_path: Path) -> None:
    loaded = modules_of_a_start(tmp_path)
    assert {"accounts.providers.proofs", "accounts.pages.second_factor"} <= loaded
    assert not {"joserfc", "fido2"} & loaded


def test_counters_are_not_told_without_a_token_or_an_address(tmp_path: Path) -> None:
    done = settings_with(tmp_path, METRICS_LISTEN="127.0.0.1:9100")
    assert done.returncode != 0 and "METRICS_LISTEN needs METRICS_TOKEN" in done.stderr
    done = settings_with(tmp_path, METRICS_LISTEN="9100", METRICS_TOKEN="a long secret")
    assert done.returncode != 0 and "METRICS_LISTEN: '9100' is not ADDRESS:PORT" in done.stderr


def test_production_passes_djangos_own_checks_and_is_closed_by_default(tmp_path: Path) -> None:
    found = shown(settings_with(tmp_path, PUBLIC_URL="https://poker.example", PROXIES="1"))
    assert found["DEBUG"] is False
    assert found["SESSION_COOKIE_SECURE"] is found["CSRF_COOKIE_SECURE"] is True
    assert found["SECURE_SSL_REDIRECT"] is True
    assert found["SECURE_HSTS_SECONDS"] > 0
    assert found["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is found["SECURE_HSTS_PRELOAD"] is False
    assert found["ALLOWED_HOSTS"] == ["poker.example"]
    assert found["SOCKET_ORIGINS"] == ["https://poker.example"]
    assert found["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]


@pytest.mark.parametrize(
    "told", ["https://poker.example/", "HTTPS://poker.example", " https://poker.example\n"]
)
def test_links_and_cookies_are_those_of_the_public_address(tmp_path: Path, told: str) -> None:
    found = shown(settings_alone(tmp_path, PUBLIC_URL=told))
    assert found["PUBLIC_URL"] == "https://poker.example", "links add a path that begins with /"
    assert found["SESSION_COOKIE_SECURE"] is True


@pytest.mark.parametrize(
    "told",
    [
        *("poker.example", "", "https://", "ftp://poker.example", "https://poker.example/room"),
        *("https://poker.example:https", "https://:word@poker.example", "https://poker example"),
        "https://poker.example,www.poker.example",
    ],
)
def test_a_public_address_without_scheme_and_host_stops_the_start(
    tmp_path: Path, told: str
) -> None:
    done = settings_alone(tmp_path, PUBLIC_URL=told)
    assert done.returncode != 0
    assert f"PUBLIC_URL must be https://HOST, or http://HOST:PORT, not {told!r}" in done.stderr


def test_a_token_for_counters_has_no_end_of_a_line(tmp_path: Path) -> None:
    found = shown(settings_alone(tmp_path, METRICS_TOKEN="a long secret\n"))
    assert found["METRICS_TOKEN"] == "a long secret"


@pytest.mark.parametrize("name", ["PROXIES", "PASSWORD_AGAIN_MINUTES", "RING_OVERDRAFT_CENTS"])
def test_a_number_below_nothing_stops_the_start(tmp_path: Path, name: str) -> None:
    done = settings_alone(tmp_path, **{name: "-1"})
    assert done.returncode != 0 and f"{name} must be 0 or more, not -1" in done.stderr


def test_empty_lists_and_an_empty_sender_are_the_usual_ones(tmp_path: Path) -> None:
    names = ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SOCKET_ORIGINS", "MAIL_FROM")
    empty = dict.fromkeys(names, " ")
    found = shown(settings_alone(tmp_path, PUBLIC_URL="https://poker.example", **empty))
    assert found["ALLOWED_HOSTS"] == ["poker.example"]
    assert found["SOCKET_ORIGINS"] == found["CSRF_TRUSTED_ORIGINS"] == ["https://poker.example"]
    assert found["DEFAULT_FROM_EMAIL"] == "room@poker.example"


@pytest.mark.parametrize("port", ["587 ", "99999", "mail"])
def test_a_wrong_port_of_a_mail_server_is_told_with_its_variable(port: str) -> None:
    with pytest.raises(ValueError, match="MAIL_URL has a port that is no number"):
        environment.mail(f"smtp://mail.example:{port}")


def test_a_sender_that_no_mail_could_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for told in ("room@poker.example", "Poker room <room@poker.example>"):
        monkeypatch.setenv("MAIL_FROM", told)
        assert environment.mail_from("") == told
    for told in ("Poker room", "room@", "a b@c"):
        monkeypatch.setenv("MAIL_FROM", told)
        with pytest.raises(ValueError, match="MAIL_FROM must be an address, or NAME <ADDRESS>"):
            environment.mail_from("")


def test_a_header_of_a_proxy_is_believed_only_where_one_stands(tmp_path: Path) -> None:
    assert shown(settings_alone(tmp_path))["SECURE_PROXY_SSL_HEADER"] is None


def test_tls_options_of_an_address_are_applied(tmp_path: Path) -> None:
    address = "postgresql://room@db.example/room?sslmode=verify-full&sslrootcert=/etc/ca.pem"
    options = shown(settings_alone(tmp_path, DATABASE_URL=address))["DATABASES"]["default"][
        "OPTIONS"
    ]
    assert (options["sslmode"], options["sslrootcert"]) == ("verify-full", "/etc/ca.pem")
    done = settings_with(tmp_path, BROKER_URL="rediss://broker.example/0")
    assert done.returncode != 0 and "?ssl_cert_reqs=required" in done.stderr
    shown(settings_alone(tmp_path, BROKER_URL="rediss://broker.example/0?ssl_cert_reqs=required"))


def test_a_switch_that_is_neither_on_nor_off_stops_the_start(tmp_path: Path) -> None:
    done = settings_with(tmp_path, DEBUG="perhaps")
    assert done.returncode != 0
    assert "DEBUG must be 1 or 0" in done.stderr


@pytest.mark.parametrize(
    "name",
    [
        "LOGINS_PER_MINUTE",
        "LOGINS_PER_MINUTE_PER_ADDRESS",
        "SIGNUPS_PER_MINUTE_PER_ADDRESS",
        "SEARCHES_PER_MINUTE",
        "LANGUAGE_SWITCHES_PER_MINUTE",
        "PAGES_WAITING",
    ],
)
def test_a_bound_of_the_front_door_below_one_stops_the_start(tmp_path: Path, name: str) -> None:
    done = settings_with(tmp_path, **{name: "0"})
    assert done.returncode != 0
    assert f"{name} must be 1 or more, not 0" in done.stderr


@pytest.mark.parametrize(
    ("name", "password"),
    [
        *(("DATABASE_URL", word) for word in ("se/cret", "se?cret", "12/34")),
        *(("ROOM_REDIS_URL", word) for word in ("se#cret", "se[cret", "12/34")),
        ("BROKER_URL", "se/cret"),
        ("MAIL_URL", "se/cret"),
    ],
)
def test_a_password_as_it_is_typed_stops_the_start_and_is_not_told(
    tmp_path: Path, name: str, password: str
) -> None:
    kind = {"DATABASE_URL": "postgresql", "MAIL_URL": "smtp"}.get(name, "redis")
    done = settings_alone(tmp_path, **{name: f"{kind}://room:{password}@one.example:1234/0"})
    assert done.returncode != 0
    last = done.stderr.splitlines()[-1]
    assert f"{name} cannot be read: in its user and password write / as %2F" in last
    assert not any(part in done.stderr for part in (password, "'se'", "'12'"))


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://a:1,b:2/bells?sentinel_password=p@ss",
        "postgresql://me:p%2Fss@%2Fvar%2Frun%2Fpostgresql/room",
        "postgresql:///room?host=/var/run/postgresql&user=me@here",
        "smtp://me@one.example:p@ss@two.example:587",
        "redis://room:p+ss==@[::1]:6379/0",
    ],
)
def test_an_address_with_its_signs_in_their_places_is_read(url: str) -> None:
    assert environment.split_url(url).netloc == url.partition("//")[2].partition("/")[0]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis://one:64x/0", "has a port that is no number"),
        ("redis://one:6379/zero", "has a database that is no number"),
    ],
)
def test_an_address_of_one_redis_is_read_at_the_start(tmp_path: Path, url: str, why: str) -> None:
    done = settings_alone(tmp_path, ROOM_REDIS_URL=url)
    assert done.returncode != 0 and f"ROOM_REDIS_URL {why}" in done.stderr


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("WEBHOOK_NETWORKS", "10.1.2.3/24"),
        ("PUSH_NETWORKS", "10.1.2.0/24 fd00::/8"),
        ("OPENID_NETWORKS", "intranet"),
    ],
)
def test_a_network_that_is_none_stops_the_start(tmp_path: Path, name: str, told: str) -> None:
    done = settings_alone(tmp_path, **{name: f"192.168.0.0/16,{told}"})
    assert done.returncode != 0
    assert f"ValueError: {name}: " in done.stderr and told in done.stderr


def test_an_unknown_guarantee_of_redis_stops_the_start(tmp_path: Path) -> None:
    done = settings_with(tmp_path, ROOM_REDIS_DURABLE="maybe")
    assert done.returncode != 0
    assert "ROOM_REDIS_DURABLE must be one of ask, yes, no, not 'maybe'" in done.stderr


@pytest.mark.parametrize(
    ("told", "level"), [("debug", "DEBUG"), ("Warning ", "WARNING"), ("", "INFO")]
)
def test_a_log_level_is_read_in_letters_of_any_case(tmp_path: Path, told: str, level: str) -> None:
    assert shown(settings_alone(tmp_path, LOG_LEVEL=told))["LOG_LEVEL"] == level


def test_an_unknown_log_level_stops_the_start_with_one_line(tmp_path: Path) -> None:
    done = settings_with(tmp_path, LOG_LEVEL="loud")
    assert done.returncode != 0
    assert "LOG_LEVEL must be one of info, debug, warning" in done.stderr


def test_an_empty_guarantee_of_redis_is_the_default(tmp_path: Path) -> None:
    assert settings_alone(tmp_path, ROOM_REDIS_DURABLE="").returncode == 0


def test_a_room_without_its_assertions_does_not_start(tmp_path: Path) -> None:
    done = settings_with(tmp_path, PYTHONOPTIMIZE="1")
    assert done.returncode != 0
    assert "without -O" in done.stderr


def test_the_file_of_the_local_cluster_is_read_after_the_environment(tmp_path: Path) -> None:
    (tmp_path / "environment").write_text("SHARDS=8\nPUBLIC_URL=https://file.example\n")
    found = shown(settings_alone(tmp_path, PUBLIC_URL="https://process.example"))
    assert found["SHARDS"] == 8
    assert found["ALLOWED_HOSTS"] == ["process.example"]


def test_an_empty_folder_is_that_of_the_room_and_never_that_of_the_program(tmp_path: Path) -> None:
    found = shown(settings_alone(tmp_path, FILES_DIR="", STATIC_ROOT="", SECRET_KEY_FILE=""))
    assert (found["MEDIA_ROOT"], found["STATIC_ROOT"]) == (
        str(tmp_path / "files"),
        str(tmp_path / "static"),
    )
    assert (tmp_path / "secret_key").is_file()


def test_names_below_the_host_are_bound_to_tls_only_when_asked_for(tmp_path: Path) -> None:
    found = shown(settings_alone(tmp_path, HSTS_SUBDOMAINS="1"))
    assert found["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is found["SECURE_HSTS_PRELOAD"] is True
    found = shown(settings_alone(tmp_path, HSTS_SUBDOMAINS="1", PUBLIC_URL="http://room.example"))
    assert found["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is False


def test_a_secret_key_is_the_same_with_and_without_the_end_of_a_line(tmp_path: Path) -> None:
    found = shown(settings_alone(tmp_path, SECRET_KEY="a long secret\n"))
    assert found["SECRET_KEY"] == "a long secret"
    assert found["SECRET_KEY_FALLBACKS"] == ["a long secret\n"], "what it signed before counts on"
    found = shown(settings_alone(tmp_path, SECRET_KEY="a long secret"))
    assert (found["SECRET_KEY"], found["SECRET_KEY_FALLBACKS"]) == ("a long secret", [])


def test_a_named_file_of_the_secret_key_is_never_made(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    done = settings_alone(tmp_path, SECRET_KEY_FILE=str(path))
    assert done.returncode != 0 and f"no secret key in {path} (SECRET_KEY_FILE)" in done.stderr
    assert not path.exists()
    path.write_text("\n")
    done = settings_alone(tmp_path, SECRET_KEY_FILE=str(path))
    assert done.returncode != 0 and f"The secret key in {path} is empty" in done.stderr
    path.write_text("a long secret\n")
    assert shown(settings_alone(tmp_path, SECRET_KEY_FILE=str(path)))["SECRET_KEY"] == (
        "a long secret"
    )


def test_an_empty_folder_of_the_room_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOM_LOCAL", "")
    assert environment.local() == environment.HOME / ".local"


def test_a_secret_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "secret"
    first = environment.kept_secret(path)
    assert len(first) >= 50
    assert environment.kept_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [found.name for found in path.parent.iterdir()] == ["secret"]
