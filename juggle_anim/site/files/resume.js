// Python as it is once it has answered, kept so that a later visit goes on from there: its memory, and all files.

const SCOPE = new URL("./", location.href).href;

// Files of another page of this site, by name, or null. `name` tells the versions of all that they come from.
export async function kept(name) {
    const answer = await self.caches?.match(SCOPE + name).catch(() => null);
    return answer ? parted(await answer.arrayBuffer()) : null;
}

// Keep files for later visits: beside those for offline use, with which they go. Without these, or without room, nothing is kept.
export async function keep(name, files) {
    const mine = (await self.caches?.keys() ?? []).find((cache) => cache.endsWith(` ${SCOPE}`));
    if (mine) await caches.open(mine).then((cache) => cache.put(SCOPE + name, new Response(joined(files)))).catch(() => null);
}

// Lay out files below a folder, and load the libraries among them, before Python begins. Whether it begins or goes on, the
// places of libraries in memory are the same then.
export function layOut(folder, files) {
    const make = self._createPyodideModule;
    self._createPyodideModule = (settings) => {
        settings.preRun.push((module) => laidOut(module, folder, files));
        return make(settings);
    };
}

async function laidOut({ FS, loadDynamicLibrary, addRunDependency, removeRunDependency }, folder, files) {
    addRunDependency("libraries");
    for (const [name, content] of files) {
        FS.mkdirTree(folder + name.slice(0, name.lastIndexOf("/") + 1));
        FS.writeFile(folder + name, content, { canOwn: true });
    }
    for (const name of files.keys()) {
        if (name.endsWith(".so")) await loadDynamicLibrary(folder + name, { global: false, nodelete: true, loadAsync: true, fs: FS });
    }
    removeRunDependency("libraries");
}

const LENGTH = 4; // of the number in front, [bytes]

// A file of several, with their names.
function joined(files) {
    const names = new TextEncoder().encode(JSON.stringify([...files].map(([name, { length }]) => [name, length])));
    return new Blob([Uint32Array.of(names.length), names, ...files.values()]);
}

// Those several, by name.
function parted(content) {
    const bytes = new Uint8Array(content);
    let place = LENGTH + new Uint32Array(content, 0, 1)[0];
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
