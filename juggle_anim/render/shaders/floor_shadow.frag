#version 330 core
#include "frame.glsl"
#include "backdrop.glsl"

uniform sampler2D shadows;
out vec4 colour;

const vec3 DARKEST = vec3(0.40, 0.385, 0.36); // light that a full shadow takes away, a little less of blue
const float CONTACT = 0.60;                   // what is kept away where something touches the floor

void main() {
    vec3 start, along;
    view_ray(start, along);
    vec2 place = start.xz - along.xz * (start.y / along.y);
    vec2 at = vec2(dot(place, shadow_u.xz), dot(place, shadow_v.xz));
    vec2 dark = texture(shadows, (at - shadow_box.xy) * shadow_box.z).rg;
    vec3 taken = 1.0 - (1.0 - dark.x * DARKEST) * (1.0 - dark.y * CONTACT);
    // Without a backdrop, a shadow is black that lets through what it would leave.
    colour = shadow_end.w > 0.0 ? vec4(0.0, 0.0, 0.0, taken.g) : vec4(taken, 1.0);
}
