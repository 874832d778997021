#version 330 core
#include "frame.glsl"

uniform sampler2D shadows;
in vec2 texel;
out vec4 colour;

const vec3 DARKEST = vec3(0.40, 0.385, 0.36); // light that a full shadow takes away, a little less of blue
const float CONTACT = 0.64;                   // what is kept away where something touches the floor

void main() {
    vec2 dark = texture(shadows, texel).rg;
    vec3 taken = 1.0 - (1.0 - dark.x * DARKEST) * (1.0 - dark.y * CONTACT);
    // Without a backdrop, a shadow is black that lets through what it would leave.
    colour = shadow_end.w > 0.0 ? vec4(0.0, 0.0, 0.0, taken.g) : vec4(taken, 1.0);
}
