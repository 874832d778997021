// A sports hall: a floor of wooden boards with the lines of a court, and four light walls with panels, bars and windows.
// It grows with the distance of the eye, so that the eye is always within.
const float LEAST_HALL = 10.0;           // from the middle to a wall [m]
const float BOARD = 0.085, LENGTH = 2.1; // of a board of the floor [m]
const float PANELS = 1.25, BARS = 2.6, SILL = 3.1, LINTEL = 5.3, EAVES = 7.0; // heights on a wall of the least hall [m]
const vec2 SLOPE = vec2(0.36, 0.30);     // of the sun's light, up and along the wall, a metre of the floor
const vec3 HAZE = vec3(0.690, 0.755, 0.815);
const vec3 SKY = vec3(0.965, 0.985, 0.995), WOOD = vec3(0.865, 0.790, 0.685), COURT = vec3(0.42, 0.56, 0.66);

// A number from 0 to 1 for each whole number, the same on all graphics cards.
float noise(vec2 place) {
    uint number = uint(int(place.x) + 32768) * 2654435761u + uint(int(place.y) + 32768) * 2246822519u;
    number = (number ^ (number >> 15)) * 2654435761u;
    return float((number ^ (number >> 13)) & 65535u) / 65535.0;
}

float hall_size() {
    return max(LEAST_HALL, 1.5 / (1.1 * eye.w) + max(abs(ahead.w), abs(across.w)));
}

// Distance along a ray to the wall it meets, and how far along that wall.
float to_wall(vec3 start, vec3 along, float size, out float aside) {
    vec2 flat_along = mix(along.xz, vec2(1e-6), lessThan(abs(along.xz), vec2(1e-6)));
    vec2 reach = (size * sign(flat_along) - start.xz) / flat_along;
    bool first = reach.x < reach.y;
    aside = first ? start.z + reach.x * along.z : start.x + reach.y * along.x;
    return min(reach.x, reach.y);
}

// A wall's colour; places and the width of a pixel are those on a wall of the least hall.
vec3 wall(float aside, float high, float pixel) {
    vec3 plaster = mix(backdrop_bottom.rgb, backdrop_top.rgb, smoothstep(PANELS, EAVES, high));
    float soft = max(pixel, 0.004);
    // Windows in a row, each of two by three panes.
    float window = abs(mod(aside + 1.5, 3.0) - 1.5);
    float open = clamp((1.18 - window) / soft + 0.5, 0.0, 1.0);
    open *= clamp((high - SILL) / soft + 0.5, 0.0, 1.0) * clamp((LINTEL - high) / soft + 0.5, 0.0, 1.0);
    float bars = max(line_cover(window, 0.05, soft), line_cover(mod(high - SILL, 0.735) - 0.3675, 0.04, soft));
    // Bright windows shine into the lens, and plaster is lighter around them.
    float beside_window = max(window - 1.18, 0.0), above_window = max(max(high - LINTEL, SILL - high), 0.0);
    plaster *= 1.0 + 0.06 * exp2(-3.0 * (beside_window + above_window));
    vec3 colour = mix(plaster, SKY, open * (1.0 - 0.45 * bars));
    // Wooden panels, and here and there wall bars before them.
    float panel = floor(aside / 1.25);
    vec3 wood = WOOD * (0.99 + 0.016 * noise(vec2(panel, 3.0)));
    wood *= 1.0 - 0.10 * line_cover(mod(aside + 0.625, 1.25) - 0.625, 0.012, soft);
    wood *= 1.0 - 0.10 * line_cover(high - PANELS + 0.02, 0.04, soft);
    colour = mix(colour, wood, clamp((PANELS - high) / soft + 0.5, 0.0, 1.0));
    float section = abs(aside) - 5.625, rung = mod(high, 0.14) - 0.07;
    float beside = clamp((1.875 - abs(section)) / soft + 0.5, 0.0, 1.0) * clamp((BARS - high) / soft + 0.5, 0.0, 1.0);
    float upright = line_cover(mod(section + 0.3125, 0.9375) - 0.46875, 0.06, soft);
    float rungs = mix(line_cover(rung, 0.036, soft), 0.036 / 0.14, clamp(soft / 0.07 - 0.5, 0.0, 1.0));
    colour = mix(colour, WOOD * vec3(0.93, 0.90, 0.86), 0.8 * beside * max(rungs, upright));
    colour *= 1.0 - 0.12 * clamp((0.10 - high) / soft + 0.5, 0.0, 1.0);
    colour *= 1.0 - 0.05 * exp2(-4.0 * max(high, 0.0));
    // Air in between pales what is far, below most, where windows do not light it from behind.
    return mix(colour, HAZE, 0.30 * (1.0 - open));
}

// How much sun falls through the windows of the wall at +x on a place of the floor of the least hall. Its edges are soft,
// as those of the sky around the sun.
float sunlight(vec2 place) {
    vec2 met = (LEAST_HALL - place.x) * SLOPE;
    float blur = 0.22, window = abs(mod(place.y + met.y + 1.5, 3.0) - 1.5);
    float high = met.x;
    return smoothstep(-blur, blur, 1.18 - window) * smoothstep(-blur, blur, high - SILL) * smoothstep(-blur, blur, LINTEL - high);
}

// The floor's colour; `pixel` is the size of a pixel on it across and along boards.
vec3 boards(vec2 place, vec2 pixel) {
    float row = floor(place.x / BOARD), shift = noise(vec2(row, 1.0)) * LENGTH;
    float tone = noise(vec2(row, floor((place.y + shift) / LENGTH))) - 0.5;
    float grain = noise(vec2(row, floor((place.y + shift) / LENGTH) + 17.0)) - 0.5;
    float seam = line_cover(mod(place.x, BOARD) - 0.5 * BOARD, 0.0025, pixel.x);
    seam = max(seam, line_cover(mod(place.y + shift, LENGTH) - 0.5 * LENGTH, 0.0025, pixel.y));
    // Where a board is hardly wider than a pixel, only the mean of many is seen.
    float fine = 1.0 - smoothstep(0.25, 0.8, pixel.x / BOARD);
    return floor_colour.rgb * (1.0 + fine * (0.055 * tone + vec3(0.0, -0.012, -0.030) * grain - 0.13 * seam));
}

float court(vec2 place, vec2 pixel) {
    vec2 off = abs(place);
    float within_x = clamp((7.025 - off.x) / pixel.x + 0.5, 0.0, 1.0), within_z = clamp((4.525 - off.y) / pixel.y + 0.5, 0.0, 1.0);
    float lines = max(line_cover(off.x - 7.0, 0.05, pixel.x) * within_z, line_cover(off.y - 4.5, 0.05, pixel.y) * within_x);
    return lines;
}

float circle(vec2 place, vec2 pixel) {
    float far = max(length(place), 1e-3);
    vec2 outward = place / far;
    return line_cover(far - 1.8, 0.05, max(dot(abs(outward), pixel), 1e-4));
}
