"""Uploaded files over several web hosts: what one takes, every other one serves."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import httpx
from PIL import Image

PAGE = "/account/picture/"
TIMEOUT_S = 20.0

_ADDRESS = re.compile(r"/pictures/[0-9a-f]{32}[.]webp")


def verify_shared_files(hosts: Sequence[str], session: str) -> dict[str, Any]:
    """Upload a picture at each web host in turn and read it at all of them.

    `session` is the cookie of a player; the picture is removed at the end. Returns the number of
    pictures read and the violations.
    """
    violations: list[str] = []
    read = 0
    for number, host in enumerate(hosts):
        try:
            path = _upload(host, session, shade=40 * number)
            own = _served(host + path)
            for other in hosts:
                if _served(other + path) != own:
                    violations.append(f"{other} serves another picture than {host} took")
                else:
                    read += 1
        except (httpx.HTTPError, ValueError) as error:
            violations.append(f"picture uploaded at {host}: {error}")
    try:
        _remove(hosts[0], session)
    except httpx.HTTPError as error:
        violations.append(f"picture not removed at {hosts[0]}: {error}")
    return {"hosts": len(hosts), "read": read, "violations": violations}


def _upload(host: str, session: str, *, shade: int) -> str:
    """Upload a picture as a player's browser does; return its path."""
    drawn = io.BytesIO()
    Image.new("RGB", (64, 64), (shade, 90, 120)).save(drawn, "PNG")
    with _web(host, session) as web:
        files = {"picture": ("face.png", drawn.getvalue())}
        sent = web.post(PAGE, data=_form(web), files=files)
        if sent.status_code != 302:
            raise ValueError(f"answered {sent.status_code}")
        found = _ADDRESS.search(web.get(PAGE).text)
    if found is None:
        raise ValueError("the page shows no picture")
    return found[0]


def _served(address: str) -> bytes:
    return httpx.get(address, timeout=TIMEOUT_S, trust_env=False).raise_for_status().content


def _remove(host: str, session: str) -> None:
    with _web(host, session) as web:
        web.post(PAGE, data={**_form(web), "step": "remove"})


def _web(host: str, session: str) -> httpx.Client:
    return httpx.Client(
        base_url=host,
        cookies={"sessionid": session},
        timeout=TIMEOUT_S,
        trust_env=False,
    )


def _form(web: httpx.Client) -> dict[str, str]:
    web.get(PAGE).raise_for_status()
    return {"csrfmiddlewaretoken": web.cookies["csrftoken"]}
