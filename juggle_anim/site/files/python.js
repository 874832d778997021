// The worker: Python, which answers one question after another.

import { addressOf, joined, keep, layOut, parted, store, stored, unzipped } from "./resume.js";
import { program, pyodide } from "./versions.js";

const { address, files: released, lock, numpy, pillow } = pyodide;
const load = self.fetch.bind(self);
const base = new URL(address, location.href);
const MAIN = "pyodide.asm.wasm";
const LIBRARY_FILE = "python_stdlib.zip";

const placeOf = (name) => new URL(released[name].name, base).href;

// A file of Pyodide, which may be compressed. Nothing is run that is not of this release.
async function checked(name) {
    const { name: given, integrity } = released[name], answer = await load(placeOf(name), { integrity });
    return given.endsWith(".gz") ? new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))) : answer;
}

let standard = null; // the standard library, which is promised

// Pyodide fetches some of its files by itself; its main one is compiled here.
self.fetch = (asked, options) => {
    const name = String(asked.url ?? asked).split("/").at(-1);
    if (name === MAIN) return new Promise(() => {});
    if (name === LIBRARY_FILE) return standard.then((content) => new Response(content));
    return released[name] ? checked(name) : load(asked, options);
};

const HOME = "/home/pyodide/"; // the folder of the program and numpy
const SCRIPTS = ["pyodide.mjs", "pyodide.asm.js"];
const LIBRARIES = ["_core/_multiarray_umath", "fft/_pocketfft_umath", "linalg/_umath_linalg"] // that every pattern needs
    .map((name) => `numpy/${name}.cpython-312-wasm32-emscripten.so`);
const CODE = [MAIN, ...SCRIPTS, ...LIBRARIES];
const STARTED = `started?${program}&${lock.info.version}`; // the name under which the files of Python are kept
const MEMORY = `${STARTED}&memory`; // the same for its memory
const LIBRARY = `${STARTED}&library`; // the same for the standard library
const PRACTISED = `${STARTED}&practised`; // the same for a note that all exercises are done
const KEPT = -1; // in place of the number of a question: the memory is kept
const QUIET = 3000; // after an answer, before chores, [ms]
const BREAK = 1000; // between two chores, so that pictures keep their pace, [ms]
const SERVED = self.name === "served"; // whether the service worker answers what this one fetches

const bytes = async (answer) => new Uint8Array(await (await answer).arrayBuffer());
const nameOf = (part) => `${STARTED}&code=${part}`;

// What Python begins with on a first visit: its code, which is compiled, and all files, by name.
async function loaded() {
    const code = Promise.all([MAIN, ...SCRIPTS].map(async (name) => [name, await bytes(checked(name))]));
    standard = bytes(checked(LIBRARY_FILE)); // which takes as long as what comes before it
    const archives = [checked(numpy), load(program)].map(async (answer) => [...await unzipped(await (await answer).arrayBuffer())]);
    const files = (await Promise.all(archives)).flat();
    return { code: new Map([...await code, ...files.filter(([name]) => LIBRARIES.includes(name))]), files: new Map(files) };
}

// Compile code. Browsers keep what they have compiled only of files with which a service worker answers, and of scripts only
// as a host has sent them. It has kept those that were checked.
async function compiled(part, code) {
    const script = part.endsWith("js"), content = code.get(part);
    const blob = content && new Blob([content], { type: script ? "text/javascript" : "application/wasm" });
    if (SERVED && (script || !blob || await keep(nameOf(part), blob))) code.delete(part);
    const at = code.has(part) ? URL.createObjectURL(blob) : script ? placeOf(part) : addressOf(nameOf(part));
    return script ? import(at) : WebAssembly.compileStreaming(load(at));
}

// All code, compiled, by name.
const allCompiled = async (code) => new Map(await Promise.all(CODE.map(async (part) => [part, await compiled(part, code)])));

// All files, those that are still to be kept, and what is compiled, by name; of an earlier visit if that has kept its files.
// `early` may promise what is compiled.
async function begun(before, early) {
    const { code, files } = before ? { code: new Map(), files: parted(before) } : await loaded();
    return { code, files, modules: await early ?? await allCompiled(code) };
}

// Answer what a page asks about a pattern, for nobody.
function answeredFor(worker, query) {
    for (const path of ["draft", "plan"]) worker.answer(path, query, "en").destroy();
}

async function start() {
    // Code of an earlier visit is compiled while its files are read.
    const early = SERVED ? caches.match(addressOf(nameOf(MAIN))).then((code) => code && allCompiled(new Map())).catch(() => null) : null;
    const [library, before, snapshot] = await Promise.all(SERVED ? [LIBRARY, STARTED, MEMORY].map(stored) : []);
    standard = Promise.resolve(library);
    const resumed = library && snapshot && await begun(before, early).catch(() => null), memory = resumed && snapshot;
    const { code, files, modules } = resumed ?? await begun();
    layOut(HOME, files, modules, modules.get(MAIN));
    const lockFileURL = URL.createObjectURL(new Blob([JSON.stringify(lock)], { type: "application/json" }));
    const python = await modules.get("pyodide.mjs").loadPyodide({ indexURL: base.href, lockFileURL, ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: true }) });
    const worker = python.pyimport("juggle_anim.site.worker");
    if (memory) {
        delete python._api.config._loadSnapshot; // it holds all that memory
        standard = null;
        // What a question compiles is compiled before the first one, once the page is there; unless that has come by then.
        setTimeout(() => questions || answeredFor(worker, "pattern=531"), BREAK);
    } else {
        answeredFor(worker, "pattern=3"); // all that a first question would import
        const mine = new Blob([python.makeMemorySnapshot()]);
        chores.push(async () => {
            if (!SERVED || code.size) return;
            const contents = [[STARTED, await joined(files, modules)], [MEMORY, await mine.arrayBuffer()], [LIBRARY, await standard]];
            if (await store(contents)) self.postMessage({ to: KEPT });
        });
    }
    // Browsers keep the fast code that they make of what has run often: later visits begin with what most patterns need.
    // They keep it once for each beginning, so what began without a memory would keep too little.
    if (memory) chores.push(async () => {
        if (await caches.match(addressOf(PRACTISED))) return;
        for (const query of worker.EXERCISES.toJs()) chores.push(() => answeredFor(worker, query));
        chores.push(() => keep(PRACTISED, ""));
    });
    return python;
}

let questions = 0; // that have come
const chores = []; // what is done, one after another, while nothing is asked
let timer = 0;

function rest(after = QUIET) {
    clearTimeout(timer);
    if (chores.length) timer = setTimeout(async () => {
        const before = questions;
        await chores.shift()();
        rest(questions === before ? BREAK : QUIET);
    }, after);
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
