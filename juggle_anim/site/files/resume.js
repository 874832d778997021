// Python as it is once it has answered, kept so that a later visit goes on from there: its memory, its code, and all files.

export const addressOf = (name) => new URL(name, location.href).href;

// Keep code for later visits: beside the files for offline use, with which it goes. Without these, or without room, it is not kept.
export async function keep(name, content) {
    const mine = (await self.caches?.keys() ?? []).find((cache) => cache.endsWith(` ${addressOf("./")}`));
    if (!mine) return false;
    const cache = await caches.open(mine);
    return cache.put(addressOf(name), new Response(content)).then(() => true, () => false);
}

// The folder of this site among the browser's own files, which are read several times as fast as what is kept with addresses.
async function ownFolder() {
    const all = await navigator.storage.getDirectory();
    return all.getDirectoryHandle(encodeURIComponent(addressOf("./")), { create: true });
}

const fileName = (name) => encodeURIComponent(name);

// Bytes that another page of this site has stored under a name, or null. `name` tells the versions of all that they come from.
export async function stored(name) {
    try {
        const file = await (await ownFolder()).getFileHandle(fileName(name)), reader = await file.createSyncAccessHandle({ mode: "read-only" });
        const content = new Uint8Array(reader.getSize());
        reader.read(content);
        reader.close();
        return content;
    } catch {
        return null;
    }
}

// Store several contents by name for later visits, each as a whole, in place of all that were stored; false without room.
export async function store(contents) {
    try {
        const mine = await ownFolder();
        for await (const name of mine.keys()) await mine.removeEntry(name);
        for (const [name, content] of contents) {
            const file = await mine.getFileHandle("draft", { create: true }), writer = await file.createSyncAccessHandle();
            writer.write(content);
            writer.close();
            await file.move(fileName(name));
        }
        return true;
    } catch {
        return false;
    }
}

// Lay out files below a folder, and load the libraries among them, before Python begins. Whether it begins or goes on, the
// places of libraries in memory are the same then. `modules` are the compiled ones by name, and `main` is Python's own.
export function layOut(folder, files, modules, main) {
    const make = self._createPyodideModule;
    self._createPyodideModule = (settings) => {
        settings.instantiateWasm = (imports, done) => {
            WebAssembly.instantiate(main, imports).then((instance) => done(instance, main));
            return {};
        };
        settings.preRun.push((python) => laidOut(python, folder, files, modules));
        return make(settings);
    };
}

async function laidOut(python, folder, files, modules) {
    const { FS, loadDynamicLibrary, addRunDependency, removeRunDependency } = python;
    addRunDependency("libraries");
    for (const [name, content] of files) {
        FS.mkdirTree(folder + name.slice(0, name.lastIndexOf("/") + 1));
        FS.writeFile(folder + name, content, { canOwn: true });
    }
    // Python would compile libraries again.
    const instantiate = WebAssembly.instantiate, libraries = [...files.keys()].filter((name) => modules.has(name));
    const fs = { findObject: () => true, readFile: (path) => files.get(path.slice(folder.length)) };
    for (const name of libraries) {
        WebAssembly.instantiate = async (_content, imports) => {
            const module = modules.get(name);
            return { module, instance: await instantiate(module, imports) };
        };
        // Symbols are looked up once all libraries are there.
        const allowUndefined = name !== libraries.at(-1);
        await loadDynamicLibrary(folder + name, { global: false, nodelete: true, loadAsync: true, allowUndefined, fs });
    }
    WebAssembly.instantiate = instantiate;
    removeRunDependency("libraries");
}

const LENGTH = 4; // of the number in front, [bytes]
const HEAD = 1024; // the beginning of a library, which says how it is loaded, [bytes]

// A file of several, with their names. Of libraries that are kept compiled, `modules`, the beginning is enough.
export function joined(files, modules) {
    const parts = [...files].map(([name, content]) => [name, modules.has(name) ? content.subarray(0, HEAD) : content]);
    const names = new TextEncoder().encode(JSON.stringify(parts.map(([name, { length }]) => [name, length])));
    return new Blob([Uint32Array.of(names.length), names, ...parts.map(([, content]) => content)]).arrayBuffer();
}

// Those several, by name.
export function parted(bytes) {
    let place = LENGTH + new DataView(bytes.buffer).getUint32(0, true);
    const sizes = JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH, place)));
    return new Map(sizes.map(([name, size]) => [name, bytes.subarray(place, (place += size))]));
}

const END = 0x06054b50, END_LENGTH = 22, ENTRY_LENGTH = 46, HEAD_LENGTH = 30; // of a zip file: a sign, and [bytes]

// The files of a zip archive without a comment, by name.
export async function unzipped(archive) {
    const view = new DataView(archive), end = archive.byteLength - END_LENGTH, packed = [];
    if (view.getUint32(end, true) !== END) throw new Error("no archive");
    let place = view.getUint32(end + 16, true);
    for (let count = view.getUint16(end + 10, true); count > 0; count--) {
        const [name, extra, comment] = [28, 30, 32].map((from) => view.getUint16(place + from, true));
        const head = view.getUint32(place + 42, true), start = head + HEAD_LENGTH + view.getUint16(head + 26, true) + view.getUint16(head + 28, true);
        packed.push({
            name: new TextDecoder().decode(new Uint8Array(archive, place + ENTRY_LENGTH, name)),
            content: new Uint8Array(archive, start, view.getUint32(place + 20, true)),
            plain: view.getUint16(place + 10, true) === 0,
        });
        place += ENTRY_LENGTH + name + extra + comment;
    }
    const files = await Promise.all(packed.filter(({ name }) => !name.endsWith("/")).map(async ({ name, content, plain }) => {
        const stream = new Blob([content]).stream();
        return [name, plain ? content : new Uint8Array(await new Response(stream.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer())];
    }));
    return new Map(files);
}
