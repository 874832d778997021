#version 330 core
#include "frame.glsl"
#include "backdrop.glsl"

uniform sampler2D shadows;
out vec4 colour;

const vec3 DARKEST = vec3(0.40, 0.385, 0.36); // light that a full shadow takes away, a little less of blue

void main() {
    vec3 start, along;
    view_ray(start, along);
    vec2 place = start.xz - along.xz * (start.y / along.y);
    vec2 at = vec2(dot(place, shadow_u.xz), dot(place, shadow_v.xz));
    float dark = texture(shadows, (at - shadow_box.xy) * shadow_box.z).r;
    colour = vec4(dark * DARKEST, 1.0);
}
