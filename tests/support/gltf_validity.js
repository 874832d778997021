// What Khronos' validator says of glTF files, as JSON: the messages of each. The first word is where the validator is.
const fs = require("fs");
const [place, ...paths] = process.argv.slice(2);
const validator = require(place);
Promise.all(paths.map((path) => validator.validateBytes(new Uint8Array(fs.readFileSync(path)))))
    .then((reports) => console.log(JSON.stringify(reports.map((report) => report.issues.messages))));
