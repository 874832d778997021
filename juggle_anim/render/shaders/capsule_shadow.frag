#version 330 core
#include "penumbra.glsl"

flat in vec4 ends;
flat in vec4 widths;
in vec2 place;
out vec2 dark;

void main() {
    vec2 step = ends.zw - ends.xy;
    vec2 from = place - ends.xy;
    float size = max(length(step), 1e-5);
    float y = dot(from, step) / size;
    float s = clamp(y / size, 0.0, 1.0);
    vec2 width = mix(widths.xy, widths.zw, s);
    // A short limb high up is blurred along its length too.
    float along = covered(y - 0.5 * size, 0.5 * size + width.x, width.y);
    dark = vec2(covered(length(from - s * step), width.x, width.y) * along, 0.0);
}
