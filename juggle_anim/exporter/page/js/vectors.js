// Vectors are arrays of three numbers; no function changes its arguments.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, size) => [a[0] * size, a[1] * size, a[2] * size];
const size = (a) => Math.sqrt(dot(a, a));

// A linear combination: sum(a, 2, b, -1) is 2a − b.
function sum(...terms) {
    const total = [0, 0, 0];
    for (let i = 0; i < terms.length; i += 2) {
        for (let k = 0; k < 3; k++) total[k] += terms[i][k] * terms[i + 1];
    }
    return total;
}

// A sum of joints by number and weight; a number beyond them stands for the direction up.
function weighted(weights, joints) {
    const total = [0, 0, 0];
    for (const [number, weight] of weights) {
        const joint = joints[number];
        if (joint) for (let k = 0; k < 3; k++) total[k] += weight * joint[k];
        else total[1] += weight;
    }
    return total;
}

// The unit vector; 0 for a zero vector.
const unit = (a) => scaled(a, 1 / Math.sqrt(Math.max(dot(a, a), 1e-300)));

// A vector rotated about a unit axis, by Rodrigues' formula.
function turnedAbout(axis, angle, a) {
    const cosine = Math.cos(angle);
    return sum(a, cosine, cross(axis, a), Math.sin(angle), axis, dot(axis, a) * (1 - cosine));
}

const bounded = (value, low, high) => Math.min(Math.max(value, low), high);
const step = (share) => share * share * (3 - 2 * share);
const smooth = (value) => step(bounded(value, 0, 1));
// A smooth step with continuous curvature.
function quintic(value) {
    const share = bounded(value, 0, 1);
    return share ** 3 * (10 + share * (6 * share - 15));
}

const radians = (degrees) => (degrees * Math.PI) / 180;
