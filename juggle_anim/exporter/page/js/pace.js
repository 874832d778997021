// How finely pictures are drawn while they move: as the screen is, or more coarsely where that would be too slow.

const SLOWEST = 1000 / 29; // from one picture to the next, [ms]
const COARSEST_SHARE = 0.5; // of the screen's pixels, along each edge
const COARSER = 0.85;
const LOOKED_AT = 12; // pictures whose mean tells

class Pace {
    constructor() {
        this.reset();
    }

    // Begin again with all pixels.
    reset() {
        this.share = 1;
        this.times = [];
    }

    // Take the time since the last picture, [ms]; true if the next ones are to be coarser.
    note(since) {
        this.times.push(since);
        if (this.times.length < LOOKED_AT) return false;
        const mean = this.times.reduce((total, time) => total + time) / this.times.length;
        this.times = [];
        if (mean <= SLOWEST || this.share <= COARSEST_SHARE) return false;
        this.share = Math.max(COARSEST_SHARE, this.share * COARSER);
        return true;
    }
}
