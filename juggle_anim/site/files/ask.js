// Answers come from files that were prepared with the site, or else from Python in a worker.

import { prepared } from "./prepared.js";
import { languages } from "./versions.js";

const LANGUAGE = document.documentElement.lang;

// There is a page for each language: that which the address asks for, or else the browser.
const told = /[?;&]lang=([a-z]+)/.exec(location.search)?.[1];
const liked = [told, ...navigator.languages.map((code) => code.slice(0, 2))].find((code) => languages.includes(code)) ?? "en";
if (liked !== LANGUAGE) location.replace(`${liked === "en" ? "index" : `index.${liked}`}.html${location.search}`);

const PATIENCE = 3000; // what the worker loads is kept for offline use if that is ready by then, [ms]

const waiting = new Map(); // what is done with the answer to each question, by its number
let worker = null, number = 0;

// What keeps files for offline use; there is none without HTTPS.
const keeper = navigator.serviceWorker?.register("offline.js").catch(() => null);

const kept = new Promise((resolve) => {
    if (!navigator.serviceWorker || navigator.serviceWorker.controller) return resolve();
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    keeper.then((one) => one || resolve());
    setTimeout(resolve, PATIENCE);
});

// Python, which begins to load when it is first wanted.
function python() {
    worker ??= kept.then(() => {
        const started = new Worker("python.js", { type: "module" });
        started.onmessage = ({ data: { to, status, content } }) => {
            const { resolve, reject } = waiting.get(to);
            waiting.delete(to);
            if (status === 200) resolve(content);
            else reject(new Error(new TextDecoder().decode(content).trim()));
        };
        return started;
    });
    return worker;
}

// The bytes with which Python answers.
async function asked(path, query) {
    const started = await python();
    return new Promise((resolve, reject) => {
        waiting.set(++number, { resolve, reject });
        started.postMessage({ number, path, query, language: LANGUAGE });
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
    const file = path === "search" ? null : await ready(query);
    python(); // whoever looks at the first picture may type next
    if (file) return path === "facts" ? file.facts[LANGUAGE] : file.curves;
    return JSON.parse(new TextDecoder().decode(await asked(path, query)));
}

export const endings = ["png", "svg", "json", "html"];

const MEDIA = { svg: "image/svg+xml", json: "application/json", html: "text/html" };

export async function file(ending, query, player) {
    if (ending === "png") {
        // What is drawn is there until the browser shows it.
        player.draw();
        return new Promise((resolve) => player.stage.renderer.domElement.toBlob(resolve));
    }
    return new Blob([await asked(`anim.${ending}`, query)], { type: MEDIA[ending] });
}

export const frame = (query) => `?${query}`;

// The whole program is to be there offline.
export async function playing() {
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
    one.addEventListener("updatefound", () => one.installing.addEventListener("statechange", told));
    told();
}
