#version 330 core
flat in vec4 ends;
flat in vec4 widths;
flat in vec2 shade;
in vec2 place;
out vec2 dark;

void main() {
    vec2 step = ends.zw - ends.xy, from = place - ends.xy;
    float s = clamp(dot(from, step) / max(dot(step, step), 1e-9), 0.0, 1.0);
    vec2 width = mix(widths.xy, widths.zw, s);
    float inside = smoothstep(-width.y, width.y, width.x - length(from - s * step));
    dark = vec2(0.0, mix(shade.x, shade.y, s) * inside);
}
