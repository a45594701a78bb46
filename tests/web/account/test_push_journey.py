"""Notifications in a browser: a device turned on, tried and off; the worker's part; no network.

The headless shell has no push service, so its `pushManager.subscribe` gives a subscription of the
test; everything before and behind it is real, and the real service worker hears its pushes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from accounts.models import User
from accounts.notifications import endpoints
from accounts.notifications.models import NotificationSettings, PushEndpoint
from tests.accounts.notifications.push_browser import PushBrowser, push_due
from tests.config.outside.receiver import Receiver, receiving
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.web.visiting import PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

PAGE = "/account/notifications/"
SUBSCRIBED = """
(given) => {
  const made = {
    endpoint: given.address,
    options: { applicationServerKey: null },
    toJSON: () => ({
      endpoint: given.address,
      keys: { p256dh: given.public_key, auth: given.secret },
    }),
    unsubscribe: async () => sessionStorage.removeItem("subscribed"),
  };
  PushManager.prototype.subscribe = async (asked) => {
    if (!asked.userVisibleOnly || asked.applicationServerKey.length !== 65) throw Error("asked");
    sessionStorage.setItem("subscribed", "1");
    return made;
  };
  PushManager.prototype.getSubscription = async () =>
    sessionStorage.getItem("subscribed") ? made : null;
}
"""


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    settings.PUSH_NETWORKS = ["127.0.0.0/8"]
    with receiving() as listening:
        yield listening


def shown_by_worker(page: Page, body: bytes, looking: bool = True) -> list[list[object]]:
    """Notifications of the newest service worker for a push; the browser itself has none.

    With nobody `looking` the push says so itself: a browser may end an idle worker at any time, and
    start it anew.
    """
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    shown: list[list[object]] = page.context.service_workers[-1].evaluate(
        """async ([text, looking]) => {
          const shown = [];
          let pending = null;
          if (!looking) self.clients.matchAll = async () => [{ focused: false }];
          const { waitUntil } = ExtendableEvent.prototype;
          ExtendableEvent.prototype.waitUntil = (work) => { pending = work; };
          self.registration.showNotification = async (...given) => { shown.push(given); };
          self.dispatchEvent(new PushEvent("push", { data: text }));
          await pending;
          ExtendableEvent.prototype.waitUntil = waitUntil;
          return shown;
        }""",
        [body.decode(), looking],
    )
    return shown


def test_a_player_turns_notifications_on_tries_them_and_turns_them_off(
    visit: Visit, receiver: Receiver
) -> None:
    ann, browser = User.objects.create_user("Ann", "a long password"), PushBrowser()
    page = visit(ann, "/account/", PHONE, workers=True)
    page.context.grant_permissions(["notifications"], origin=ORIGIN)
    given = {"address": f"http://127.0.0.1:{receiver.port}/push/ann", **browser.keys()}
    page.context.add_init_script(f"({SUBSCRIBED})({json.dumps(given)})")
    page.get_by_role("link", name="Notifications").click()
    for language in ("de", "en"):
        speak(page, language)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    expect(page.get_by_label("Start of my tournament, on my devices")).not_to_be_checked()
    page.get_by_role("button", name="Tell this device", exact=True).click()
    expect(page.get_by_label("Start of my tournament, on my devices")).to_be_checked()
    assert PushEndpoint.objects.get().user == ann
    page.get_by_role("button", name="Try it").click()
    expect(page.locator(".messages")).to_contain_text("on its way to your devices")
    assert push_due(ann) == [1]
    plain = browser.decrypt(receiver.received[0].body)
    # Whoever looks at a page of the room sees its own notices; without one the device shows it.
    assert shown_by_worker(page, plain) == []
    [[title, told]] = shown_by_worker(page, plain, looking=False)
    assert title == "It works" and isinstance(told, dict)
    assert told["data"] == PAGE and told["tag"].startswith("trial")

    page.get_by_label("My turn, on my devices").uncheck()
    page.get_by_label("Quiet from").fill("22:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("a beginning and an end")
    page.get_by_label("until").fill("08:00")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".messages")).to_contain_text("saved")
    row = NotificationSettings.objects.get()
    assert row.quiet_from is not None and row.quiet_from.hour == 22
    page.get_by_role("button", name="Tell this device nothing").click()
    expect(page.get_by_role("button", name="Tell this device", exact=True)).to_be_visible()
    assert not PushEndpoint.objects.exists()


def turned_on(visit: Visit, receiver: Receiver, ann: User) -> Page:
    """Return a page of a player whose browser takes pushes."""
    browser = PushBrowser()
    page = visit(ann, PAGE, workers=True)
    page.context.grant_permissions(["notifications"], origin=ORIGIN)
    given = {"address": f"http://127.0.0.1:{receiver.port}/push/ann", **browser.keys()}
    page.context.add_init_script(f"({SUBSCRIBED})({json.dumps(given)})")
    # The headless shell says "denied" whatever it is granted.
    page.context.add_init_script(
        "Object.defineProperty(Notification, 'permission', { get: () => 'granted' });"
    )
    page.reload()
    page.get_by_role("button", name="Tell this device", exact=True).click()
    expect(page.get_by_label("Start of my tournament, on my devices")).to_be_checked()
    return page


def test_a_device_that_another_one_removed_stays_off_in_its_next_window(
    visit: Visit, receiver: Receiver
) -> None:
    ann = User.objects.create_user("Ann", "a long password")
    page = turned_on(visit, receiver, ann)
    assert endpoints.remove_endpoint(ann, PushEndpoint.objects.get().pk)
    page.evaluate("sessionStorage.removeItem('room.push_renewed')")
    with page.expect_response("**/account/notifications/devices/"):
        page.reload()
    page.wait_for_function("() => localStorage.getItem('room.pushed') === null")
    page.reload()
    expect(page.get_by_role("button", name="Tell this device", exact=True)).to_be_visible()
    assert not PushEndpoint.objects.exists()


def test_pushes_go_on_after_a_new_log_in_in_the_same_window(
    visit: Visit, receiver: Receiver
) -> None:
    ann = User.objects.create_user("Ann", "a long password")
    page = turned_on(visit, receiver, ann)
    page.evaluate("sessionStorage.setItem('room.push_renewed', '1')")
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("link", name="Log in", exact=True).click()
    assert not PushEndpoint.objects.exists(), "the log-out ends them"
    page.get_by_label("Name").fill("Ann")
    page.get_by_label("Password").fill("a long password")
    with page.expect_response("**/account/notifications/devices/"):
        page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()
    assert PushEndpoint.objects.get().user == ann


def test_a_device_that_cannot_be_turned_off_says_so(visit: Visit) -> None:
    page = visit(User.objects.create_user("Ann", "a long password"), PAGE, workers=True)
    page.evaluate(
        "async () => { sessionStorage.setItem('subscribed', '1');"
        " await navigator.serviceWorker.register('/worker.js');"
        " await navigator.serviceWorker.ready; }"
    )
    given = {"address": "http://127.0.0.1/push/ann", **PushBrowser().keys()}
    page.context.add_init_script(f"({SUBSCRIBED})({json.dumps(given)})")
    page.reload()
    off = page.get_by_role("button", name="Tell this device nothing")
    expect(off).to_be_visible()
    page.context.set_offline(True)
    off.click()
    expect(page.locator("#push p.status")).to_contain_text("The room does not answer.")
    expect(off).to_be_visible()


def test_a_browser_that_says_no_is_explained(visit: Visit) -> None:
    ann = User.objects.create_user("Ann", "a long password")
    page = visit(ann, PAGE, workers=True)
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    page.get_by_role("button", name="Tell this device", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("does not allow the room")
    page.context.grant_permissions(["notifications"], origin=ORIGIN)
    page.evaluate(
        "() => { Notification.requestPermission = async () => 'granted';"
        " PushManager.prototype.subscribe = async () => { throw Error('none'); }; }"
    )
    page.get_by_role("button", name="Tell this device", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("could not be reached")
    assert not PushEndpoint.objects.exists()


def test_the_app_can_be_installed_and_says_so_without_a_network(visit: Visit) -> None:
    page = visit(None, "/", PHONE, workers=True)
    manifest = page.evaluate(
        "async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()"
    )
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    sizes = page.evaluate(
        "async (icons) => Promise.all(icons.map(async ({ src }) => {"
        " const image = await createImageBitmap(await (await fetch(src)).blob());"
        " return `${image.width}x${image.height}`; }))",
        manifest["icons"],
    )
    assert sizes == [icon["sizes"] for icon in manifest["icons"]] == ["192x192", *["512x512"] * 2]
    page.evaluate("async () => { await navigator.serviceWorker.register('/worker.js'); }")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    # Not as a text to wait for: the policy of the page forbids to evaluate one.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto(f"{ORIGIN}/ring/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.panel')).padding") != "0px"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgba(0, 0, 0, 0)"
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Ring games")).to_be_visible()
    assert page.url == f"{ORIGIN}/ring/", "the page opens its own address by itself"
    kept = page.evaluate("async () => (await caches.keys()).length")
    assert kept == 1, "nothing but the one page is kept"
