// Films of what a player shows: the pictures of a GIF, films that the browser records, and MP4 (ISO/IEC 14496-12 and -15) of
// pictures that it encodes.

const LONGEST = 12; // of a film, unless all props are back sooner, [s]
const SIDE = 1920, FPS = 60; // of an MP4: [pixels], [pictures/s]
const BITS = 6e6; // of a second of a film that is recorded
const GIF_FPS = 20, GIF_SIDE = 400; // [pictures/s], [pixels]
const BITS_PER_PIXEL = 0.12; // of an MP4: bits a second for each pixel of a second
const WAITING = 4; // pictures that may wait for the encoder
const KEY_EVERY = 2; // from one picture that stands alone to the next, so that one can seek, [s]
const TICKS = 90000; // of the clock of an MP4, a second
const MICROSECONDS = 1e6; // in a second

// H.264 in the high, main and baseline profiles at level 4.2, which holds 1080p at 60 pictures a second.
const CODECS = ["avc1.64002a", "avc1.4d402a", "avc1.42e02a"];

// The span of a film in the player's time: until all props are back if that is soon, else one loop, [s].
const span = (player) => (player.cycle <= LONGEST ? player.cycle : Math.min(LONGEST, player.loop));

// Draw the pictures of a film one after another, each on a canvas, for as long as they are looped over.
// The longer edge has at most `side` pixels, and both are multiples of `multiple`.
async function* pictures(player, fps, side, multiple = 1) {
    player.sharpen();
    const { domElement } = player.stage.renderer, { time, paused } = player, seconds = span(player);
    const share = Math.min(1, side / Math.max(domElement.width, domElement.height)) / multiple;
    const [width, height] = [domElement.width, domElement.height].map((edge) => multiple * Math.max(1, Math.round(share * edge)));
    const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext("2d", { willReadFrequently: true });
    const count = Math.max(1, Math.round((seconds / player.speed) * fps));
    player.paused = true;
    try {
        for (let number = 0; number < count; number++) {
            player.time = (number * seconds) / count;
            player.draw();
            pen.drawImage(domElement, 0, 0, width, height);
            yield { canvas, pen, number, count, fps: (count * player.speed) / seconds };
        }
    } finally {
        Object.assign(player, { time, paused });
    }
}

// A film that the browser records of what is shown, which takes as long as it lasts.
export async function recorded(player, mimeType) {
    const { time, paused, stage: { renderer } } = player;
    const recorder = new MediaRecorder(renderer.domElement.captureStream(), { mimeType, videoBitsPerSecond: BITS });
    const parts = [], ended = new Promise((resolve) => (recorder.onstop = resolve));
    recorder.ondataavailable = ({ data }) => parts.push(data);
    Object.assign(player, { time: 0, paused: false });
    recorder.start();
    await new Promise((resolve) => {
        const look = () => (player.time >= span(player) ? resolve() : requestAnimationFrame(look));
        look();
    });
    recorder.stop();
    await ended;
    Object.assign(player, { time, paused });
    return new Blob(parts, { type: mimeType });
}

// The pixels of the pictures of a GIF, one picture after another.
export async function drawn(player, progress) {
    let film = null;
    for await (const { canvas: { width, height }, pen, number, count, fps } of pictures(player, GIF_FPS, GIF_SIDE)) {
        const size = 4 * width * height;
        film ??= { pixels: new Uint8Array(count * size), width, height, fps };
        film.pixels.set(pen.getImageData(0, 0, width, height).data, number * size);
        progress?.((number + 1) / count);
        await new Promise((resolve) => setTimeout(resolve)); // the page answers meanwhile
    }
    return film;
}

// An MP4 of a player; `progress` is told the share that is done. An error says that the browser encodes no H.264.
export async function mp4(player, progress) {
    const samples = []; // { content, time [μs], key } in the order of decoding
    let encoder = null, description = null, rate = FPS, size = null, failure = null;
    for await (const { canvas, number, count, fps } of pictures(player, FPS, SIDE, 2)) {
        if (!encoder) {
            [rate, size] = [fps, [canvas.width, canvas.height]];
            encoder = new VideoEncoder({
                output: (chunk, about) => {
                    const content = new Uint8Array(chunk.byteLength);
                    chunk.copyTo(content);
                    samples.push({ content, time: chunk.timestamp, key: chunk.type === "key" });
                    description ??= about.decoderConfig?.description;
                },
                error: (error) => (failure = error),
            });
            encoder.configure(await settings(...size, fps));
        }
        const picture = new VideoFrame(canvas, { timestamp: Math.round((number * MICROSECONDS) / fps) });
        encoder.encode(picture, { keyFrame: number % Math.round(KEY_EVERY * fps) === 0 });
        picture.close();
        progress?.((number + 1) / count);
        // Let the page answer, and the encoder catch up.
        do await new Promise((resolve) => setTimeout(resolve));
        while (encoder.encodeQueueSize > WAITING && !failure);
        if (failure) throw failure;
    }
    await encoder.flush();
    encoder.close();
    return new Blob(joined(samples, new Uint8Array(description), ...size, rate), { type: "video/mp4" });
}

// The settings of an encoder, with the first codec that the browser has.
async function settings(width, height, framerate) {
    const bitrate = Math.round(BITS_PER_PIXEL * width * height * framerate);
    for (const codec of CODECS) {
        const asked = { codec, width, height, framerate, bitrate, avc: { format: "avc" } };
        if ((await VideoEncoder.isConfigSupported(asked)).supported) return asked;
    }
    throw new DOMException("no H.264", "NotSupportedError");
}

const ascii = (text) => [...text].map((letter) => letter.charCodeAt(0));
const u16 = (...values) => values.flatMap((value) => [value >> 8, value & 255]);
const u32 = (...values) => values.flatMap((value) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
const zeros = (count) => new Array(count).fill(0);

// A box of bytes, with its length and kind in front; a full one begins with a version and flags.
const box = (kind, ...parts) => [parts.flat()].flatMap((content) => [...u32(8 + content.length), ...ascii(kind), ...content]);
const full = (kind, version, flags, ...parts) => box(kind, [version, ...u32(flags).slice(1)], ...parts);
const UPRIGHT = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000); // the matrix of a picture that is not turned

// The parts of the file: the head, which comes first so that a film begins while it loads, and the encoded pictures.
function joined(samples, description, width, height, fps) {
    const kind = box("ftyp", ascii("isom"), u32(0x200), ascii("isomiso2avc1mp41"));
    const length = samples.reduce((sum, { content }) => sum + content.length, 0);
    const head = (start) => movie(samples, [...description], width, height, Math.round(TICKS / fps), start);
    const start = kind.length + head(0).length + 8; // where the encoded pictures begin, [bytes]
    return [Uint8Array.from([...kind, ...head(start), ...u32(8 + length), ...ascii("mdat")]), ...samples.map(({ content }) => content)];
}

function movie(samples, description, width, height, delta, start) {
    const count = samples.length, length = count * delta;
    // Pictures are shown this much after they are decoded, where the encoder has put one before another. [ticks]
    const late = samples.map(({ time }, number) => Math.round((time * TICKS) / MICROSECONDS / delta - number) * delta);
    const keys = samples.flatMap(({ key }, number) => (key ? [number + 1] : []));
    const entry = box("avc1", zeros(6), u16(1), zeros(16), u16(width, height), u32(0x480000, 0x480000, 0), u16(1), zeros(32), u16(24, 0xffff),
        box("avcC", description));
    const table = box("stbl",
        full("stsd", 0, 0, u32(1), entry),
        full("stts", 0, 0, u32(1, count, delta)),
        late.some(Boolean) ? full("ctts", 1, 0, u32(count), late.flatMap((ticks) => u32(1, ticks))) : [],
        full("stss", 0, 0, u32(keys.length, ...keys)),
        full("stsc", 0, 0, u32(1, 1, count, 1)),
        full("stsz", 0, 0, u32(0, count, ...samples.map(({ content }) => content.length))),
        full("stco", 0, 0, u32(1, start)));
    const media = box("mdia",
        full("mdhd", 0, 0, u32(0, 0, TICKS, length), u16(0x55c4, 0)),
        full("hdlr", 0, 0, u32(0), ascii("vide"), zeros(12), ascii("video"), [0]),
        box("minf", full("vmhd", 0, 1, zeros(8)), box("dinf", full("dref", 0, 0, u32(1), full("url ", 0, 1))), table));
    return box("moov",
        full("mvhd", 0, 0, u32(0, 0, TICKS, length, 0x10000), u16(0x100), zeros(10), UPRIGHT, zeros(24), u32(2)),
        box("trak", full("tkhd", 0, 3, u32(0, 0, 1, 0, length), zeros(8), u16(0, 0, 0, 0), UPRIGHT, u32(width << 16, height << 16)), media));
}
