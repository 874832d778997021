// The widget's side in the browser: a player, and sliders that follow Python and that Python follows.

const SETTLED = 120; // a slider that is dragged asks once it has rested for so long, [ms]
const LOOKS = 250; // how often the player's own controls are looked at, [ms]
const READY = 30; // how often a player that is coming is looked at, [ms]
const LONGEST_UNIT = 7; // letters
const TURNED = ["left_wing", "right_wing", "speed"];

function make(kind, into, given = {}) {
    const made = Object.assign(document.createElement(kind), given);
    into.append(made);
    return made;
}

// What the player's own sliders turn.
const turned = (player) => ({ left_wing: player.wings[0], right_wing: player.wings[1], speed: player.speed });

// Show the page of the model; the player before stays until the next one has drawn, which begins where that was.
function play(stage, page) {
    stage.querySelectorAll(".coming").forEach((each) => each.remove());
    const frame = make("iframe", stage, { className: "coming", title: "The animation", srcdoc: page });
    const look = () => {
        if (!frame.isConnected) return;
        const player = frame.contentWindow?.player, before = stage.querySelector("iframe:not(.coming)");
        if (!(player?.frames > 0)) return void setTimeout(look, READY);
        const old = before?.contentWindow?.player;
        if (old) {
            Object.assign(player, { time: old.time, paused: old.paused });
            if (old.view.held) {
                player.view.held = true;
                player.view.camera.position.copy(old.view.camera.position);
                player.view.orbit.target.copy(old.view.orbit.target);
            }
        }
        before?.remove();
        frame.classList.remove("coming");
        stage.known = turned(player);
    };
    look();
}

function slider(row, model, into) {
    const line = make("label", into, { title: row.help });
    make("span", line, { textContent: row.label });
    const input = make("input", line, { type: "range", min: row.low, max: row.high, step: row.step });
    const output = make("output", line), unit = row.unit.length > LONGEST_UNIT ? "" : row.unit;
    const tell = () => {
        const value = model.get(row.name) ?? row.usual;
        if (value !== null) input.value = value;
        output.textContent = `${Number(Number(value ?? 0).toFixed(2))} ${unit}`.trim();
    };
    let timer = 0;
    const set = (value) => {
        model.set(row.name, value);
        tell();
        clearTimeout(timer);
        timer = setTimeout(() => model.save_changes(), SETTLED);
    };
    input.addEventListener("input", () => set(Number(input.value)));
    model.on(`change:${row.name}`, tell);
    tell();
}

// Let the model follow the player's own sliders, and these the model.
function follow(stage, model) {
    const current = () => stage.querySelector("iframe:not(.coming)")?.contentWindow?.player;
    const timer = setInterval(() => {
        const player = current();
        if (!player) return;
        const now = turned(player), changed = TURNED.filter((name) => now[name] !== stage.known[name]);
        for (const name of changed) model.set(name, now[name]);
        if (changed.length) model.save_changes();
        stage.known = now;
    }, LOOKS);
    for (const [number, name] of TURNED.entries()) {
        model.on(`change:${name}`, () => {
            const player = current(), value = model.get(name);
            if (!player || value === null || turned(player)[name] === value) return;
            if (name === "speed") player.speed = value;
            else player.wings[number] = value;
            stage.known = turned(player);
        });
    }
    return () => clearInterval(timer);
}

function render({ model, el }) {
    const whole = make("div", el, { className: "juggle-anim" });
    const stage = make("div", whole, { className: "stage" }), sliders = make("div", whole, { className: "sliders" });
    model.get("rows").forEach((row) => slider(row, model, sliders));
    const error = make("div", sliders, { className: "error" });
    model.on("change:error", () => (error.textContent = model.get("error")));
    model.on("change:page", () => play(stage, model.get("page")));
    play(stage, model.get("page"));
    return follow(stage, model);
}

export default { render };
