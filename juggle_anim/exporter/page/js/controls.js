// Buttons, sliders and keys.

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3];
const STEP = 1 / 60; // how far one step goes, [s]
const FINE = 0.1; // share of a step that a fine turn makes
const DIGITS = 6;
const TURNS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 };

const element = (id) => document.getElementById(id);

// Connects the controls of the page to the player.
function connect(player) {
    const wings = wingSliders(player), speed = speedSlider(player);
    const show = () => {
        const words = player.paused ? given.words.play : given.words.pause;
        element("play").setAttribute("aria-label", words);
        element("play").title = `${words} (${given.words.space})`;
        element("play").dataset.paused = player.paused;
    };
    const toggle = () => {
        player.paused = !player.paused;
        show();
    };
    element("play").addEventListener("click", toggle);
    element("camera").addEventListener("click", () => player.view.release());
    const move = (frames) => {
        player.time += frames * STEP;
        player.paused = true;
        show();
    };
    const keys = {
        " ": toggle, ArrowLeft: (fine) => wings(-1, fine), ArrowRight: (fine) => wings(1, fine),
        ArrowUp: () => speed(1), ArrowDown: () => speed(-1), ",": () => move(-1), ".": () => move(1),
        f: () => player.view.release(),
    };
    window.addEventListener("keydown", (event) => {
        const taken = event.ctrlKey || event.altKey || event.metaKey || ownKeys(event.target).includes(event.key);
        const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (taken || !act) return;
        event.preventDefault();
        act(event.shiftKey);
    });
    show();
}

// Keys that a focused control handles itself.
function ownKeys(target) {
    if (target instanceof HTMLInputElement) return Object.keys(TURNS);
    return target instanceof HTMLButtonElement ? [" ", "Enter"] : [];
}

// One slider for the chicken wing, or two if left and right differ; returns a function that steps them.
function wingSliders(player) {
    const [both, left, right] = given.wingSliders;
    const parts = given.wings[0] === given.wings[1] ? [[both, [0, 1]]] : [[left, [0]], [right, [1]]];
    const turns = parts.map(([{ label, low, high, step: by }, sides]) => {
        const value = given.wings[sides[0]], range = [Math.min(low, value), Math.max(high, value)];
        return slider(label, range, [by, by * FINE], value, (angle) => {
            for (const side of sides) player.wings[side] = angle;
            return `${angle}°`;
        });
    });
    return (steps, fine) => turns.forEach((turn) => turn(steps, fine));
}

function speedSlider(player) {
    const speeds = [...new Set([...SPEEDS, given.speed])].sort((one, other) => one - other);
    return slider(given.words.speed, [0, speeds.length - 1], [1, 1], speeds.indexOf(given.speed), (number) => {
        player.speed = speeds[number];
        return `${speeds[number]}×`;
    });
}

// A labelled slider; returns a function that changes it by coarse or fine steps.
// `take` receives each value and returns its text.
function slider(name, [low, high], [coarse, fine], value, take) {
    const row = element("slider").content.firstElementChild.cloneNode(true);
    const [label, input, output] = ["label", "input", "output"].map((part) => row.querySelector(part));
    input.id = `slider-${element("sliders").childElementCount}`;
    label.htmlFor = input.id;
    label.textContent = name;
    Object.assign(input, { min: low, max: high, step: "any" });
    const set = (to) => {
        input.value = Number(bounded(to, low, high).toFixed(DIGITS));
        output.textContent = take(Number(input.value));
        input.setAttribute("aria-valuetext", output.textContent);
        row.style.setProperty("--share", (input.value - low) / (high - low));
    };
    const turn = (steps, finely) => set(Number(input.value) + steps * (finely ? fine : coarse));
    input.addEventListener("input", () => set(Math.round(input.value)));
    // A double click resets the value.
    input.addEventListener("dblclick", () => set(value));
    input.addEventListener("keydown", (event) => {
        if (!(event.key in TURNS)) return;
        event.preventDefault();
        turn(TURNS[event.key], event.shiftKey);
    });
    element("sliders").append(row);
    set(value);
    return turn;
}
