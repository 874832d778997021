// Answers come from files that were prepared with the site, or else from Python in a worker.

import { prepared } from "./prepared.js";
import { languages } from "./versions.js";

const LANGUAGE = document.documentElement.lang;

// There is a page for each language: that which the address asks for, or else the browser.
const told = /[?;&]lang=([a-z]+)/.exec(location.search)?.[1];
const liked = [told, ...navigator.languages.map((code) => code.slice(0, 2))].find((code) => languages.includes(code)) ?? "en";
if (liked !== LANGUAGE) location.replace(`${liked === "en" ? "index" : `index.${liked}`}.html${location.search}`);

const KEPT = -1; // in place of the number of a question: Python has kept its memory
const FREED = 2000; // the code of a worker that was ended is freed by then, so that of the next one is compiled and kept anew, [ms]
const SLOWEST = 30000; // an answer of Python that has started, [ms]
const PATIENCE = 3000; // what the worker loads is kept for offline use if that is ready by then, [ms]

const waiting = new Map(); // what is done with the answer to each question, by its number
let worker = null, number = 0;

// What keeps files for offline use; there is none without HTTPS. A newer version is not missed for an old list of files.
const keeper = navigator.serviceWorker?.register("offline.js", { updateViaCache: "none" }).catch(() => null);

const kept = new Promise((resolve) => {
    if (!navigator.serviceWorker || navigator.serviceWorker.controller) return resolve();
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    keeper.then((one) => one || resolve());
    setTimeout(resolve, PATIENCE);
});

// Python, which begins to load when it is first wanted.
function python() {
    worker ??= kept.then(() => {
        const one = self.begun ?? self.beginPython();
        self.begun = null;
        one.started.answer = ({ to, status, content }) => {
            if (to === KEPT) return beginAnew(one.started);
            const { resolve, reject } = waiting.get(to) ?? {};
            waiting.delete(to);
            if (status === 200) resolve?.(content);
            else reject?.(new Error(new TextDecoder().decode(content).trim()));
        };
        return one;
    });
    return worker;
}

// Python that has kept its memory begins anew from it while nothing is asked, and practises.
function beginAnew(started) {
    if (waiting.size) return;
    started.terminate();
    worker = null;
    setTimeout(python, FREED);
}

// The bytes with which Python answers. If that takes too long, it begins anew.
async function asked(path, query, film, content) {
    const mine = ++number, { started, ready } = await python();
    return new Promise((resolve, reject) => {
        waiting.set(mine, { resolve, reject });
        started.postMessage({ number: mine, path, query, language: LANGUAGE, film, content }, film ? [film.pixels.buffer] : []);
        ready.then(() => setTimeout(() => {
            if (!waiting.has(mine)) return;
            started.terminate();
            worker = null;
            for (const { reject: refuse } of waiting.values()) refuse(new Error(JSON.parse(document.getElementById("given").textContent).words.failed));
            waiting.clear();
        }, SLOWEST));
    });
}

const files = new Map(); // of patterns, by name

// The file of a pattern that was prepared; its language is not part of the question.
function ready(query) {
    const name = prepared[query.replace(/;lang=[^;]*/, "")];
    if (name === undefined) return null;
    if (!files.has(name)) files.set(name, fetch(`curves/${name}.json`).then((answer) => answer.json()));
    return files.get(name).catch(() => null); // offline; Python knows it, too
}

export async function ask(path, query) {
    if (path === "library") return (await fetch(`library.${LANGUAGE}.json`)).json();
    return JSON.parse(new TextDecoder().decode(await asked(path, query)));
}

export async function shown(query, _wanted, hurried) {
    const file = await ready(query);
    if (file) return { facts: file.facts[LANGUAGE], curves: file.curves };
    return hurried ? { ...await ask("draft", query), plan: () => ask("plan", query) } : ask("shown", query);
}

// The film that this browser can make: encoded picture by picture, or recorded while it plays.
const RECORDED = [["mp4", "video/mp4"], ["webm", "video/webm"]]
    .find(([, kind]) => self.MediaRecorder?.isTypeSupported(kind) && HTMLCanvasElement.prototype.captureStream);
const FILM = self.VideoEncoder ? "mp4" : RECORDED?.[0];

export const endings = ["gif", ...(FILM ? [FILM] : []), "png", "svg", "jml", "jif", "routine", "glb", "json"];

const MEDIA = { gif: "image/gif", svg: "image/svg+xml", jml: "application/xml", jif: "application/json", routine: "text/plain", glb: "model/gltf-binary", json: "application/json" };

// A file of what a player shows; `progress` is told how much of a film is done, from 0 to 1.
export async function file(ending, query, player, progress) {
    if (ending === "png") return picture(player);
    if (ending === "svg") return new Blob([(await ask("ladder", query)).sheet], { type: MEDIA.svg });
    const film = ["gif", FILM].includes(ending) ? await import("./film.js") : null;
    if (ending === FILM) return self.VideoEncoder ? film.mp4(player, progress) : film.recorded(player, RECORDED[1]);
    return new Blob([await asked(`anim.${ending}`, query, await film?.drawn(player, progress))], { type: MEDIA[ending] });
}

// What is drawn is there until the browser shows it.
function picture(player) {
    player.sharpen();
    player.draw();
    return new Promise((resolve) => player.stage.renderer.domElement.toBlob(resolve));
}

// What a file that is sent is answered with: its patterns, or a file of patterns, as a blob.
export async function send(path, name, content) {
    return new Blob([await asked(path, `name=${encodeURIComponent(name)}`, undefined, new Uint8Array(await content.arrayBuffer()))]);
}

// The address at which another page shows this pattern in a frame.
export const frame = (query) => `?${query}#player`;

// The whole program is to be there offline.
export async function playing(player) {
    // Whoever looks at the first picture may type next: Python begins once that is there.
    while (player.frames < 2) await new Promise(requestAnimationFrame);
    python();
    await kept;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    navigator.serviceWorker?.controller?.postMessage({ keep: ["./", location.href, ...loaded, `library.${LANGUAGE}.json`] });
}

export async function onUpdate(tell) {
    const one = await keeper;
    if (!one || !navigator.serviceWorker.controller) return;
    const told = () => one.waiting && tell(() => {
        navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
        one.waiting.postMessage({ begin: true });
    });
    // It may be there before anybody listens.
    const watch = () => {
        one.installing?.addEventListener("statechange", told);
        told();
    };
    one.addEventListener("updatefound", watch);
    watch();
}
