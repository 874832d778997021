// Tables of numbers that `page_data.py` packed.

// Bytes from base64.
function bytesOf(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let place = 0; place < bytes.length; place++) bytes[place] = letters.charCodeAt(place);
    return bytes;
}

// Columns of numbers, each `low` + `step` · a whole number of 16 bits; those that do not change have no such numbers. Weights
// of rows add up to 1, so they are taken of these whole numbers.
class Table {
    constructor({ rows, low, step, data }) {
        let end = 0;
        Object.assign(this, { rows, low, step });
        this.numbers = new Uint16Array(bytesOf(data).buffer);
        this.starts = step.map((one) => (one === 0 ? 0 : (end += rows) - rows)); // of the columns
    }

    // The row at a fractional index of a periodic table, by Catmull-Rom interpolation.
    around(place) {
        const { rows, low, step, numbers: n } = this, row = Math.floor(place), u = place - row;
        const [before, here, next, after] = [row - 1, row, row + 1, row + 2].map((each) => ((each % rows) + rows) % rows);
        const a = u * (-0.5 + u * (1 - 0.5 * u)), b = 1 + u * u * (-2.5 + 1.5 * u);
        const c = u * (0.5 + u * (2 - 1.5 * u)), d = u * u * (-0.5 + 0.5 * u);
        return this.starts.map((start, column) => step[column] === 0 ? low[column] : low[column] + step[column] * (a * n[start + before] + b * n[start + here] + c * n[start + next] + d * n[start + after]));
    }

    // The row at a time, by linear interpolation; `times` are those of the rows and ascend.
    between(times, time) {
        const { low, step, numbers: n } = this;
        let row = 0, after = this.rows - 1;
        while (after - row > 1) {
            const middle = (row + after) >> 1;
            if (times[middle] <= time) row = middle; else after = middle;
        }
        const u = (time - times[row]) / (times[after] - times[row]);
        return this.starts.map((start, column) => step[column] === 0 ? low[column] : low[column] + step[column] * (n[start + row] + u * (n[start + after] - n[start + row])));
    }
}
