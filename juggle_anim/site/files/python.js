// The worker: Python, which answers one question after another.

import { program, pyodide } from "./versions.js";

const { address, files, lock, numpy, pillow } = pyodide;
const load = self.fetch.bind(self);
const base = new URL(address, location.href);
const TYPES = { wasm: "application/wasm", mjs: "text/javascript", js: "text/javascript" };

// A file of Pyodide, which may be compressed. Nothing is run that is not of this release.
async function checked(name) {
    const { name: given, integrity } = files[name], answer = await load(new URL(given, base), { integrity });
    if (!given.endsWith(".gz")) return answer;
    const type = TYPES[name.split(".").at(-1)];
    return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

// Pyodide fetches some of its files by itself.
self.fetch = (asked, options) => {
    const name = String(asked.url ?? asked).split("/").at(-1);
    return files[name] ? checked(name) : load(asked, options);
};

// Run a script as it was checked.
async function script(name) {
    const source = URL.createObjectURL(new Blob([await (await checked(name)).arrayBuffer()], { type: "text/javascript" }));
    return import(source);
}

async function start() {
    const bytes = async (answer) => (await answer).arrayBuffer();
    const [wheel, own] = [bytes(checked(numpy)), bytes(load(program))];
    const [{ loadPyodide }] = await Promise.all([script("pyodide.mjs"), script("pyodide.asm.js")]);
    const lockFileURL = URL.createObjectURL(new Blob([JSON.stringify(lock)], { type: "application/json" }));
    const python = await loadPyodide({ indexURL: base.href, lockFileURL });
    python.unpackArchive(await wheel, "zip");
    python.unpackArchive(await own, "zip");
    // All that a first question would import.
    python.pyimport("juggle_anim.site.worker").answer("curves", "pattern=3", "en").destroy();
    return python;
}

const started = start();
started.then(() => self.postMessage({ to: 0 }));
const spoken = new Map([["en", null]]); // words of languages, which come when they are wanted

// The words of a language for Python.
async function words(language) {
    const archive = await (await load(`words.${language}.zip`)).arrayBuffer();
    (await started).unpackArchive(archive, "zip");
}

async function worker(language) {
    if (!spoken.has(language)) spoken.set(language, words(language));
    await spoken.get(language);
    return (await started).pyimport("juggle_anim.site.worker");
}

let painter = null; // Pillow, which comes when a GIF is wanted

async function gif({ pixels, width, height, fps }, comment) {
    painter ??= Promise.all([started, checked(pillow).then((answer) => answer.arrayBuffer())])
        .then(([python, wheel]) => python.unpackArchive(wheel, "zip"));
    await painter;
    const python = await started, content = python.toPy(pixels).tobytes();
    return python.pyimport("juggle_anim.site.gif").gif(content, width, height, fps, comment);
}

self.onmessage = async ({ data }) => {
    const done = await answered(data);
    self.postMessage({ to: data.number, ...done }, [done.content.buffer]);
};

async function answered({ path, query, language, film, content: sent }) {
    try {
        const answer = film ? [200, await gif(film, query)] : (await worker(language)).answer(path, query, language, ...(sent ? [(await started).toPy(sent).tobytes()] : []));
        const [status, content] = film ? answer : answer.toJs();
        return { status, content: content.toJs?.() ?? content };
    } catch (error) {
        return { status: 500, content: new TextEncoder().encode(String(error.message ?? error)) };
    }
}
