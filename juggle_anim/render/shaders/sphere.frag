#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"
#include "shade.glsl"

flat in vec4 solid;
flat in vec4 material;
flat in vec4 other;
flat in mat3 turn;
flat in float strength;
out vec4 colour;

const float SEAM = 0.022, DARK = 0.60;  // half a seam's width, in radii, and how dark it is

// The paint at a place of the surface: eight panels in two tones, and the seams between them, blended by coverage.
// `wide` is the width of a pixel there, in radii.
vec4 panel(vec3 normal, float wide) {
    vec3 place = turn * normal, side = clamp(2.0 * place / wide, -1.0, 1.0);
    vec3 tone = mix(material.rgb, other.rgb, 0.5 + 0.5 * side.x * side.y * side.z);
    place = abs(place);
    float apart = min(place.x, min(place.y, place.z));
    float seam = clamp((SEAM - apart) / wide + 0.5, 0.0, min(1.0, 2.0 * SEAM / wide));
    return vec4(tone * (1.0 - DARK * seam), material.a);
}

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
    vec4 paint = material;
    if (other.a > 0.0) {
        // Where the surface turns away, a pixel covers more of it.
        float wide = pixel_at(distance) / max(inside, 0.1 * solid.w);
        paint = panel(normal, wide);
    }
    vec3 lit = shade(normal, along, paint);
    colour = vec4(lit, blended(lit, min(coverage, 1.0) * strength));
}
