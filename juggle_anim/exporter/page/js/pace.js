// How finely pictures are drawn while they move: as the screen is, or more coarsely where that would be too slow.

const SLOWEST = 1000 / 29; // from one picture to the next, [ms]
const QUICK = 1000 / 50; // there is time for finer pictures, [ms]
const COARSEST_SHARE = 0.5; // of the screen's pixels, along each edge
const COARSER = 0.85;
const LOOKED_AT = 12; // pictures whose mean tells
const PATIENCE = 4; // such means that are quick, one after another, before finer pictures are tried

class Pace {
    constructor() {
        this.reset();
    }

    // Begin again with all pixels.
    reset() {
        this.share = 1;
        this.times = [];
        this.quick = 0;
        this.patience = PATIENCE;
    }

    // Take the time since the last picture, [ms]; true if the next ones are to be coarser or finer.
    note(since) {
        this.times.push(since);
        if (this.times.length < LOOKED_AT) return false;
        const mean = this.times.reduce((total, time) => total + time) / this.times.length;
        this.times = [];
        this.quick = mean < QUICK ? this.quick + 1 : 0;
        const before = this.share;
        if (mean > SLOWEST) {
            this.share = Math.max(COARSEST_SHARE, this.share * COARSER);
        } else if (before < 1 && this.quick === this.patience) {
            this.share = Math.min(1, this.share / COARSER);
            this.quick = 0;
            this.patience *= 2; // the pixels of pictures that were too fine do not change to and fro
        }
        return this.share !== before;
    }
}
