// Keeps the files of the page, so that it opens without a network. `scripts/build-page` fills in the version and the names.

const VERSION = "noughts-@VERSION@";
const FILES = ["./", @FILES@];

addEventListener("install", (event) => {
  // The files of one version belong together, so none may come from the browser's own cache.
  const fresh = FILES.map((name) => new Request(name, { cache: "reload" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("noughts-") && name !== VERSION;
  const drop = async () => Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(drop().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const kept = async () => (await caches.open(VERSION)).match(event.request, { ignoreSearch: true });
  event.respondWith(kept().then((file) => file ?? fetch(event.request)));
});
