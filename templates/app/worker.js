// Service worker of the room: notifications, and one kept page for times without a network.
"use strict";

const CACHE = "{{ cache|escapejs }}";
const KEPT = [{% for name in kept %}"{{ name|escapejs }}",{% endfor %}];
const ICON = "{{ icon|escapejs }}";
const BADGE = "{{ badge|escapejs }}";
const [OFFLINE] = KEPT;

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(KEPT);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const begin = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("offline-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    // The request of a page is under way while the worker starts.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  };
  event.waitUntil(begin());
});

// Pages always come from the room; only without a network the kept page answers.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate" && request.method === "GET")
    event.respondWith(fromRoom(event).catch(() => caches.match(OFFLINE)));
  else if (request.destination && KEPT.includes(pathname))
    event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});

const fromRoom = async (event) => (await event.preloadResponse) ?? fetch(event.request);

self.addEventListener("push", (event) => {
  const { title, body, link, tag } = event.data.json();
  const show = async () => {
    const windows = await self.clients.matchAll({ type: "window" });
    // Whoever looks at the room sees its own notices.
    if (windows.some((window) => window.focused)) return;
    await self.registration.showNotification(title, { body, tag, icon: ICON, badge: BADGE, data: link });
  };
  event.waitUntil(show());
});

self.addEventListener("notificationclick", (event) => {
  const target = new URL(event.notification.data, self.location.origin);
  event.notification.close();
  const open = async () => {
    if (target.origin !== self.location.origin) return;
    const windows = await self.clients.matchAll({ type: "window" });
    const there = windows.find((window) => new URL(window.url).pathname === target.pathname);
    await (there ? there.focus() : self.clients.openWindow(target.href));
  };
  event.waitUntil(open());
});
