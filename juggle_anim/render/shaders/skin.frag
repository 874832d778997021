#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"
#include "shade.glsl"

#ifdef EDGE
in vec4 lit;
#else
in vec3 seen;
in vec2 light_there;
in float seen_opacity;
flat in vec4 material;
#endif
out vec4 colour;

void main() {
#ifdef EDGE
    // Edges are shaded at their corners.
    colour = vec4(lit.rgb, blended(lit.rgb, lit.a));
#else
    vec3 start, along;
    view_ray(start, along);
    colour = vec4(shade_open(normalize(seen), along, material, light_there), seen_opacity);
#endif
}
