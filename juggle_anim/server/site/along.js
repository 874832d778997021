// Juggling along: a mirror that fills the screen, a count-in, slow gravity, a click on each beat, and the throws that come.

import { element } from "./settings.js";

const COUNTED = 4; // beats before the first throw
const AHEAD = 0.3; // clicks are told to the sound card so long before, [s]
const TICK = 40; // how often that is done, [ms]
const SHOWN = 2; // how early a throw is shown, [s]
const HIGH = 1760, LOW = 880, CLICK = 0.04; // clicks on the first beat and on others, [Hz], and how long they are, [s]
const LINE = 0.82; // where throws are made in the picture, of its height
const APART = 0.38, NEAR = 0.45; // the hands' columns are so far from its middle, of its width, and at most of its height
const DISC = 22, OF_HEIGHT = 1 / 18; // radius of a throw that comes, [px], and at most of the height of the picture

// `playing` is the player and what is told of its pattern: its tempo [beats/s], its period [beats] and its throws.
export function alongOf(playing) {
    let state = null; // while one juggles along: sound, the number of the last click, and when the count ends
    let lock = null; // keeps the screen on

    // The same paths under other gravity take 1 / √gravity as long.
    const slowed = () => Math.sqrt(Number(element("along-gravity").value) / 100);

    function turn() {
        const { player } = playing();
        player.speed = slowed();
        element("along-gravity-told").textContent = `${element("along-gravity").value}%`;
        element("along-gravity").setAttribute("aria-valuetext", element("along-gravity-told").textContent);
    }

    function mirror() {
        element("stage").classList.toggle("mirrored", Boolean(state) && element("along-mirror").checked);
    }

    // All are seen, from the front, as one sees oneself.
    function face({ view }) {
        view.azimuth = 0;
        view.release();
    }

    function begin() {
        const { player } = playing();
        if (!player || state) return;
        state = { sound: new AudioContext(), clicked: 0, timer: setInterval(tick, TICK) };
        document.body.classList.add("along");
        element("along-bar").hidden = false;
        document.documentElement.requestFullscreen?.().catch(() => {});
        navigator.wakeLock?.request("screen").then((one) => (lock = one), () => {});
        face(player);
        mirror();
        count();
        draw();
    }

    function end() {
        if (!state) return;
        const { player } = playing();
        clearInterval(state.timer);
        state.sound.close();
        state = null;
        lock?.release();
        lock = null;
        document.body.classList.remove("along");
        element("along-bar").hidden = true;
        element("count").hidden = true;
        if (document.fullscreenElement) document.exitFullscreen();
        mirror();
        player.view.azimuth = undefined;
        player.view.release();
        playing().restore();
        element("along").focus();
    }

    // Count while the pattern goes on, and then begin with its first throw.
    function count() {
        const { player, tempo, show } = playing();
        turn();
        player.paused = false;
        player.time = -COUNTED / tempo;
        state.clicked = -COUNTED - 1;
        show();
    }

    // The beat that it is, those of the count below 0.
    function beat() {
        const { player, tempo } = playing();
        return player.time * tempo;
    }

    function tick() {
        const { player, tempo, period } = playing(), now = beat();
        element("count").hidden = now >= 0;
        element("count").textContent = Math.min(COUNTED, Math.max(1, Math.ceil(-now)));
        if (player.paused) return;
        const wait = (number) => (number - now) / (tempo * player.speed);
        for (let next = Math.max(Math.ceil(now), state.clicked + 1); wait(next) < AHEAD; next++) {
            state.clicked = next;
            if (element("along-clicks").checked) click(wait(next), next % (period ?? COUNTED) === 0);
        }
    }

    function click(wait, first) {
        const { sound } = state, tone = sound.createOscillator(), volume = sound.createGain(), start = sound.currentTime + wait;
        tone.frequency.value = first ? HIGH : LOW;
        volume.gain.setValueAtTime(0.4, start);
        volume.gain.exponentialRampToValueAtTime(0.001, start + CLICK);
        tone.connect(volume).connect(sound.destination);
        tone.start(start);
        tone.stop(start + CLICK);
    }

    // Throws that come fall beside the picture, on the side of their hand, to the line where they are made.
    function draw() {
        if (!state) return;
        requestAnimationFrame(draw);
        const canvas = element("cues"), { clientWidth: width, clientHeight: height } = canvas, ratio = devicePixelRatio;
        if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
        if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
        const pen = canvas.getContext("2d"), { player, tempo, throws, span } = playing();
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        pen.clearRect(0, 0, width, height);
        if (!span) return;
        const disc = Math.min(DISC, OF_HEIGHT * height);
        const { accent, "on-accent": paper } = colours(), time = beat() / tempo, mirrored = element("along-mirror").checked;
        const apart = Math.min(APART * width, NEAR * height);
        const place = (hand) => width / 2 + ((hand === 0) === mirrored ? -apart : apart);
        pen.strokeStyle = accent;
        pen.lineWidth = 3;
        for (const hand of [0, 1]) {
            pen.beginPath();
            pen.arc(place(hand), LINE * height, disc + 4, 0, 2 * Math.PI);
            pen.stroke();
        }
        pen.font = `600 ${Math.round(0.9 * disc)}px system-ui, sans-serif`;
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        for (const one of throws) {
            if (one.hand > 1) continue; // of the first juggler
            for (let at = one.time + Math.floor(time / span) * span; at < time + SHOWN; at += span) {
                const far = (at - time) / SHOWN;
                if (far < -0.05 || at < 0) continue;
                const x = place(one.hand), y = LINE * height * (1 - far);
                pen.globalAlpha = far < 0 ? 0.4 : 1;
                pen.fillStyle = accent;
                pen.beginPath();
                pen.arc(x, y, disc, 0, 2 * Math.PI);
                pen.fill();
                pen.fillStyle = paper;
                pen.fillText(one.text, x, y + 1);
            }
        }
        pen.globalAlpha = 1;
    }

    function colours() {
        const style = getComputedStyle(document.body);
        return Object.fromEntries(["accent", "on-accent"].map((name) => [name, style.getPropertyValue(`--${name}`)]));
    }

    element("along").addEventListener("click", begin);
    element("leave-along").addEventListener("click", end);
    element("count-again").addEventListener("click", count);
    element("along-gravity").addEventListener("input", turn);
    element("along-mirror").addEventListener("change", mirror);
    document.addEventListener("fullscreenchange", () => document.fullscreenElement || end());
    addEventListener("keydown", (event) => {
        if (event.key === "Escape") end();
    });
    // Another pattern, or another player of it, begins with a count.
    return { changed: () => state && (face(playing().player), count()), isOn: () => Boolean(state) };
}
