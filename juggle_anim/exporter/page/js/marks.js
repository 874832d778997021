// Marks of props that fly above the picture: juggle_anim/render/marks.py.

const MOST_ROWS = 3;

class Marks {
    constructor(canvas) {
        this.canvas = canvas;
        this.marks = given.props.map(({ colour }) => {
            const mark = document.createElement("span");
            mark.className = "mark";
            mark.style.setProperty("--prop", `rgb(${colour.map((part) => 255 * part)})`);
            canvas.after(mark);
            return mark;
        });
    }

    close() {
        this.marks.forEach((mark) => mark.remove());
    }

    // Mark props at a time for a frame that is set to the camera.
    show(time, props, { values: [projection, , , up], view: { elements: view } }) {
        const { clientWidth, offsetLeft, offsetTop } = this.canvas, rows = Array.from({ length: MOST_ROWS }, () => []), seen = [];
        props.forEach(({ centre: [x, y, z] }, number) => {
            const place = (row) => view[row] * x + view[4 + row] * y + view[8 + row] * z + view[12 + row];
            const away = up.w || -place(2), across = (projection.x * place(0)) / away;
            const above = away > 0 && projection.y * (place(1) - given.props[number].reach) > away && Math.abs(across) < 1;
            this.marks[number].hidden = !above;
            if (above) seen.push([until(number, time), (clientWidth * (1 + across)) / 2, this.marks[number]]);
        });
        // Those that overlap go below, and those that come back last have none where rows are full.
        for (const [seconds, middle, mark] of seen.sort(([one], [other]) => one - other)) {
            mark.textContent = `${seconds.toFixed(1)} s`;
            const { offsetWidth, offsetHeight } = mark, left = bounded(middle - offsetHeight / 3, 0, clientWidth - offsetWidth);
            const row = rows.findIndex((taken) => taken.every(([start, end]) => left >= end || left + offsetWidth <= start));
            mark.hidden = row < 0;
            rows[row]?.push([left, left + offsetWidth]);
            mark.style.left = `${offsetLeft + left}px`;
            mark.style.top = `${offsetTop + row * offsetHeight}px`;
        }
    }
}

// How long after a time a prop in flight is caught, [s].
function until(number, time) {
    const { timeline, lead } = given.props[number], { contacts, period } = timelines.get(timeline);
    const now = share((time + lead) / period) * period, next = contacts.find((contact) => contact > now);
    return (next ?? period + contacts[0]) - now;
}
