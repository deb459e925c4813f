
// The service worker: it keeps the pages and their files on the device, all of one version. Requests to the service
// itself are never cached.

const CACHE = `ordws-${VERSION}`;

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(take()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !PRECACHED.includes(url.pathname)) return;
  // The rules with other options than those of the page that is kept.
  if (url.search && url.pathname.startsWith("/rules/")) return;
  event.respondWith(find(event.request, url.pathname));
});

// A page that is not kept gets one of ours where there is no connection, and not the browser's error. The address stays,
// so that the empty link of `offline.html` asks for it again.
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.mode !== "navigate" || url.origin !== location.origin || PRECACHED.includes(url.pathname)) return;
  event.respondWith(fetch(request).catch(() => caches.match("/offline", { cacheName: CACHE, ignoreVary: true })));
});

// A notice leads back to the game that it is about.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = `/play/${event.notification.tag.replace("ordws-", "")}`;
  event.waitUntil(show(path));
});

async function show(path) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find((each) => new URL(each.url).pathname === path);
  await (open ? open.focus() : self.clients.openWindow(path));
}

async function fill() {
  const cache = await caches.open(CACHE);
  // The front page is HTML only for a client that accepts it by name, as `site.py` says.
  const headers = { Accept: "text/html, */*" };
  await cache.addAll(PRECACHED.map((path) => new Request(path, { cache: "reload", headers })));
  await self.skipWaiting();
}

async function take() {
  const others = (await caches.keys()).filter((name) => name.startsWith("ordws-") && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function find(request, path) {
  return (await caches.match(path, { cacheName: CACHE, ignoreVary: true })) ?? fetch(request);
}
