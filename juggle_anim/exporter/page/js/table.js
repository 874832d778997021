// Tables of numbers that `page_data.py` packed.

// Bytes from base64.
function bytesOf(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let place = 0; place < bytes.length; place++) bytes[place] = letters.charCodeAt(place);
    return bytes;
}

class Table {
    constructor({ rows, low, step, data }) {
        const bytes = bytesOf(data);
        let place = 0;
        this.rows = rows;
        this.columns = low.map((lowest, column) => {
            if (step[column] === 0) return new Float64Array(rows).fill(lowest);
            const numbers = new Float64Array(rows);
            for (let row = 0; row < rows; row++, place += 2) {
                numbers[row] = lowest + step[column] * (bytes[place] + 256 * bytes[place + 1]);
            }
            return numbers;
        });
    }

    // The row at a fractional index of a periodic table, by Catmull-Rom interpolation.
    around(place) {
        const { rows } = this, row = Math.floor(place), u = place - row;
        const [before, here, next, after] = [row - 1, row, row + 1, row + 2].map((each) => ((each % rows) + rows) % rows);
        const a = u * (-0.5 + u * (1 - 0.5 * u)), b = 1 + u * u * (-2.5 + 1.5 * u);
        const c = u * (0.5 + u * (2 - 1.5 * u)), d = u * u * (-0.5 + 0.5 * u);
        return this.columns.map((n) => a * n[before] + b * n[here] + c * n[next] + d * n[after]);
    }

    // The row at a time, by linear interpolation; `times` are those of the rows and ascend.
    between(times, time) {
        let row = 0, after = this.rows - 1;
        while (after - row > 1) {
            const middle = (row + after) >> 1;
            if (times[middle] <= time) row = middle; else after = middle;
        }
        const u = (time - times[row]) / (times[after] - times[row]);
        return this.columns.map((n) => n[row] + u * (n[after] - n[row]));
    }
}
