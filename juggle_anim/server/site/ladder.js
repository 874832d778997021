// The ladder of what plays: a tap goes to that time, and a line goes along. A throw is dragged to another landing, or has a menu.

import { ask } from "./ask.js";
import { element, made, written } from "./settings.js";

const MOVED = 8; // a finger that has moved less has tapped, [px]
const LARGEST = 1.15; // scale of a diagram of few parts, whose letters are not larger then
const REACH = 60; // how near to a landing a throw is let go, [px]

const put = ({ style }, { x, y }) => Object.assign(style, { left: `${100 * x}%`, top: `${100 * y}%` });

// Show the ladder; `now` are the settings of what plays, `open` takes others, `go` a time, `tell` what is said.
export function ladderOf(words, { now, open, go, tell }) {
    const diagram = element("diagram"), menu = element("menu");
    let drawn = "", rows = [], held = null;

    const told = (path, more = "") => ask(path, written(now()) + more);
    const change = (settings) => {
        const { camera } = now();
        open(camera ? { ...settings, camera } : settings);
    };

    async function draw() {
        const query = written(now());
        const kind = element("kind").value, shown = `${kind} ${query}`;
        if (element("ladder").hidden || shown === drawn) return;
        drawn = shown;
        diagram.dataset.waiting = words.loading; // shown until there is a first picture
        try {
            const answer = await told(kind);
            if (shown !== drawn) return;
            rows = answer.rows ?? [];
            const picture = new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement;
            picture.setAttribute("aria-hidden", "true");
            picture.style.width = `min(100%, ${LARGEST * parseFloat(picture.getAttribute("width"))}mm)`;
            const focused = diagram.contains(document.activeElement) && document.activeElement.dataset.number;
            diagram.querySelectorAll("svg, button").forEach((one) => one.remove());
            diagram.append(picture, ...(answer.throws ?? []).filter(({ number }) => number !== undefined).map(handle));
            const buttons = [...diagram.querySelectorAll("button")];
            const first = buttons.find((one) => one.dataset.number === focused) ?? buttons[0];
            if (first) first.tabIndex = 0;
            if (focused) first?.focus();
            for (const id of ["edit-hint", "whole"]) element(id).hidden = !buttons.length;
            element("state-colours").hidden = kind !== "states";
        } catch (error) {
            tell(error.message, true);
        }
    }

    // A throw, which is dragged, or walked to and moved by keys.
    function handle(row) {
        const button = made("button", { type: "button", tabIndex: -1, ariaLabel: row.words, title: row.words });
        button.dataset.number = row.number;
        put(button, row);
        button.addEventListener("pointerdown", (event) => {
            held = { row, button, x: event.clientX, y: event.clientY, landings: [] };
            button.setPointerCapture(event.pointerId);
        });
        button.addEventListener("pointermove", drag);
        button.addEventListener("pointerup", () => release(true));
        button.addEventListener("pointercancel", () => release(false));
        button.addEventListener("click", () => {
            if (!button.dataset.dragged) openMenu(row);
            delete button.dataset.dragged;
        });
        button.addEventListener("keydown", (event) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (event.key === "Escape") release(false);
            if (!by) return;
            event.preventDefault();
            event.stopPropagation();
            if (event.shiftKey) land(row, by);
            else walk(button, by);
        });
        return button;
    }

    function walk(button, by) {
        const buttons = [...diagram.querySelectorAll("button")];
        const next = buttons.at((buttons.indexOf(button) + by) % buttons.length);
        button.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
    }

    const landingsOf = async ({ number }) => (await told("landings", `;throw=${number}`)).landings;

    // Let a throw land one place earlier or later.
    async function land(row, by) {
        try {
            const landings = await landingsOf(row), next = landings[landings.findIndex(({ present }) => present) + by];
            if (next) change(next.settings);
        } catch (error) {
            tell(error.message, true);
        }
    }

    function drag({ clientX, clientY }) {
        if (!held) return;
        held.at = [clientX, clientY];
        if (!held.asked && Math.hypot(clientX - held.x, clientY - held.y) < MOVED) return;
        held.asked ??= offer(held);
        aim(held);
    }

    // Show where a throw may land.
    async function offer(mine) {
        mine.button.dataset.dragged = true;
        try {
            mine.landings = await landingsOf(mine.row);
        } catch (error) {
            return tell(error.message, true);
        }
        if (held === mine) {
            diagram.append(...mine.landings.map((landing) => {
                const ring = made("i", { className: landing.present ? "ring present" : "ring" });
                put(ring, landing);
                return ring;
            }));
        }
        aim(mine);
    }

    // The landing that the finger is nearest to; a line leads there.
    function aim(mine) {
        const { left, top, width, height } = diagram.getBoundingClientRect();
        const far = ({ x, y }) => Math.hypot(left + x * width - mine.at[0], top + y * height - mine.at[1]);
        const [nearest] = [...mine.landings].sort((one, other) => far(one) - far(other));
        const chosen = nearest && far(nearest) < REACH ? nearest : null;
        [...diagram.querySelectorAll(".ring")].forEach((ring, number) => {
            ring.classList.toggle("chosen", mine.landings[number] === chosen);
        });
        element("aim").hidden = false;
        const end = chosen ? [chosen.x * width, chosen.y * height] : [mine.at[0] - left, mine.at[1] - top];
        const start = [mine.row.x * width, mine.row.y * height], [x, y] = [end[0] - start[0], end[1] - start[1]];
        Object.assign(element("aim").style, {
            left: `${start[0]}px`, top: `${start[1]}px`, width: `${Math.hypot(x, y)}px`, rotate: `${Math.atan2(y, x)}rad`,
        });
        // What it becomes stands by the finger, too.
        const label = element("landing");
        Object.assign(label, { hidden: !chosen, textContent: chosen?.text ?? "" });
        Object.assign(label.style, { left: `clamp(0px, ${mine.at[0] - left - label.offsetWidth / 2}px, ${width - label.offsetWidth}px)`, top: `${mine.at[1] - top}px` });
        if (chosen && chosen !== mine.chosen) tell(chosen.text);
        mine.chosen = chosen;
    }

    async function release(kept) {
        const mine = held;
        held = null;
        if (kept) await mine?.asked; // a quick finger is up before the answer is there
        diagram.querySelectorAll(".ring").forEach((ring) => ring.remove());
        element("aim").hidden = element("landing").hidden = true;
        if (kept && mine?.chosen && !mine.chosen.present) change(mine.chosen.settings);
    }

    // What can be done with a throw, or with the whole pattern; a line may lead to others.
    async function openMenu(row, line) {
        const chosen = (row ? `;throw=${row.number}` : "") + (line === undefined ? "" : `;line=${line}`);
        try {
            const { title, lines } = await told("menu", chosen);
            const landings = row && line === undefined ? await landingsOf(row) : [];
            element("menu-title").textContent = title;
            element("landings").hidden = !landings.length;
            element("landings").replaceChildren(element("landings-label"), ...landings.map(({ text, settings, present }) => {
                const button = made("button", { type: "button", textContent: text, ariaPressed: String(present) });
                button.addEventListener("click", () => take(settings));
                return button;
            }));
            element("lines-of-menu").replaceChildren(...lines.map((one) => menuLine(row, one)));
            if (!menu.open) menu.showModal();
        } catch (error) {
            tell(error.message, true);
        }
    }

    function menuLine(row, { words, result, settings, refused, line }) {
        const item = made("li"), button = made("button", { type: "button" });
        button.append(made("b", { textContent: words }), made("small", { textContent: refused || result || (settings ? "" : "→") }));
        button.ariaDisabled = String(!settings && line === undefined);
        button.addEventListener("click", () => {
            if (settings) take(settings);
            else if (line !== undefined) openMenu(row, line);
        });
        item.append(button);
        return item;
    }

    function take(settings) {
        menu.close();
        change(settings);
    }

    function showNow(playing) {
        const span = rows.at(-1)?.end, time = playing - Math.floor(playing / span) * span;
        const row = rows.find(({ start, end }) => time >= start && time < end);
        element("now").hidden = !row;
        if (!row) return;
        const { style } = element("now"), share = (time - row.start) / (row.end - row.start);
        style.left = `${100 * (row.left + share * row.length)}%`;
        style.top = `${100 * row.top}%`;
        style.height = `${100 * row.depth}%`;
    }

    diagram.addEventListener("click", (event) => {
        if (event.target.closest("button")) return;
        const { left, top, width, height } = diagram.getBoundingClientRect();
        const x = (event.clientX - left) / width, y = (event.clientY - top) / height;
        const row = rows.find((one) => y >= one.top && y <= one.top + one.depth);
        if (!row) return;
        const share = Math.max(0, Math.min(1, (x - row.left) / row.length));
        go(row.start + share * (row.end - row.start));
    });
    element("kind").addEventListener("change", draw);
    // Say where props collide, and go there.
    element("collisions").addEventListener("click", async ({ currentTarget: button }) => {
        button.disabled = true;
        try {
            const { words, time } = await told("collisions");
            tell(words);
            if (time !== null) go(time);
        } catch (error) {
            tell(error.message, true);
        }
        button.disabled = false;
    });
    element("whole").addEventListener("click", () => openMenu(null));
    element("close-menu").addEventListener("click", () => menu.close());
    menu.addEventListener("click", ({ target }) => target === menu && menu.close()); // beside it
    return { draw, showNow };
}
