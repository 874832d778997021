// The page of the server: what is typed and turned becomes settings, settings become an address, and the address a player.

"use strict";

const { first, sliders, words } = JSON.parse(document.getElementById("given").textContent);
const element = (id) => document.getElementById(id);

const SETTLED = 180; // a slider that is dragged asks once it has rested for so long, [ms]
const READY = 30; // how often a player that is coming is looked at, [ms]
const PATIENCE = 30000; // [ms]
const PLAYED = ["chickenwing", "leftwing", "rightwing", "speed", "camera"]; // what the player itself turns
const DIGITS = 100;
const LONGEST_UNIT = 7; // letters

let settings = read(location.search.slice(1));
const LANGUAGE = settings.lang;
let asked = 0;
let timer = 0;

// A text with its values in the place of their names in braces.
function filled(text, values) {
    return text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
}

// Settings from a query, by key in lower case.
function read(query) {
    const found = { pattern: first };
    query.split(/[;&]/).filter(Boolean).forEach((part, number) => {
        const [key, ...value] = part.includes("=") ? part.split("=") : number ? [part] : ["pattern", part];
        found[plain(key).trim().toLowerCase()] = plain(value.join("="));
    });
    return found;
}

function plain(text) {
    try {
        return decodeURIComponent(text.replace(/\+/g, " "));
    } catch {
        return text;
    }
}

function written(all) {
    return Object.entries(all).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join(";");
}

// All that is set, with what has been turned in the player.
function whole() {
    const { player } = shown()?.contentWindow ?? {};
    if (!player) return settings;
    const rest = Object.fromEntries(Object.entries(settings).filter(([key]) => !PLAYED.includes(key)));
    const [left, right] = player.wings.map(String);
    Object.assign(rest, left === right ? { chickenwing: left } : { leftwing: left, rightwing: right });
    if (rest.chickenwing === "30") delete rest.chickenwing;
    if (player.speed !== 1) rest.speed = String(player.speed);
    const camera = seen(player);
    return camera ? { ...rest, camera } : rest;
}

// Azimuth and elevation of a camera that was turned by hand, [°].
function seen({ view }) {
    if (!view.held) return settings.camera;
    const [x, y, z] = view.camera.position.toArray().map((place, axis) => place - view.target[axis]);
    const degrees = (angle) => Math.round((angle * 180) / Math.PI * 10) / 10;
    return `${degrees(Math.atan2(x, z))},${Math.max(-85, Math.min(85, degrees(Math.atan2(y, Math.hypot(x, z)))))}`;
}

const shown = () => element("stage").querySelector("iframe:not(.coming)");

// Show what is set; the player before stays until the next one has drawn.
async function show() {
    const number = ++asked, query = written(settings);
    history.replaceState(null, "", `?${query}`);
    const known = fetch(`facts?${query}`).then((answer) => answer.json());
    const frame = document.createElement("iframe");
    frame.className = "coming";
    frame.title = filled(words.juggled, { title: settings.pattern });
    const told = await known;
    if (number !== asked) return;
    say(told);
    if (!told.valid) return;
    element("stage").querySelectorAll(".coming").forEach((each) => each.remove());
    frame.src = `embed?${query}`;
    element("stage").append(frame);
    await drawn(frame, number);
}

function drawn(frame, number) {
    const until = performance.now() + PATIENCE;
    return new Promise((resolve) => {
        const look = () => {
            if (number !== asked || performance.now() > until) return resolve(frame.remove());
            if (!(frame.contentWindow?.player?.frames > 0)) return setTimeout(look, READY);
            take(frame);
            resolve();
        };
        look();
    });
}

// Put a player in the place of the one before, at its time and seen from where that was.
function take(frame) {
    const before = shown(), [old, player] = [before?.contentWindow.player, frame.contentWindow.player];
    if (old) {
        player.time = old.time;
        player.paused = old.paused;
        if (old.view.held) {
            player.view.camera.position.copy(old.view.camera.position);
            player.view.orbit.target.copy(old.view.orbit.target);
            player.view.held = true;
        }
    }
    frame.classList.remove("coming");
    before?.remove();
    share();
}

function say(told) {
    const { valid } = told;
    element("said").textContent = valid ? [told.sentence, ...(told.notes ?? [])].join("; ") : told.error;
    element("said").classList.toggle("wrong", !valid);
    document.title = valid ? `${told.title} – juggle-anim` : "juggle-anim";
}

// One row of the table of parameters.
function control(row) {
    const line = document.createElement("div"), name = document.createElement("label");
    line.className = "slider";
    line.title = row.help;
    const input = document.createElement(row.options ? "select" : "input"), output = document.createElement("output");
    input.id = `set-${row.key}`;
    name.htmlFor = input.id;
    name.textContent = row.label;
    Object.entries(row.options ?? {}).forEach(([value, shown]) => input.add(new Option(shown, value)));
    if (!row.options) Object.assign(input, { type: "range", min: row.low, max: row.high, step: row.step });
    const unit = (row.unit ?? "").length > LONGEST_UNIT ? "" : row.unit ?? "";
    const tell = () => {
        const given = settings[row.key];
        input.value = given ?? row.default ?? (row.low + row.high) / 2;
        const number = given ?? row.default;
        output.textContent = number === null ? words.automatic : `${Math.round(number * DIGITS) / DIGITS} ${unit}`.trim();
        line.classList.toggle("unset", given === undefined);
    };
    const set = (value) => {
        if (value === undefined) delete settings[row.key];
        else settings[row.key] = String(value);
        if (row.key === "dwell" && !settings.hands) settings.style ??= "natural";
        tell();
        clearTimeout(timer);
        timer = setTimeout(show, SETTLED);
    };
    input.addEventListener("input", () => set(input.value === String(row.default) ? undefined : input.value));
    input.addEventListener("dblclick", () => set(undefined));
    line.append(name, input, ...(row.options ? [] : [output]));
    return { group: row.group, line, tell };
}

const controls = sliders.map(control);

function layOut() {
    let group = "";
    for (const each of controls) {
        if (each.group !== group) {
            const heading = document.createElement("h2");
            heading.textContent = group = each.group;
            element("sliders").append(heading);
        }
        element("sliders").append(each.line);
    }
}

// Show other settings; what is turned of the look stays.
function open(other) {
    settings = LANGUAGE ? { ...other, lang: LANGUAGE } : other;
    element("pattern").value = settings.pattern;
    controls.forEach(({ tell }) => tell());
    return show();
}

let patterns = null;

async function listPatterns() {
    patterns ??= await fetch("library").then((answer) => answer.json());
    const wanted = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (text) => wanted.every((word) => text.toLowerCase().includes(word));
    const shortly = (each) => `${each.words} ${each.pattern}`;
    const found = patterns.filter((each) => fits(`${shortly(each)} ${each.about} ${each.description}`));
    const typed = wanted.join(" ");
    // A name comes before a tag, and a description last.
    const rank = (each) => {
        const name = each.name.toLowerCase();
        return [name === typed, name.startsWith(typed), fits(shortly(each)), true].indexOf(true);
    };
    found.sort((one, other) => rank(one) - rank(other));
    element("patterns").replaceChildren(...found.map((each) => {
        const item = document.createElement("li"), button = document.createElement("button");
        const [name, props, throws, level] = ["b", "small", "small", "small"].map((kind) => document.createElement(kind));
        name.textContent = each.name;
        props.textContent = each.jugglers > 1 ? filled(words.people, each) : each.props;
        throws.textContent = each.pattern;
        level.textContent = filled(words.level, { number: each.difficulty });
        button.title = each.about;
        button.append(name, props, throws, level);
        button.addEventListener("click", () => open({ ...each.settings }));
        item.append(button);
        return item;
    }));
}

function share() {
    const query = written(whole()), here = location.href.split(/[?#]/)[0];
    element("link").value = `${here}?${query}`;
    const address = `${here}embed?${query}`.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
    element("tag").value = `<iframe src="${address}" width="640" height="480" style="border:0" title="${words.juggling}"></iframe>`;
    element("files").replaceChildren(...["gif", "mp4", "png", "svg", "json", "html"].map((kind) => {
        const link = document.createElement("a");
        link.href = `anim.${kind}?${query}`;
        link.download = `juggling.${kind}`;
        link.textContent = kind === "svg" ? words.ladder : kind.toUpperCase();
        return link;
    }));
}

function choose(tab) {
    for (const each of document.querySelectorAll("[role=tab]")) {
        each.setAttribute("aria-selected", each === tab);
        element(each.getAttribute("aria-controls")).hidden = each !== tab;
    }
    if (tab.id === "tab-library") listPatterns();
    if (tab.id === "tab-share") share();
}

layOut();
element("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = element("pattern").value.trim();
    const typed = /[=;]/.test(text) ? read(text.includes("pattern=") ? text : `pattern=${text}`) : { ...settings, pattern: text };
    delete typed.title;
    open(typed);
});
element("search").addEventListener("input", listPatterns);
document.querySelectorAll("[role=tab]").forEach((tab) => tab.addEventListener("click", () => choose(tab)));
document.querySelectorAll("[data-copies]").forEach((button) => button.addEventListener("click", async () => {
    const input = element(button.dataset.copies);
    share();
    input.select();
    await navigator.clipboard?.writeText(input.value).catch(() => document.execCommand("copy"));
    button.textContent = words.copied;
    setTimeout(() => (button.textContent = words.copy), 1500);
}));
open(settings);
