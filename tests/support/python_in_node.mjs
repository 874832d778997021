// The program of a site, run by Pyodide in Node: what an expression in Python is, as JSON.
// Words: the folder of Pyodide, the archive of the program, the wheel of numpy, and the file of the code.
import fs from "node:fs";

const [folder, program, wheel, code] = process.argv.slice(2);
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: folder });
python.unpackArchive(fs.readFileSync(wheel).buffer, "wheel");
python.unpackArchive(fs.readFileSync(program).buffer, "zip");
process.stdout.write(python.runPython(fs.readFileSync(code, "utf8")));
