#version 330 core
#include "frame.glsl"
#include "backdrop.glsl"
#ifdef HALL
#include "hall.glsl"
#endif

out vec4 colour;

const float CELL = 0.5;          // side of a square of the floor's grid [m]
const float LINE = 0.010 / CELL; // width of its lines, as a share of that

// The share of lines at a place, for so wide a pixel, both in squares of the grid.
float grid(vec2 place, vec2 wide) {
    vec2 off = abs(fract(place + 0.5) - 0.5);
    vec2 line = clamp((0.5 * (LINE + wide) - off) / wide, vec2(0.0), min(LINE / wide, 1.0));
    // Where a square is hardly wider than a pixel, only its average colour is drawn.
    line = mix(line, vec2(LINE), clamp(2.0 * wide - 0.5, 0.0, 1.0));
    return line.x + line.y - line.x * line.y;
}

void main() {
#ifdef BARE
    colour = vec4(backdrop() * vignette(), 1.0);
#else
    vec3 start, along;
    view_ray(start, along);
    float sink = 1.0 / along.y;
    float distance = -start.y * sink;
    vec2 place = start.xz + distance * along.xz;
    // The size of a pixel on the floor: what is finer is averaged over it.
    vec2 wide = abs(across.xz) + abs(above.xz - along.xz * (above.y * sink));
    wide = max(wide * (up.w > 0.0 ? up.w : distance), LINE * CELL * 0.01);
#ifdef HALL
    float size = hall_size(), scale = LEAST_HALL / size, aside;
    float reach = to_wall(start, along, size, aside), pixel = light.w * (up.w > 0.0 ? up.w : reach) * scale;
    vec3 ground = boards(place, wide);
    ground = mix(ground, COURT, 0.75 * circle(place, wide));
    ground = mix(ground, line_colour.rgb, 0.85 * court(place, wide));
    // Varnish mirrors the walls where one looks along the floor, which is darker in its corners.
    float level = 1.0 + along.y * inversesqrt(dot(along, along));
    level *= level;
    ground = mix(ground, backdrop_bottom.rgb, 0.5 * level * level * level);
    ground *= 1.0 - 0.10 * exp2(-3.0 * max(size - max(abs(place.x), abs(place.y)), 0.0) * scale);
    ground *= mix(vec3(0.925, 0.920, 0.935), vec3(1.160, 1.105, 0.990), sunlight(place * scale));
    float high = (start.y + reach * along.y) * scale;
    // Where floor and wall meet, a pixel shows some of both.
    float risen = clamp(high / max(pixel, 1e-5) + 0.5, 0.0, 1.0);
    colour = vec4(mix(ground, wall(aside * scale, max(high, 0.0), pixel), risen) * vignette(), 1.0);
#else
    vec2 from_middle = (place - vec2(ahead.w, across.w)) * eye.w;
    float spread = dot(from_middle, from_middle);
    // A low eye sees much floor in few rows, so the floor also fades with the angle to the horizon.
    float near = smoothstep(0.0, 0.06, -along.y) / (1.0 + spread * spread);
    float lines = near * grid(place / CELL, wide / CELL);
#ifdef SPOT
    // A pool of light with a soft edge.
    float pool = 1.0 - smoothstep(0.7 * POOL, 1.25 * POOL, sqrt(spread));
    vec3 ground = mix(floor_colour, line_colour, (0.15 + 0.85 * pool) * lines).rgb;
    ground *= mix(vec3(0.60), mix(vec3(2.2, 1.75, 1.30), vec3(5.6, 3.95, 2.35), exp2(-spread / (CONE * CONE))), pool);
#else
    vec3 ground = mix(floor_colour, line_colour, lines).rgb;
#ifdef COVE
    // The lamp's light is warm in the middle, and the cooler light of the room is left around.
    ground *= mix(vec3(0.900, 0.910, 0.930), vec3(1.035, 1.025, 1.005), exp2(-3.0 * spread));
#endif
#endif
    ground = mix(backdrop(), ground, near);
#ifdef SPOT
    ground += mist(start, along, distance);
#endif
    colour = vec4(ground * vignette(), 1.0);
#endif
#endif
}
