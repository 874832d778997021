#version 330 core
#include "frame.glsl"
#include "shade.glsl"

flat in vec4 solid;
flat in vec4 material;
flat in float strength;
out vec4 colour;

void main() {
    vec3 pixel = vec3(gl_FragCoord.xy * ray.xy + ray.zw, -1.0);
    float forward = inversesqrt(dot(pixel, pixel));
    vec3 along = pixel * forward;
    float reach = dot(solid.xyz, along);
    vec3 miss = reach * along - solid.xyz;  // from the centre to the nearest point of the ray
    float miss2 = dot(miss, miss);
    float coverage = (solid.w - sqrt(miss2)) / (reach * forward * light.w) + 0.5;
#ifdef EDGE
    if (coverage <= 0.0 || coverage >= 1.0) discard;
#else
    if (coverage < 1.0) discard;
#endif
    float inside = sqrt(max(solid.w * solid.w - miss2, 0.0));
    float distance = (reach - inside) * forward;
    if (distance <= 0.0) discard;
    gl_FragDepth = projection.z + projection.w / distance;
    vec3 normal = (miss - inside * along) / solid.w;
    colour = vec4(shade(normal, along, material), min(coverage, 1.0) * strength);
}
