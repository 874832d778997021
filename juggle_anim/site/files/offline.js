// The service worker: it keeps all files of one version of the site, which work without a network then.

importScripts("files.js");

const { version, names, lasting } = self.site;
const MINE = "juggle-anim-";
const NAME = `${MINE}${version} ${self.registration.scope}`;

// A page is kept once for all that stands behind the `?`; so is the program, whose version does.
const plain = (address) => {
    const url = new URL(address, self.registration.scope);
    if (!lasting.some((name) => url.href.includes(name))) url.search = "";
    url.hash = "";
    if (url.pathname.endsWith("/")) url.pathname += "index.html";
    return url.href;
};

// Other pages beside the site, and their files, are none of its own.
const own = new Set(names.map(plain)), CURVES = new URL("curves/", self.registration.scope).href;
const isOwn = (address) => own.has(address) || address.startsWith(CURVES) || lasting.some((name) => address.includes(name));

async function keep(cache, address, mode) {
    if (await cache.match(plain(address))) return;
    const answer = await fetch(plain(address), { cache: mode });
    if (answer.ok) await cache.put(plain(address), answer);
}

// A newer version is fetched as a whole while the one before is used; what lasts is taken over.
async function install() {
    const before = (await caches.keys()).some((name) => name.startsWith(MINE) && name.endsWith(self.registration.scope));
    if (!before) return self.skipWaiting();
    const cache = await caches.open(NAME);
    for (const name of names) {
        const old = lasting.some((part) => name.includes(part)) && await caches.match(plain(name));
        if (old) await cache.put(plain(name), old);
        else await keep(cache, name, "no-cache");
    }
}

async function activate() {
    for (const name of await caches.keys()) {
        if (name.startsWith(MINE) && name.endsWith(self.registration.scope) && name !== NAME) await caches.delete(name);
    }
    await self.clients.claim();
}

async function answer(request) {
    const cache = await caches.open(NAME), kept = await cache.match(plain(request.url));
    if (kept) return kept;
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(plain(request.url), fresh.clone());
    return fresh;
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
    if (event.request.method === "GET" && isOwn(plain(event.request.url))) event.respondWith(answer(event.request));
});
self.addEventListener("message", (event) => {
    if (event.data.begin) self.skipWaiting();
    if (!event.data.keep) return;
    event.waitUntil(caches.open(NAME).then((cache) => Promise.all(event.data.keep.map((address) => keep(cache, address, "force-cache")))));
});
