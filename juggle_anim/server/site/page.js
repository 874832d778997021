// The page: what is typed and turned becomes settings, settings become an address, and the answers to it a player.

import { alongOf } from "./along.js";
import { ask, endings, file, frame, onUpdate, playing, shown } from "./ask.js";
import { controlsOf } from "./controls.js";
import { ladderOf } from "./ladder.js";
import { element, filled, made, read, written } from "./settings.js";
import { isFavourite, isFirst, seen as noteSeen, shelvesOf, star } from "./shelves.js";
import { offerXR } from "./xr.js";

const given = JSON.parse(document.getElementById("given").textContent);
const { first, words } = given;

const SETTLED = 180; // a slider that is dragged asks once it has rested for so long, [ms]
const SLOW = 400; // an answer that takes longer is waited for in words, [ms]
const SEEN = 3; // pictures after which the rest of the page is made
const MOVING = 10; // pictures after which an animation moves for whoever looks at it
const FRAME = 1 / 60; // of a step, [s]
const TURNED = 15, NEARER = 1.15; // by a key of the camera: how far [°], and how many times as near
const COPIED = 1500; // [ms]
const LONGEST_NAME = 60; // of a file that is saved, [letters]
const MOST_BEATS = 40; // on the line of time, where they can still be told apart
const TICK = 100; // how often the line of time is drawn, [ms]
const FIRST_TRICK = "Cascade"; // that one learns who has chosen none
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3];

let settings = read(location.search.slice(1), first);
const LANGUAGE = settings.lang;
element("stage").dataset.waiting = words.loading; // behind the picture
element("stage").ariaBusy = true;
const undone = []; // states before, the latest last
const redone = []; // those that were undone
let picked = /[?;&]pattern=/i.test(location.search); // whether anybody has chosen what plays
let player = null;
let asked = 0, timer = 0, title = "", played = "", plays = "", facts = ""; // the pattern that plays, its title, and what is told of it
const fixed = fetch("fixed.json").then((answer) => answer.json());

// The controls, once they are made; until then they would keep the processor from the first pictures.
let controls = [];

function makeControls() {
    if (controls.length) return;
    controls = controlsOf(given, element("sliders"), {
        value: (key) => settings[key],
        set(key, value) {
            remember();
            if (value === undefined) delete settings[key];
            else settings[key] = value;
            if (key === "dwell" && !settings.hands) settings.style ??= "natural";
            const now = turnPlayer(key);
            showTurned();
            clearTimeout(timer);
            timer = setTimeout(now ? address : show, SETTLED);
        },
    });
    controls.forEach(({ tell }) => tell());
}

// Turn what the player itself can; false if the curves are others.
function turnPlayer(key) {
    if (!player || !["speed", "chickenwing", "leftwing", "rightwing"].includes(key)) return false;
    const number = (name, otherwise) => Number(settings[name] ?? otherwise);
    const { speed, chickenwing } = given.played;
    player.speed = number("speed", speed);
    player.wings = ["leftwing", "rightwing"].map((side) => number(side, number("chickenwing", chickenwing)));
    return true;
}

// What differs from the defaults, but for what the pattern says itself, and how fast it plays.
let own = {};
const turned = () => given.sliders.filter(({ kept, key }) => kept && settings[key] !== undefined && settings[key] !== own[key]);

// The same by key, of what was turned before the lesson that plays, which begins with none of it; null without a lesson.
let aside = null;
const ownValues = () => Object.fromEntries(turned().map(({ key }) => [key, settings[key]]));
const state = () => ({ settings: { ...settings }, aside });

// What is set without it.
function plain() {
    const keys = turned().map(({ key }) => key);
    return Object.fromEntries(Object.entries(settings).filter(([key]) => !keys.includes(key)));
}

// The trick that a lesson teaches; a routine is none.
function learnt() {
    const { title, ...others } = plain();
    return picked && !settings.pattern.includes("\n") ? plain() : { ...others, pattern: FIRST_TRICK };
}

function showTurned() {
    // How fast it plays stands beside the line of time.
    const rows = turned().filter(({ key }) => key !== "speed"), speed = Number(settings.speed ?? given.played.speed);
    const texts = rows.map(({ key }) => inWords(key, settings[key]));
    element("turned").textContent = texts.length > 1 ? filled(words.changed, { number: texts.length }) : texts.join();
    element("turned").title = texts.join(", ");
    element("reset").hidden = !rows.length;
    element("rate").hidden = speed === given.played.speed;
    element("rate").textContent = `${speed}×`;
}

element("reset").addEventListener("click", () => open(plain()));
element("rate").addEventListener("click", () => turn("speed", undefined));

// One undo for all that a slider does in one go.
let remembered = "";
function remember() {
    const before = written(settings);
    if (timer && remembered) return;
    remembered = before;
    undone.push(state());
    redone.length = 0;
    showUndo();
}

function showUndo() {
    element("undo").disabled = !undone.length;
    element("redo").hidden = !redone.length;
}

// Go back a step, or forth again.
function travel(from, to) {
    if (!from.length) return;
    to.push(state());
    const other = from.pop();
    aside = other.aside;
    showUndo();
    open(other.settings, true);
    shelves.follow();
}

// All that is set, with where a hand has put the camera.
function whole() {
    const camera = player?.view.held ? seen(player) : settings.camera;
    return camera ? { ...settings, camera } : settings;
}

// Azimuth and elevation of a camera that was turned by hand, [°].
function seen({ view }) {
    const [x, y, z] = view.camera.position.toArray().map((place, axis) => place - view.target[axis]);
    const degrees = (angle) => Math.round((angle * 180) / Math.PI * 10) / 10;
    return `${degrees(Math.atan2(x, z))},${Math.max(-85, Math.min(85, degrees(Math.atan2(y, Math.hypot(x, z)))))}`;
}

function address() {
    timer = 0;
    remembered = "";
    // It takes browsers as long as a picture, for which nobody should wait.
    setTimeout(() => history.replaceState(null, "", `?${written(settings)}${location.hash}`));
}

// Show what is set; what plays goes on until the answer is there.
async function show() {
    const number = ++asked, query = written(settings);
    address();
    const waiting = setTimeout(() => {
        if (number !== asked) return;
        element("stage").ariaBusy = true;
        tell(words.loading);
    }, SLOW), hurried = settings.pattern !== played;
    if (player) player.awaits = hurried;
    try {
        const { facts: told, curves, plan } = await shown(query, () => number === asked, hurried);
        const all = await fixed, wanted = number === asked;
        // Until something plays, an answer does that is no longer wanted: what draws it draws the next one, too.
        if (!wanted && player) return;
        if (curves) take({ ...all, ...curves, skin: curves.skin && { ...all.skin, ...curves.skin } }, told);
        if (wanted) say(told);
        if (wanted && told.valid) noteSeen(settings);
        clearTimeout(waiting);
        if (wanted) element("stage").ariaBusy = false;
        const drafted = curves && plan && player;
        if (!drafted) return;
        await moving(() => drafted === player, MOVING);
        if (number === asked) drafted.plan(await plan());
    } catch (error) {
        if (number === asked) tell(error.message, true);
    } finally {
        clearTimeout(waiting);
        if (number === asked) element("stage").ariaBusy = false;
        if (number === asked && player) player.awaits = false;
    }
}

// Wait until so many pictures are drawn, which would share the processor with what is done meanwhile; as long as that is wanted.
async function moving(wanted, pictures) {
    while (wanted() && player.frames < pictures) await new Promise(requestAnimationFrame);
}

// Let another animation go on where the one before was, seen from where that was.
function take(data, told) {
    const before = player, { held, camera, target } = before?.view ?? {};
    const from = held && [camera.position.clone(), target];
    before?.close();
    try {
        player = window.openPlayer(element("picture"), data, before);
    } catch {
        element("failure").hidden = false;
        delete element("stage").dataset.waiting;
        return;
    }
    if (before) {
        // Another routine begins with its first line.
        if (played === settings.pattern || !settings.pattern.includes("\n")) player.time = before.time;
        player.paused = before.paused;
        if (from) {
            player.view.camera.position.copy(from[0]);
            player.view.orbit.target.set(...from[1]);
            player.view.held = true;
        }
    }
    played = settings.pattern;
    window.player = player;
    const beats = Math.max(1, Math.round(data.loop * told.tempo));
    element("line").style.setProperty("--beats", beats > MOST_BEATS ? 1 : beats);
    element("picture").setAttribute("aria-label", filled(words.juggled, told));
    turnPlayer("speed");
    showPlaying();
    share();
    ladder.draw();
    if (!before) playing(player);
    hear(told);
}

// What one juggles along with.
let cues = { tempo: 1, throws: [], span: 0 };
const along = alongOf(() => ({ player, ...cues, show: showPlaying, restore: () => turnPlayer("speed") }));

// Throws are asked for when they are first shown.
async function hear({ tempo, period }) {
    cues = { tempo, period, throws: [], span: 0 };
    const query = written(settings);
    if (!along.isOn()) return;
    along.changed();
    const { throws, rows: lines } = await ask("ladder", query);
    if (query === written(settings)) cues = { ...cues, throws, span: lines.at(-1).end };
}

element("along").addEventListener("click", () => hear(cues));

const POINTS = /^(.*?\n {2})([^\n]*)\n {2}( *)(\^+)(.*)$/s; // a text that points at part of a line from the line below

const tell = (text, wrong = false) => {
    const [, before, line, { length: start }, { length }, after] = POINTS.exec(text) ?? ["", text, "", "", "", ""];
    const mark = made("mark", { textContent: line.slice(start, start + length) });
    element("said").replaceChildren(before, line.slice(0, start), mark, line.slice(start + length), after);
    element("said").classList.toggle("wrong", wrong);
    if (wrong) delete element("stage").dataset.waiting;
};

// Buttons with patterns that may have been meant.
function offer(patterns) {
    const row = made("span", { className: "near" });
    for (const pattern of patterns) {
        const button = made("button", { type: "button", textContent: pattern });
        button.addEventListener("click", () => typed(pattern));
        row.append(button);
    }
    element("said").append(row);
}

function say(told) {
    const { valid } = told;
    const [[number, wrong] = []] = Object.entries(told.lines ?? {}), marked = shelves.mark(told.lines ?? {});
    const error = marked ? "" : wrong ? `${filled(words.line, { number })}: ${wrong}` : told.error;
    const name = told.title === settings.pattern ? "" : `${told.title}: `;
    if (valid) [plays, facts] = [told.title, [name + told.sentence, ...(told.notes ?? [])].join("; ")];
    tell(valid ? facts : error, !valid);
    if (told.near?.length) offer(told.near);
    if (error && plays) element("said").append(made("span", { className: "label", textContent: filled(words.goes_on, { title: plays }) }));
    if (valid) showTricks(shelves.stepOf(settings) ? [] : told.tricks ?? []);
    if (valid && element("told").textContent !== told.words) element("in-words").textContent = element("told").textContent = told.words;
    title = valid ? told.title : "";
    document.title = valid ? `${title} – juggle-anim` : "juggle-anim";
}

// The tricks of a routine above the picture; one of them leads to its time.
function showTricks(tricks) {
    const shown = tricks.length > 1 ? tricks : [];
    element("tricks").hidden = !shown.length;
    element("tricks").replaceChildren(...shown.map(({ text, begins, ends }) => {
        const button = made("button", { type: "button", textContent: text });
        Object.assign(button.dataset, { begins, ends });
        button.addEventListener("click", () => player && (player.time = begins));
        return button;
    }));
}

// Light the trick that is juggled, in the strip and in the list of lines.
function lightTrick() {
    const strip = element("tricks"), time = player.time - Math.floor(player.time / player.loop) * player.loop;
    [...strip.children].forEach((one) => {
        const now = Number(one.dataset.begins) <= time && time < Number(one.dataset.ends);
        if (now === (one.ariaCurrent === "true")) return;
        one.ariaCurrent = String(now);
        if (now) strip.scrollTo({ left: one.offsetLeft + (one.offsetWidth - strip.clientWidth) / 2, behavior: "smooth" });
    });
}

// What one asks to see moves, even where another pattern was paused.
function juggle(other) {
    picked = true;
    if (player) player.paused = false;
    open(other);
}

// Show other settings.
function open(other, again = false) {
    if (!again) remember();
    settings = LANGUAGE ? { ...other, lang: LANGUAGE } : other;
    // The lines of a routine have another place.
    const [line, ...others] = settings.pattern.split("\n");
    const step = shelves.stepOf(settings);
    element("pattern").value = step || others.length ? "" : line;
    element("pattern").placeholder = step || (others.length ? words.shelves.routine : first);
    controls.forEach(({ tell }) => tell());
    showTurned();
    showStar();
    return show();
}

// What is typed: a pattern, which keeps what is turned, or a whole settings string.
function typed(text) {
    const all = /[=;]/.test(text) ? read(text.includes("pattern=") ? text : `pattern=${text}`, first) : { ...(aside ? plain() : settings), ...aside, pattern: text };
    delete all.title;
    own = {};
    juggle(all);
    aside = null;
    shelves.follow();
}

// A pattern of a list keeps what one has turned, but for what it says itself, as in the lines of a routine.
function choose({ settings: chosen }) {
    const said = /^pattern=[^\n]*$/.test(chosen.pattern) ? read(chosen.pattern, first) : chosen;
    const learns = shelves.chosen() === "learn";
    let values = ownValues();
    if (learns && !aside) values = {}; // a lesson begins plain
    if (!learns && aside) values = aside; // what was turned before it comes back
    const kept = Object.entries(values).filter(([key]) => !new RegExp(`\\b${key}=`).test(said.pattern));
    const before = learns ? aside ?? ownValues() : null;
    own = said;
    juggle({ ...said, ...Object.fromEntries(kept), ...said });
    aside = before; // after the state before is remembered
}

// A setting in words.
function inWords(key, value) {
    const row = given.sliders.find((one) => one.key === key);
    return row ? `${row.label}: ${row.options?.[value] ?? `${value}${row.unit ?? ""}`}` : `${key}=${value}`;
}

const shelves = shelvesOf(words, LANGUAGE, { now: () => settings, plain, learnt, open: choose, told: inWords, tell });

function showStar() {
    element("star").setAttribute("aria-pressed", isFavourite(settings));
}

element("star").addEventListener("click", () => {
    star(settings);
    showStar();
    if (!element("library").hidden && shelves.chosen() === "favourites") shelves.show();
});

for (const mode of ["vr", "ar"]) offerXR(element(`enter-${mode}`), `immersive-${mode}`, () => player);

const ladder = ladderOf(words, {
    now: () => settings,
    open,
    tell,
    go(time) {
        if (!player) return;
        player.time = time;
        player.paused = true;
        showPlaying();
    },
});

function share() {
    element("save-routine").hidden = !settings.pattern.includes("\n");
    const query = written(whole()), here = location.href.split(/[?#]/)[0];
    element("link").value = `${here}?${query}`;
    const source = new URL(frame(query), here).href.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
    element("tag").value = `<iframe src="${source}" width="640" height="480" style="border:0" title="${words.juggling}"></iframe>`;
    drawCode();
}

// The link as a QR code, which is drawn while it is shown.
async function drawCode() {
    if (!element("code").open) return;
    try {
        const { svg } = await ask("qr", `words=${encodeURIComponent(element("link").value)}`);
        const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", element("link").value);
        element("qr").replaceChildren(picture);
        element("qr").scrollIntoView({ block: "nearest" });
    } catch (error) {
        element("qr").textContent = error.message;
    }
}

element("code").addEventListener("toggle", drawCode);

// Save a file of what is shown, or another one. The button tells how much of a film is there.
async function save(ending, button, name = title, content = (progress) => file(ending, written(whole()), player, progress)) {
    const { textContent } = button;
    const progress = (share) => (button.textContent = `${textContent} ${Math.round(100 * share)} %`);
    button.disabled = true;
    try {
        const link = made("a"), blob = await content(progress);
        link.href = URL.createObjectURL(blob);
        link.download = `${name.replace(/[^\p{L}\p{N}()[\],.*-]+/gu, " ").trim().slice(0, LONGEST_NAME) || "juggling"}.${ending}`;
        link.click();
        tell(filled(words.saved, { name: link.download }));
        setTimeout(() => URL.revokeObjectURL(link.href), COPIED);
    } catch (error) {
        tell(error.message, true);
    }
    Object.assign(button, { textContent, disabled: false });
}

// Films and pictures first; of other files people are told what they are.
for (const ending of endings) {
    const button = made("button", { type: "button", id: `save-${ending}`, textContent: words.formats[ending] ?? ending.toUpperCase() });
    button.addEventListener("click", () => save(ending, button));
    element(ending in words.formats ? "more-files" : "files").append(button);
}

for (const button of document.querySelectorAll("#save-list button")) {
    const { ending } = button.dataset;
    button.addEventListener("click", () => save(ending, button, "juggling", () => shelves.listFile(`juggling.${ending}`)));
}

// Files are chosen, or dropped on the page.
async function openFiles(files) {
    chooseTab(element("tab-library"));
    try {
        await shelves.openFiles(files);
    } catch (error) {
        tell(error.message, true);
    }
}

element("open").addEventListener("click", () => element("opened").click());
element("opened").addEventListener("change", async ({ target }) => {
    await openFiles([...target.files]);
    target.value = ""; // the same file can be chosen again
});
addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    openFiles([...event.dataTransfer.files]);
});

function chooseTab(tab) {
    for (const other of document.querySelectorAll("[role=tab]")) {
        other.setAttribute("aria-selected", other === tab);
        other.tabIndex = other === tab ? 0 : -1;
        element(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
    element(tab.getAttribute("aria-controls")).scrollTop = 0;
    if (!element("said").classList.contains("wrong")) tell(facts); // not what was saved or found in another tab
    if (tab.id === "tab-library") shelves.show();
    if (tab.id === "tab-ladder") ladder.draw();
    if (tab.id === "tab-share") share();
}

// The transport: play, steps, and the line of time.
function showPlaying() {
    const label = player.paused ? words.play : words.pause;
    element("play").dataset.paused = player.paused;
    element("play").setAttribute("aria-label", label);
    element("play").title = `${label} (${words.space})`;
}

function togglePlaying() {
    player.paused = !player.paused;
    showPlaying();
}

function step(frames) {
    player.time += frames * FRAME;
    player.paused = true;
    showPlaying();
}

function turn(key, value) {
    makeControls();
    controls.find((control) => control.key === key).set(value);
}

function speedUp(by) {
    const now = player.speed, place = SPEEDS.findIndex((speed) => speed >= now);
    turn("speed", SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, place + by))]);
}

// Turn the camera around what it looks at [°], or bring it nearer.
function swing(angle, nearer = 1) {
    const { view } = player, { position } = view.camera, [x, y, z] = view.target;
    const turned = Math.atan2(position.x - x, position.z - z) + (angle * Math.PI) / 180;
    const far = nearer * Math.hypot(position.x - x, position.z - z);
    position.set(x + far * Math.sin(turned), y + nearer * (position.y - y), z + far * Math.cos(turned));
    view.held = true;
    view.orbit.update();
}

const KEYS = {
    "[": () => swing(-TURNED), "]": () => swing(TURNED), "+": () => swing(0, 1 / NEARER), "-": () => swing(0, NEARER),
    " ": togglePlaying, ",": () => step(-1), ".": () => step(1), f: () => player.view.release(),
    ArrowUp: () => speedUp(1), ArrowDown: () => speedUp(-1),
    ArrowLeft: (fine) => turn("chickenwing", player.wings[0] - (fine ? 1 : 5)),
    ArrowRight: (fine) => turn("chickenwing", player.wings[0] + (fine ? 1 : 5)),
};

addEventListener("keydown", (event) => {
    const letter = event.key.toLowerCase(), typing = event.target.closest("input:not([type=range]), textarea");
    if (["y", "z"].includes(letter) && (event.ctrlKey || event.metaKey) && !typing) {
        event.preventDefault();
        if (letter === "y" || event.shiftKey) travel(redone, undone);
        else travel(undone, redone);
    }
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const own = event.target.closest("input, select, button, summary, [role=tab]");
    if (!act || !player || own || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act(event.shiftKey);
});

element("play").addEventListener("click", () => player && togglePlaying());
element("back").addEventListener("click", () => player && step(-1));
element("forth").addEventListener("click", () => player && step(1));
element("camera").addEventListener("click", () => player?.view.release());
element("time").addEventListener("input", () => {
    if (!player) return;
    player.time = Number(element("time").value) * player.loop;
    player.paused = true;
    showPlaying();
});
setInterval(() => {
    if (!player || document.hidden) return;
    const share = player.time / player.loop - Math.floor(player.time / player.loop);
    element("time").value = share;
    lightTrick();
    if (!element("ladder").hidden) ladder.showNow(player.time);
    element("time").setAttribute("aria-valuetext", `${(share * player.loop).toFixed(2)} s`);
}, TICK);

// A link goes to other programs of a phone, and the page among them, where browsers can do that.
element("send").hidden = !navigator.share;
element("send").addEventListener("click", () => navigator.share({ title: document.title, url: element("link").value }).catch(() => {}));
addEventListener("beforeinstallprompt", (offer) => {
    offer.preventDefault();
    element("install").hidden = false;
    document.body.classList.add("installs");
    element("install").onclick = () => offer.prompt();
});
// What a service worker keeps works offline, and a server has none. A second visit says so, once.
navigator.serviceWorker?.ready.then(() => (element("offline").hidden = false));
if (navigator.serviceWorker?.controller) element("hint").hidden = !isFirst("offline");
element("close-hint").addEventListener("click", () => (element("hint").hidden = true));
addEventListener("appinstalled", () => (element("install").hidden = true));

element("undo").addEventListener("click", () => travel(undone, redone));
element("redo").addEventListener("click", () => travel(redone, undone));
element("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = element("pattern").value.trim();
    if (text) typed(text);
    else if (player) {
        player.time = 0; // a routine, from its first line
        player.paused = false;
    }
    if (matchMedia("(hover: none)").matches) element("pattern").blur(); // the keyboard covers the picture
});
// An emptied field is not wrong any more.
element("pattern").addEventListener("input", ({ target }) => target.value || tell(facts));
// Who taps the pattern types another one; a second tap places the cursor.
element("pattern").addEventListener("focus", ({ target }) => target.select());
document.querySelectorAll("[role=tab]").forEach((tab) => tab.addEventListener("click", () => chooseTab(tab)));
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key], tabs = [...event.currentTarget.children];
    if (!by) return;
    const next = tabs[(tabs.indexOf(event.target) + by + tabs.length) % tabs.length];
    next.focus();
    chooseTab(next);
});
document.querySelectorAll("[data-copies]").forEach((button) => button.addEventListener("click", async () => {
    const input = element(button.dataset.copies);
    share();
    input.select();
    // The clipboard may wait for a permission that nobody gives.
    const copied = document.execCommand("copy") || await navigator.clipboard?.writeText(input.value).then(() => true, () => false);
    if (!copied) return tell(words.copy_yourself);
    const { textContent } = button;
    if (textContent === words.copied) return;
    button.textContent = words.copied;
    setTimeout(() => Object.assign(button, { textContent }), COPIED);
}));
document.body.classList.toggle("bare", location.hash === "#player"); // in a frame of another page
onUpdate((begin) => {
    element("news").hidden = false;
    element("reload").addEventListener("click", begin);
});
open(settings, true).then(() => moving(() => player, SEEN)).then(makeControls);
