// The worker: Python, which answers one question after another.

import { keep, kept, layOut, unzipped } from "./resume.js";
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

const HOME = "/home/pyodide/"; // the folder of the program and numpy
const STARTED = `started?${program}&${lock.info.version}`; // the name under which Python is kept
const MEMORY = `${STARTED}&memory`; // the same for its memory, which is needed for a moment only
const QUIET = 3000; // after an answer, before Python is kept for later visits, [ms]

async function start() {
    const scripts = Promise.all([script("pyodide.mjs"), script("pyodide.asm.js")]);
    const before = await kept(STARTED);
    const memory = before && (await kept(MEMORY))?.get(MEMORY).slice(); // Pyodide takes a buffer of its own
    const files = before ?? new Map((await Promise.all([checked(numpy), load(program)].map(async (answer) => [
        ...await unzipped(await (await answer).arrayBuffer()),
    ]))).flat());
    const [{ loadPyodide }] = await scripts;
    layOut(HOME, files);
    const lockFileURL = URL.createObjectURL(new Blob([JSON.stringify(lock)], { type: "application/json" }));
    const python = await loadPyodide({ indexURL: base.href, lockFileURL, ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: true }) });
    // All that a first question would import; or, since a browser keeps no compiled code, what it would compile, unless
    // one waits already.
    const worker = python.pyimport("juggle_anim.site.worker");
    for (const path of memory && questions ? [] : ["facts", "curves"]) worker.answer(path, `pattern=${memory ? 531 : 3}`, "en").destroy();
    worker.destroy();
    if (memory) {
        delete python._api.config._loadSnapshot; // it holds all that memory
        return python;
    }
    const mine = new Map([[MEMORY, python.makeMemorySnapshot()]]);
    resting = () => keep(STARTED, files).then(() => keep(MEMORY, mine));
    return python;
}

let questions = 0; // that have come
let resting = null, timer = 0; // what is done once nothing has been asked for a while

function rest() {
    clearTimeout(timer);
    timer = setTimeout(() => {
        resting?.();
        resting = null;
    }, QUIET);
}

const started = start();
started.then(() => {
    self.postMessage({ to: 0 });
    rest();
});
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
    return python.pyimport("juggle_anim.site.worker").gif(content, width, height, fps, comment);
}

self.onmessage = async ({ data }) => {
    clearTimeout(timer);
    questions += 1;
    const done = await answered(data);
    self.postMessage({ to: data.number, ...done }, [done.content.buffer]);
    rest();
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
