#version 330 core
#include "frame.glsl"
#include "backdrop.glsl"

out vec4 colour;

const float CELL = 0.5;          // side of a square of the floor's grid [m]
const float LINE = 0.010 / CELL; // width of its lines, as a share of that

void main() {
    vec3 start, along;
    view_ray(start, along);
    float sink = 1.0 / along.y;
    float distance = -start.y * sink;
    vec2 place = start.xz + distance * along.xz;
    vec2 from_middle = (place - vec2(ahead.w, across.w)) * eye.w;
    float spread = dot(from_middle, from_middle);
    // A low eye sees much floor in few rows, so the floor also fades with the angle to the horizon.
    float near = smoothstep(0.0, 0.04, -along.y) / (1.0 + spread * spread);

    // The width of a pixel on the floor: lines are averaged over it.
    vec2 wide = abs(across.xz) + abs(above.xz - along.xz * (above.y * sink));
    wide = max(wide * ((up.w > 0.0 ? up.w : distance) / CELL), LINE * 0.01);
    vec2 off = abs(fract(place / CELL + 0.5) - 0.5);
    vec2 line = clamp((0.5 * (LINE + wide) - off) / wide, vec2(0.0), min(LINE / wide, 1.0));
    // Where a square is hardly wider than a pixel, only its average colour is drawn.
    line = mix(line, vec2(LINE), clamp(2.0 * wide - 0.5, 0.0, 1.0));
    vec4 ground = mix(floor_colour, line_colour, near * (line.x + line.y - line.x * line.y));
    colour = vec4(mix(backdrop(), ground.rgb, near), 1.0);
}
