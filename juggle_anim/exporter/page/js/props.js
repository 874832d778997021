// Props: positions at a time, and the shapes they are drawn as.

const timelines = new Map(given.timelines.map((timeline) => {
    const table = new Table(timeline.table), steady = table.rows - timeline.contacts.length;
    const times = Array.from({ length: steady }, (_, row) => (row * timeline.period) / (steady - 1));
    return [timeline.number, { ...timeline, table, times: [...times, ...timeline.contacts].sort((one, other) => one - other) }];
}));

// The centre of each prop, [m], and its axis; of balls yaw and pitch, [rad].
function propsAt(time) {
    return given.props.map(({ timeline, lead, kind }) => {
        const { table, times, period, over } = timelines.get(timeline);
        const rounds = (time + lead) / period, row = table.between(times, share(rounds) * period);
        const sign = over && Math.floor(rounds) % 2 !== 0 ? -1 : 1;
        if (kind === "ball") return { centre: row.slice(0, 3), axis: row.slice(3) };
        return { centre: row.slice(0, 3), axis: scaled(unit(row.length > 3 ? row.slice(3) : [0, 0, 1]), sign) };
    });
}

// What a kind of prop is drawn as.
const shapeOf = (kind) => ({ club: "club", ring: "ring", square: "box" })[kind] ?? "sphere";

// Rows of each kind of shape for props.
function propRows(props) {
    const rows = { capsule: [], club: [], limb: [], veil: [], sphere: [], ring: [], box: [] };
    props.forEach(({ centre, axis }, number) => {
        const { kind, look } = given.props[number], shape = shapeOf(kind);
        if (shape === "club") rows.club.push(...look.map((part) => clubPart(centre, axis, part)));
        else if (shape === "ring") rows.ring.push([...centre, look[0], ...axis, ...look.slice(1)]);
        else if (shape === "box") rows.box.push([...centre, ...look]);
        else rows.sphere.push([...centre, ...look.slice(0, 5), ...axis, look[5], 0]);
    });
    return rows;
}

const clubPart = (centre, axis, [begins, ends, radius, other, ...paint]) =>
    [...sum(centre, 1, axis, begins), radius, ...sum(centre, 1, axis, ends), other, ...paint];
