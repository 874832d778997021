#version 330 core
flat in vec4 ends;
flat in vec4 widths;
flat in vec2 shade;
in vec2 place;
out vec2 dark;

const float EDGE = 0.5; // how far out the dark edge reaches, as a share of the spread

void main() {
    vec2 step = ends.zw - ends.xy, from = place - ends.xy;
    float s = clamp(dot(from, step) / max(dot(step, step), 1e-9), 0.0, 1.0);
    vec2 width = mix(widths.xy, widths.zw, s);
    float depth = width.x - length(from - s * step);
    // A dark edge right around what touches, and a faint one farther out.
    float inside = mix(smoothstep(-width.y, width.y, depth), smoothstep(-EDGE * width.y, 0.0, depth), 0.6);
    dark = vec2(0.0, mix(shade.x, shade.y, s) * inside);
}
