#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"

flat in vec4 solid;
flat in vec4 spot;
flat in vec4 material;
out vec4 colour;

const vec3 WARM = vec3(0.98, 0.62, 0.05), HOT = vec3(0.90, 0.10, 0.08);
const float WIDE = 0.80, NARROW = 0.97;  // cosines of the angle that the spot takes, at its edge and where it is full

// Strength of the spot at a place of the sphere.
float within_spot(vec3 normal) {
    return smoothstep(WIDE, NARROW, dot(normal, spot.xyz)) * spot.w;
}

// A thin skin, hardly visible except at its edge and where a hand comes near it.
void main() {
    vec3 start, along;
    view_ray(start, along);
    vec3 away = solid.xyz - start;
    float reach = dot(away, along);
    vec3 miss = reach * along - away;  // from the centre to the nearest point of the ray
    float miss2 = dot(miss, miss);
    float coverage = (solid.w - sqrt(miss2)) / pixel_at(-reach * along.z) + 0.5;
    if (coverage <= 0.0) discard;
    float inside = sqrt(max(solid.w * solid.w - miss2, 0.0));
    // From inside, the far side is seen.
    bool within = up.w == 0.0 && reach < inside;
    float distance = -(reach + (within ? inside : -inside)) * along.z;
    if (behind(distance)) discard;
    gl_FragDepth = depth_at(distance);

    float edge = 1.0 - inside / solid.w;
    float warm = max(within ? 0.0 : within_spot((miss - inside * along) / solid.w), within_spot((miss + inside * along) / solid.w));
    float opacity = max(mix(0.06, 0.50, edge * edge * edge), 0.62 * warm);
    colour = vec4(mix(material.rgb, mix(WARM, HOT, material.a), min(2.0 * warm, 1.0)), opacity * min(coverage, 1.0));
}
