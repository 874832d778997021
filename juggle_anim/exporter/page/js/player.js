// The player: a clock that draws each frame.

const LONGEST_FRAME = 0.1; // after a pause of the whole page its time does not jump, [s]
const ANSWERING = 2; // frames before the first picture, in which the page does what has been typed meanwhile
const FEWER = 3; // of so many pictures one is drawn while another animation is awaited, which has the time of the others
const STARTING = 24; // pictures during which the browser still builds programs, which tells nothing of its pace
const GOING_OVER = 0.35; // from a draft of the bodies to their plan, [s]
const DARKEST_DAY = 0.5; // a backdrop that is darker has the title in light letters

const player = {
    time: given.start,
    speed: given.speed,
    wings: [...given.wings],
    paused: matchMedia("(prefers-reduced-motion: reduce)").matches,
    loop: given.loop,
    cycle: given.cycle, // [s], in which props return; in pages that change it
    frames: 0,
    awaits: false, // whether another animation is to follow at once
    levels,
    people: given.shown.length,

    // All joints of each juggler at a time [s], for chicken wings of left and right [°].
    joints: (time = player.time, wings = player.wings) => jointsAt(time, wings.map(radians)),

    // Centres of all props at a time.
    props: (time = player.time) => propsAt(time).map(({ centre }) => centre),

    // Take the plan of bodies that were a draft.
    plan: goOver,

    // Draw the current frame.
    draw() {
        const props = propsAt(player.time), rows = propRows(props);
        const joints = player.joints();
        const people = given.shown.map((juggler) => joints[juggler]);
        rows.capsule.push(...given.stands);
        rows[LIMB].push(...limbRows(people));
        player.view.aim();
        player.stage.draw(rows, given.skin ? people : [], player.view.camera, player.view.target);
        player.marks.show(player.time, props, player.stage.frame);
        player.frames += 1;
    },
};

const sizeOf = ({ clientWidth, clientHeight }) => `${clientWidth} × ${clientHeight}`;

// Bodies go so much of the way from a draft to their plan, and the camera with them unless a hand has moved it.
function goOn(canvas, more) {
    gone = Math.min(1, gone + more);
    if (gone === 1) draft = null;
    if (!player.view.held && canvas.clientHeight > 0) player.view.release();
}

// Plays on a canvas until it is closed.
function play(canvas) {
    const [backdrop] = given.stage.colours;
    document.body.classList.toggle("dark", Math.max(...backdrop) < DARKEST_DAY);
    player.stage = new Stage(canvas, before?.stage.renderer);
    before?.stage.close(); // only now, as programs that both use would be built again
    player.view = new View(canvas);
    player.marks = new Marks(canvas);
    // As many people are drawn as finely as those before.
    const pace = (player.pace = before?.people <= player.people ? before.pace : new Pace());
    let size = "";
    const fit = () => {
        size = sizeOf(canvas);
        if (player.stage.resize(canvas, pace.share)) player.view.reshape(canvas.clientWidth / canvas.clientHeight);
    };
    const afresh = () => {
        pace.reset();
        fit();
    };
    // Draw all pixels of the screen again.
    player.sharpen = () => pace.share < 1 && afresh();
    const resizing = new ResizeObserver(() => sizeOf(canvas) === size || afresh());
    resizing.observe(canvas);
    fit();
    let last = performance.now(), answering = before ? 0 : ANSWERING, missed = 0;
    before = null; // it is kept no longer
    player.stage.renderer.setAnimationLoop((now) => {
        if (!player.frames && (answering-- > 0 || !player.stage.isReady())) {
            last = now;
            return;
        }
        if (player.awaits && missed++ % FEWER) return;
        const seconds = bounded((now - last) / 1000, 0, LONGEST_FRAME);
        if (draft) goOn(canvas, player.paused ? 1 : seconds / GOING_OVER);
        if (!player.paused) {
            player.time += player.speed * seconds;
            if (player.frames > STARTING && !player.awaits && pace.note(now - last)) fit();
        } else {
            player.sharpen();
        }
        last = now;
        if (canvas.clientHeight > 0) player.draw();
    });
    // Let another player have the canvas; it frees the stage once it has taken over the renderer.
    player.close = () => {
        resizing.disconnect();
        player.view.orbit.dispose();
        player.marks.close();
    };
    return player;
}
