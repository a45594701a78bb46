"""A device with passkeys, as Chromium plays it."""

from __future__ import annotations

from playwright.sync_api import Page


def authenticator(page: Page) -> None:
    """Give the page's browser a device that keeps passkeys and unlocks them by itself."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
