"""An OpenID provider on 127.0.0.1 that asks who logs in, and signs real ID tokens (RS256).

Each way to break its answers is one field, set by the test of that breach.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from config.outside.identity_providers import ClaimNames, IdentityProvider

CLIENT, SECRET = "room", "s3cret:with/signs"
KEY = RSAKey.generate_key(2048, parameters={"kid": "first"})
OTHER_KEY = RSAKey.generate_key(2048, parameters={"kid": "first"})


class Provider:
    """People of a provider by their subject, and what is wrong with its answers."""

    def __init__(self) -> None:
        self.address = ""
        self.people: dict[str, dict[str, Any]] = {"ann-1": {"preferred_username": "Ann"}}
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.key = KEY
        self.claims: dict[str, Any] = {}
        """Claims that replace those of every ID token; None takes one out."""
        self.algorithm = "RS256"
        self.silent_at = ""
        self.broken = b"broken"
        """Path that is never answered."""
        self.failing: dict[str, int] = {}
        """Status of the answer of a path."""
        self.profile: dict[str, Any] = {}
        self.document: dict[str, Any] = {}
        self.reached = threading.Semaphore(0)
        """Raised by each request that is never answered."""
        self.released = threading.Event()

    def entry(self, **fields: Any) -> IdentityProvider:
        """Return the entry of this provider in the configuration."""
        usual = {"key": "local", "name": "Local", "issuer": self.address, "client_id": CLIENT}
        return IdentityProvider(**{"client_secret": SECRET, **usual, **fields})

    def plain_entry(self) -> IdentityProvider:
        """Return an entry of the provider that speaks OAuth 2.0 alone, as GitHub does."""
        return self.entry(
            key="plain",
            name="Plain",
            issuer="",
            authorization_endpoint=f"{self.address}/authorize",
            token_endpoint=f"{self.address}/token",
            userinfo_endpoint=f"{self.address}/me",
            scopes=("read:user",),
            claims=ClaimNames(sub="id", preferred_username="login"),
        )

    def token(self, code: dict[str, str]) -> str:
        """Return a signed ID token of a log-in."""
        now = int(time.time())
        claims = {
            "iss": self.address,
            "sub": code["subject"],
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": code.get("nonce"),
            "auth_time": now,
            **self.people[code["subject"]],
            **self.claims,
        }
        kept = {name: value for name, value in claims.items() if value is not None}
        head = {"alg": self.algorithm, "kid": self.key.kid}
        if self.algorithm == "HS256":
            return jwt.encode(head, kept, OctKey.import_key(SECRET), ["HS256"])
        if self.algorithm == "none":
            parts = (json.dumps(part).encode() for part in (head, kept))
            return (
                ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
                + "."
            )
        return jwt.encode(head, kept, self.key)


class _Handler(BaseHTTPRequestHandler):
    owner: Provider

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if not self._is_broken(path):
            given = {
                name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()
            }
            self._answers(path, given)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if not self._is_broken(self.path):
            self._give_token({name: values[0] for name, values in parse_qs(body).items()})

    def _is_broken(self, path: str) -> bool:
        self.owner.paths.append(path)
        if path == self.owner.silent_at:
            self.owner.reached.release()
            self.owner.released.wait(60)
            return True
        if status := self.owner.failing.get(path, 0):
            self._say(status, self.owner.broken)
        return path in self.owner.failing

    def _answers(self, path: str, given: dict[str, str]) -> None:
        owner = self.owner
        if path == "/.well-known/openid-configuration":
            names = ("authorization", "token", "userinfo")
            found = {f"{name}_endpoint": f"{owner.address}/{name}" for name in names}
            found["authorization_endpoint"] = f"{owner.address}/authorize"
            keys = {"issuer": owner.address, "jwks_uri": f"{owner.address}/keys"}
            self._json(found | keys | owner.document)
        elif path == "/keys":
            self._json({"keys": [KEY.as_dict(private=False)]})
        elif path == "/authorize" and "as" not in given:
            owner.asked.append(given)
            again = urlencode(given)
            rows = (
                f'<p><a href="/authorize?{again}&as={escape(subject)}">I am {escape(subject)}</a>'
                for subject in owner.people
            )
            decline = f'<p><a href="/authorize?{again}&as=">Decline</a>'
            page = f"<!doctype html><title>Provider</title>{''.join(rows)}{decline}"
            self._say(200, page.encode(), "text/html; charset=utf-8")
        elif path == "/authorize":
            self._send_back(given)
        elif path in ("/userinfo", "/me"):
            subject = self.headers["Authorization"].removeprefix("Bearer token-of-")
            self._json({"sub": subject, **owner.people[subject], **owner.profile})
        else:
            self._say(404, b"")

    def _send_back(self, given: dict[str, str]) -> None:
        assert given["client_id"] == CLIENT and given["response_type"] == "code"
        assert given["code_challenge_method"] == "S256" and len(given["state"]) >= 40
        answer = {"state": given["state"], "error": "access_denied"}
        if given["as"]:
            code = secrets.token_urlsafe(16)
            self.owner.codes[code] = {**given, "subject": given["as"]}
            answer = {"state": given["state"], "code": code, "iss": self.owner.address}
        self.send_response(302)
        self.send_header("Location", f"{given['redirect_uri']}?{urlencode(answer)}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _give_token(self, given: dict[str, str]) -> None:
        """Answer as RFC 6749 and 7636 demand: a code counts once, for who can show its verifier."""
        code = self.owner.codes.pop(given["code"], None)
        if code is None or not self._is_client(given):
            return self._json({"error": "invalid_grant"}, 400)
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if challenge != code["code_challenge"] or given["redirect_uri"] != code["redirect_uri"]:
            return self._json({"error": "invalid_grant"}, 400)
        found = {"access_token": f"token-of-{code['subject']}", "token_type": "Bearer"}
        if "openid" in code["scope"].split():
            found["id_token"] = self.owner.token(code)
        return self._json(found)

    def _is_client(self, given: dict[str, str]) -> bool:
        shown = self.headers.get("Authorization", "")
        if shown:
            pair = base64.b64decode(shown.removeprefix("Basic ")).decode().split(":")
            return [unquote(part) for part in pair] == [CLIENT, SECRET]
        return (given.get("client_id"), given.get("client_secret")) == (CLIENT, SECRET)

    def _json(self, found: dict[str, Any], status: int = 200) -> None:
        self._say(status, json.dumps(found).encode(), "application/json")

    def _say(self, status: int, body: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def provider() -> Iterator[Provider]:
    """Serve a provider with one person."""
    held = Provider()
    handler = type("Handler", (_Handler,), {"owner": held})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    held.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield held
    finally:
        held.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
