// What Ajv finds wrong with each of a list of documents, by a JSON schema; as JSON.
// Words: where the modules are, the schema, and the file with the list.
import fs from "node:fs";
import { createRequire } from "node:module";

const [modules, schema, path] = process.argv.slice(2);
const Ajv = createRequire(`${modules}/`)("ajv/dist/2020").default;
const checker = new Ajv({ allErrors: true, strict: false });
const valid = checker.compile(JSON.parse(fs.readFileSync(schema, "utf8")));
const found = JSON.parse(fs.readFileSync(path, "utf8")).flatMap((each, index) =>
    valid(each) ? [] : [`${index}: ${checker.errorsText(valid.errors)}`]);
process.stdout.write(JSON.stringify(found));
