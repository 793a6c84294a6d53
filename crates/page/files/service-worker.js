// Keeps the files of the page, so that it opens without a network. `scripts/build-page` fills in the version and the names.

const FILES = ["./", "@FILES@"].map((name) => new URL(name, location).href);

// All pages of an origin share its caches. Those of this page begin with its path, and a path has no blanks.
const OWN = `noughts ${new URL("./", location).pathname} `;
const CACHE = `${OWN}@VERSION@`;

let filling;

/** Fills the cache. The files of one version belong together, so all are fetched together, and none from the browser's own cache. */
function fill() {
  const fresh = FILES.map((name) => new Request(name, { cache: "reload" }));
  filling ??= caches.open(CACHE).then((cache) => cache.addAll(fresh)).finally(() => (filling = undefined));
  return filling;
}

addEventListener("install", (event) => event.waitUntil(fill().then(() => skipWaiting())));

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(OWN) && name !== CACHE;
  const drop = async () => Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(drop().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const kept = caches.match(event.request, { cacheName: CACHE, ignoreSearch: true });
  event.respondWith(kept.then((file) => file ?? fetch(event.request)));
  // A browser may have dropped the cache. Only an empty one is filled: the server may have a newer version by now, whose files
  // do not belong beside those that are kept. Without a network, a later request fills it.
  const [address] = event.request.url.split(/[?#]/);
  const isEmpty = async () => (await (await caches.open(CACHE)).keys()).length === 0;
  const refill = async () => FILES.includes(address) && !(await kept) && (await isEmpty()) && fill();
  event.waitUntil(refill().catch(() => {}));
});
