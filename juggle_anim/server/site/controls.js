// The rows of the table of parameters: sliders and lists, in groups that fold.

import { made } from "./settings.js";

const DIGITS = 100;
const LONGEST_UNIT = 8; // letters, with the space before

// Put all rows into a folder of groups; `all` reads and sets values by key. Returns the controls.
export function controlsOf({ sliders, words }, folder, all) {
    let group = null;
    return sliders.map((row) => {
        if (row.group !== group?.dataset.name) {
            const heading = made("summary");
            group = made("details");
            group.dataset.name = heading.textContent = row.group;
            group.open = !folder.childElementCount;
            group.append(heading);
            // What was opened is seen.
            const opened = group;
            heading.addEventListener("click", () => setTimeout(() => opened.open && opened.scrollIntoView({ block: "nearest" })));
            folder.append(group);
        }
        return control(row, group, words, all);
    });
}

function control(row, group, words, all) {
    const id = `set-${row.key}`, line = made("div", { className: "slider" });
    const name = made("label", { htmlFor: id, textContent: row.label, title: row.help });
    const input = made(row.options ? "select" : "input", { id }), output = made("output");
    Object.entries(row.options ?? {}).forEach(([value, shown]) => input.add(new Option(shown, value)));
    // Steps count from the least value: from a whole number of steps, so that round numbers can be had.
    const low = Number((Math.ceil(row.low / row.step) * row.step).toFixed(6));
    if (!row.options) Object.assign(input, { type: "range", min: low, max: row.high, step: row.step });
    const unit = (row.unit ?? "").length > LONGEST_UNIT ? "" : row.unit ?? "";
    const tell = () => {
        const given = all.value(row.key), number = given ?? row.default;
        // A value that is none of the usual ones, as of a list that was typed.
        if (row.options && given !== undefined && !(given in row.options)) input.add(new Option(given, given));
        input.value = number ?? (row.low + row.high) / 2;
        output.textContent = number === null ? words.automatic : `${Math.round(number * DIGITS) / DIGITS}${unit}`;
        if (!row.options) input.setAttribute("aria-valuetext", output.textContent);
        line.classList.toggle("unset", given === undefined);
    };
    const set = (value) => {
        all.set(row.key, value === undefined || String(value) === String(row.default) ? undefined : String(value));
        tell();
    };
    input.addEventListener("input", () => {
        input.focus({ preventScroll: true }); // its help is shown then; a finger alone gives sliders no focus
        set(input.value);
    });
    // A finger that scrolls has changed nothing.
    let before;
    input.addEventListener("pointerdown", () => (before = all.value(row.key)));
    input.addEventListener("pointercancel", () => set(before));
    input.addEventListener("dblclick", () => set(undefined));
    const help = made("small", { id: `${id}-help`, textContent: row.help });
    input.setAttribute("aria-describedby", help.id);
    line.append(name, input, ...(row.options ? [] : [output]), help);
    group.append(line);
    return { key: row.key, set, tell };
}
