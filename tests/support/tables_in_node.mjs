// A table as Node reads it: a `.json` by its own parser, an `.npz` by npyjs; as JSON.
// Words: where the modules are, and the file.
import fs from "node:fs";

const [modules, path] = process.argv.slice(2);

async function arrays() {
    const { unzipSync } = await import(`${modules}/three/examples/jsm/libs/fflate.module.js`);
    const { parse } = await import(`${modules}/npyjs/dist/index.js`);
    const read = {};
    for (const [name, bytes] of Object.entries(unzipSync(fs.readFileSync(path)))) {
        const { data, shape } = parse(bytes.slice().buffer);
        const values = Array.from(data, (value) => (typeof value === "bigint" ? Number(value) : value));
        read[name.replace(".npy", "")] = { shape, values };
    }
    return read;
}

const read = path.endsWith(".npz") ? await arrays() : JSON.parse(fs.readFileSync(path, "utf8"));
process.stdout.write(JSON.stringify(read));
