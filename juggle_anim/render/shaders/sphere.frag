#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"
#include "shade.glsl"

flat in vec4 solid;
flat in vec4 material;
flat in float strength;
out vec4 colour;

void main() {
    vec3 start, along;
    view_ray(start, along);
    float forward = -along.z;
    vec3 away = solid.xyz - start;
    float reach = dot(away, along);
    vec3 miss = reach * along - away;  // from the centre to the nearest point of the ray
    float miss2 = dot(miss, miss);
    float coverage = (solid.w - sqrt(miss2)) / pixel_at(reach * forward) + 0.5;
#ifdef EDGE
    if (coverage <= 0.0 || coverage >= 1.0) discard;
#else
    if (coverage < 1.0) discard;
#endif
    float inside = sqrt(max(solid.w * solid.w - miss2, 0.0));
    float distance = (reach - inside) * forward;
    if (behind(distance)) discard;
    gl_FragDepth = depth_at(distance);
    vec3 normal = (miss - inside * along) / solid.w;
    colour = vec4(shade(normal, along, material), min(coverage, 1.0) * strength);
}
