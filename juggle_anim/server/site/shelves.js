// Lists of patterns: the library, those that one has starred or seen, those of a generator or a file, the steps of a lesson, a
// routine.

import { ask, send } from "./ask.js";
import { element, filled, made, written } from "./settings.js";

const KEPT = "juggle-anim"; // the name under which a browser keeps lists
const MOST_RECENT = 50;
const NAMED = /^title=/; // the line with the name of a routine
const TAPPED = 300; // from a finger on the screen to what it does, [ms]
const MOST_MEANT = 3; // patterns that are offered for what is typed

// What one has starred and seen, as settings, the latest first; nothing where a browser keeps nothing.
const kept = (() => {
    try {
        return { favourites: [], recent: [], ...JSON.parse(localStorage.getItem(KEPT)) };
    } catch {
        return { favourites: [], recent: [] };
    }
})();

function keep() {
    try {
        localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
        // A private window keeps it until it is closed.
    }
}

const without = (list, settings) => list.filter((other) => written(other) !== written(settings));

export const isFavourite = (settings) => kept.favourites.some((other) => written(other) === written(settings));

export function star(settings) {
    const others = without(kept.favourites, settings);
    kept.favourites = others.length < kept.favourites.length ? others : [{ ...settings }, ...others];
    keep();
}

export function seen(settings) {
    kept.recent = [{ ...settings }, ...without(kept.recent, settings)].slice(0, MOST_RECENT);
    keep();
}

// Whether this is said for the first time; it is kept that it was.
export function isFirst(hint) {
    if (kept[hint]) return false;
    kept[hint] = true;
    keep();
    return true;
}

// What some settings are called in a list.
const named = ({ title, pattern }) => title ?? pattern.split("\n")[0].replace(NAMED, "");

// Show the lists; `now` are the settings of what plays, `plain` those without what was turned, `learnt` those of the trick that a
// lesson teaches, and `open` takes a row that is chosen.
export function shelvesOf(words, language, { now, plain, learnt, open, told, tell }) {
    const inLanguage = language ? `;lang=${language}` : "";
    let listed = []; // the rows that are shown
    let patterns = null, asked = 0, opened = [], lesson = [];
    const section = element("library"), places = new Map(); // where each list was scrolled to, [pixels]
    let shown = ""; // the list that is shown
    let routine = { head: [], lines: [] }, strung = ""; // the routine that is edited, and the pattern that says it
    let learns = false; // whether a lesson is to teach what is chosen
    let begun = null; // the question for its lines
    let taught = {}, playing = "", step = 0; // the trick of the lesson, the pattern of its step that plays, and the step's row

    // What else is set tells apart patterns of one name.
    const ofSettings = ({ title, lang, ...settings }) => {
        const { pattern, ...others } = settings, name = named({ title, pattern }), [line] = pattern.split("\n");
        const set = [...(title ? [line] : []), ...Object.entries(others).map(([key, value]) => told(key, value))].join(", ");
        return { name, pattern, set, settings: title ? { ...settings, title } : settings };
    };
    const rows = {
        async library() {
            patterns ??= ask("library", inLanguage.slice(1));
            const text = element("search").value.trim(), all = await patterns;
            if (!text) return all;
            const names = await ask("search", `words=${encodeURIComponent(text)}${inLanguage}`);
            return names.map((name) => all.find((row) => row.name === name));
        },
        async learn() {
            if (lesson.length && [taught.pattern, playing].includes(now().pattern)) return lesson;
            const trick = learnt(), { about, steps } = await ask("lesson", written(trick));
            [taught, step] = [trick, 0];
            places.set("learn", 0);
            lesson = [{ name: named(trick), text: about }, ...steps.map(({ title, advice, trouble, pattern }, number) => (
                { name: filled(words.step, { number: number + 1, title }), text: advice, trouble: `${words.trouble}: ${trouble}`, settings: { pattern } }))];
            return lesson;
        },
        async routine() {
            if (now().pattern === strung) return null;
            strung = now().pattern;
            element("lines").replaceChildren(words.loading);
            routine = { head: [], lines: [] };
            // One that begins in a lesson begins with the trick that it teaches.
            begun = ask("lines", written(strung === playing ? taught : plain())).then((answer) => (routine = answer)).finally(showLines);
            await begun?.catch(() => {}); // of events none begins
            return null;
        },
        favourites: () => kept.favourites.map(ofSettings),
        recent: () => kept.recent.map(ofSettings),
        async generate() {
            const [props, height, period] = ["props", "height", "period"].map((id) => element(`of-${id}`).value.trim() || "-");
            const line = encodeURIComponent(`${props} ${height} ${period}`);
            const { patterns: found } = await ask("generate", `pattern=${line}${inLanguage}`);
            return found.map((pattern) => ({ name: pattern, pattern, settings: { pattern } }));
        },
        file: () => opened,
    };
    const SAVED = ["favourites", "recent", "generate", "file"]; // shelves that are saved as a list

    function entry(row) {
        const item = made("li"), button = made(row.settings ? "button" : "p");
        const add = (kind, text) => button.append(made(kind, { textContent: text }));
        add("b", row.name);
        if (row.text) {
            item.className = "step";
            add("span", row.text);
            if (row.trouble) add("span", row.trouble);
        } else if (row.difficulty !== undefined) {
            add("small", row.counted);
            add("small", row.pattern);
            add("small", filled(words.level, { number: row.difficulty }));
            button.title = row.about;
        }
        if (row.set) add("small", row.set);
        if (row.error) add("small", row.error);
        if (row.settings) button.addEventListener("click", () => {
            for (const other of element("patterns").querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
            button.setAttribute("aria-current", "true");
            open(row);
            if (learns) {
                choose("learn");
                return show();
            }
            if (chosen() === "learn") [playing, step] = [now().pattern, lesson.indexOf(row)];
            offerNext();
        });
        item.append(button);
        return item;
    }

    async function show() {
        const number = ++asked, shelf = chosen();
        learns &&= shelf === "library";
        element("learn-other").hidden = shelf !== "learn";
        for (const [id, shelves] of [["seek", ["library", "file"]], ["generator", ["generate"]], ["script", ["routine"]]]) {
            element(id).hidden = !shelves.includes(shelf);
        }
        if (shelf === "routine") element("patterns").replaceChildren();
        element("patterns").ariaBusy = true; // what is shown is not what is asked
        places.set(shown, section.scrollTop);
        let found, reason = shelf === "favourites" ? words.starred : words.nothing;
        try {
            found = await rows[shelf]();
        } catch (error) {
            [found, reason] = [[], error.message];
        }
        if (number !== asked) return;
        listed = (found ?? []).filter(({ settings }) => settings);
        element("save-list").hidden = !SAVED.includes(shelf) || !listed.length;
        const items = (found ?? []).map(entry);
        if (found?.length === 0) items.push(entry({ name: "", text: reason }));
        element("patterns").replaceChildren(...items);
        element("patterns").ariaBusy = false;
        shown = shelf;
        section.scrollTop = places.get(shelf) ?? 0;
        if (shelf === "learn" && step) element("patterns").children[step].firstChild.setAttribute("aria-current", "true");
        offerNext();
    }

    function offerNext() {
        element("next-step").hidden = chosen() !== "learn" || step + 1 >= lesson.length;
        element("next-step").textContent = step ? words.next_step : words.start;
    }

    element("next-step").addEventListener("click", () => {
        const { firstChild } = element("patterns").children[step + 1];
        firstChild.click();
        firstChild.scrollIntoView({ block: "center" });
    });

    element("learn-other").addEventListener("click", () => {
        choose("library");
        learns = true;
        element("search").value = "";
        tell(words.learn_which);
        show();
    });

    // What the step of the lesson that plays is called, if one does.
    function stepOf({ pattern }) {
        const number = pattern === taught.pattern ? -1 : lesson.findIndex((row) => row.settings?.pattern === pattern);
        return number < 0 ? "" : filled(words.lesson_step, { title: named(taught), number });
    }

    // The pattern that was typed has another lesson, or begins another routine.
    const follow = () => section.hidden || !["learn", "routine"].includes(chosen()) || show();

    // The lines of the routine, each in a field of its own, which is juggled once it has changed.
    function showLines() {
        element("routine-name").value = routine.head.find((line) => NAMED.test(line))?.replace(NAMED, "") ?? "";
        element("lines").replaceChildren(...routine.lines.map((text, number) => {
            const item = made("li"), wrong = made("small", { role: "status" }), { lines } = routine;
            const field = made("input", { value: text, spellcheck: false, autocapitalize: "off", ariaLabel: filled(words.line, { number: number + 1 }) });
            const button = (sign, told) => made("button", { type: "button", textContent: sign, title: filled(told, { text }), ariaLabel: filled(told, { text }) });
            const up = button("↑", words.up), remove = button("×", words.remove);
            up.disabled = !number;
            up.addEventListener("click", () => string(lines.toSpliced(number - 1, 2, text, lines[number - 1])));
            field.addEventListener("change", () => string(routine.lines.with(number, field.value)));
            remove.addEventListener("click", () => string(routine.lines.toSpliced(number, 1)));
            item.append(field, up, remove, wrong);
            return item;
        }));
    }

    // Juggle these lines; without any trick, what was juggled goes on.
    function string(lines) {
        routine.lines = lines.filter((line) => line.trim());
        showLines();
        if (routine.lines.every((line) => line.trim() === "stop")) {
            strung = now().pattern;
            return tell(words.first_trick);
        }
        strung = `${[...routine.head, ...routine.lines].join("\n")}\n`;
        open({ settings: { pattern: strung } });
    }

    element("routine-name").addEventListener("change", ({ target }) => {
        const name = target.value.trim();
        routine.head = [...(name ? [`title=${name}`] : []), ...routine.head.filter((line) => !NAMED.test(line))];
        string(routine.lines);
    });

    // Say what is wrong below each line, by its number in the whole text. Returns whether one sees any.
    function mark(problems) {
        const marked = [...element("lines").children].filter((item, number) => {
            const problem = now().pattern === strung ? problems[routine.head.length + number + 1] ?? "" : "";
            item.firstChild.ariaInvalid = String(Boolean(problem));
            item.lastChild.textContent = problem;
            return problem;
        });
        const seen = marked.length > 0 && !section.hidden && chosen() === "routine";
        if (seen) marked[0].scrollIntoView({ block: "nearest" });
        return seen;
    }

    // A new line comes before the stop at the end.
    async function addTrick(name) {
        await begun;
        const { lines } = routine, length = /\s\d+\s*\p{L}+$/u.test(name) ? "" : ` ${element("long").value} ${element("unit").value}`;
        const place = lines.at(-1)?.trim() === "stop" ? lines.length - 1 : lines.length;
        element("trick").value = "";
        element("meant").replaceChildren();
        string(lines.toSpliced(place, 0, `${name}${length}`));
        element("lines").children[place].scrollIntoView({ block: "nearest" });
    }

    // Patterns of the library that may be meant by what is typed so far.
    async function showMeant() {
        const text = element("trick").value.trim();
        const names = /\p{L}{3}/u.test(text) ? await ask("search", `words=${encodeURIComponent(text)}${inLanguage}`) : [];
        if (text !== element("trick").value.trim()) return;
        element("meant").replaceChildren(...names.slice(0, MOST_MEANT).map((name) => {
            const button = made("button", { type: "button", textContent: name });
            button.addEventListener("click", () => addTrick(name));
            return button;
        }));
    }

    element("trick").addEventListener("input", showMeant);
    element("add").addEventListener("submit", (event) => {
        event.preventDefault();
        const name = element("trick").value.trim();
        if (name) addTrick(name);
    });

    // Show the patterns of files; that of a file with just one is juggled at once.
    async function openFiles(files) {
        if (!files.length) return;
        const rows = [], notes = [];
        for (const file of files) {
            const told = JSON.parse(await (await send("open", file.name, file)).text());
            rows.push(...told.patterns);
            notes.push(...told.notes);
        }
        opened = [...rows, ...notes.map((error) => ({ name: "", error }))];
        ofFile.hidden = false;
        choose("file");
        await show();
        if (rows.length === 1 && rows[0].settings) open(rows[0]);
        else if (rows.length === 1) throw new Error(rows[0].error);
    }

    // A list of what is shown, as a file.
    const listFile = (name) => send("save", name, new Blob([listed.map(({ settings }) => written(settings)).join("\n")]));

    for (const shelf of Object.keys(rows)) {
        const label = made("label"), input = made("input", { type: "radio", name: "shelf", value: shelf, checked: shelf === "library" });
        label.append(input, words.shelves[shelf]);
        element("shelves").append(label);
    }
    const chosen = () => element("shelves").querySelector(":checked").value;
    const choose = (shelf) => (element("shelves").querySelector(`[value=${shelf}]`).checked = true);
    const ofFile = element("shelves").lastElementChild;
    ofFile.hidden = true;
    element("shelves").addEventListener("change", ({ target }) => {
        target.parentElement.scrollIntoView({ block: "nearest", inline: "nearest" });
        show();
    });
    element("search").addEventListener("input", () => {
        choose("library");
        show();
    });
    element("search").addEventListener("focus", ({ target }) => {
        target.select();
        document.body.classList.add("seeks");
    });
    // What a finger hits stays under it.
    element("search").addEventListener("blur", ({ target }) => setTimeout(() => document.body.classList.toggle("seeks", target === document.activeElement), TAPPED));
    element("generator").addEventListener("submit", (event) => {
        event.preventDefault();
        show();
    });
    return { show, follow, stepOf, mark, openFiles, listFile, chosen };
}
