// Pictures of ProRes in QuickTime, by mp4box and turbores: a line of JSON that tells of each, then the bytes of all of them.
// Words: where the modules are, and the file.
import fs from "node:fs";

const [modules, path] = process.argv.slice(2);
const { createFile } = await import(`${modules}/mp4box/dist/mp4box.all.mjs`);
const { Decoder, Frame } = await import(`${modules}/turbores/dist/turbores.js`);

const content = fs.readFileSync(path);
const buffer = content.buffer.slice(content.byteOffset, content.byteOffset + content.length);
const complain = console.error;
// It knows no user data of QuickTime, such as the name of the program that wrote the file.
console.error = (...words) => words.at(-1).includes("'©") || complain(...words);
const file = createFile();
file.appendBuffer(Object.assign(buffer, { fileStart: 0 }));
file.flush();
const { codec, id, timescale } = file.getInfo().tracks.find((track) => track.codec.startsWith("ap"));
const decoder = await Decoder.create({ proresFourCc: codec, useSharedMemory: false, concurrency: 0 });
const heads = [], pictures = [];
for (const { offset, size, cts } of file.getTrackById(id).samples) {
    const picture = await decoder.decode(new Uint8Array(content.subarray(offset, offset + size)), new Frame());
    if (picture instanceof Error) throw picture;
    heads.push({
        codec,
        time: cts / timescale,
        layout: picture.pixelFormat,
        coded: [picture.codedWidth, picture.codedHeight],
        size: [picture.visibleWidth, picture.visibleHeight],
        colours: [picture.colorPrimaries, picture.colorTransfer, picture.colorMatrix],
    });
    pictures.push(picture.frameData);
}
process.stdout.write(`${JSON.stringify(heads)}\n`);
process.stdout.write(Buffer.concat(pictures));
