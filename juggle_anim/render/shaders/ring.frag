#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"
#include "shade.glsl"
#include "ellipse.glsl"

flat in vec4 solid;
flat in vec4 plane;
flat in vec4 material;
flat in vec3 other;
out vec4 colour;

const float THICK = 0.0030;  // half a ring's thickness [m]
const vec2 STRIPE = vec2(0.40, 0.60);  // from the inner edge to the outer one

// The share of a pixel inside an ellipse; an ellipse narrower than a pixel never fills it.
float covered(vec2 place, vec2 axes, float wide) {
    return min(clamp(within(place, axes) / wide + 0.5, 0.0, 1.0), 2.0 * axes.y / wide);
}

// Projected along the ray, a ring is the area between two ellipses; seen edge-on it is as wide as it is thick.
void main() {
    vec3 start, along;
    view_ray(start, along);
    float forward = -along.z;
    vec3 away = solid.xyz - start;
    float reach = dot(away, along);
    vec3 miss = reach * along - away;  // from the centre to the nearest point of the ray
    float facing = dot(plane.xyz, along);
    float slant = sqrt(max(1.0 - facing * facing, 0.0));
    vec3 narrow = slant > 1e-5 ? (plane.xyz - facing * along) / slant : vec3(0.0);
    float v = dot(miss, narrow);
    vec2 place = vec2(sqrt(max(dot(miss, miss) - v * v, 0.0)), v);

    float wide = pixel_at(reach * forward);  // of a pixel there
    float edge = THICK * slant, outer = solid.w, inner = plane.w, turned = abs(facing);
    float coverage = covered(place, vec2(outer, outer * turned + edge), wide);
    float hole = inner * turned - edge;
    if (hole > 0.0) coverage -= covered(place, vec2(inner, hole), wide);
#ifdef EDGE
    if (coverage <= 0.0 || coverage >= 1.0) discard;
#else
    if (coverage < 1.0) discard;
#endif
    // Where the ray meets the plane, from its nearest point on; beyond the rim it hits the rim.
    float half_chord = sqrt(max(outer * outer - place.x * place.x, 0.0));
    float beyond = turned > 1e-5 ? clamp(-dot(miss, plane.xyz) / facing, -half_chord, half_chord) : -half_chord;
    float distance = (reach + beyond) * forward;
    if (behind(distance)) discard;
    gl_FragDepth = depth_at(distance);

    // Edges are rounded, so that a ring has a rim of light.
    vec3 from = miss + beyond * along;
    float radius = max(length(from), 1e-6);
    float bent = smoothstep(outer - 0.004, outer, radius) - smoothstep(inner + 0.004, inner, radius);
    vec3 normal = plane.xyz * (facing > 0.0 ? -1.0 : 1.0) * max(turned, 0.02);
    normal = normalize(normal + from / radius * bent * 0.7 - along * (1.0 - smoothstep(0.0, 0.08, turned)) * 0.3);
    // A stripe around the face; the more it turns away, the more of it a pixel covers.
    vec2 rise = vec2(place.x, v / max(turned * turned, 0.01)) / radius;
    float blur = wide * max(length(rise), 0.5), at = radius - inner;
    float first = at - STRIPE.x * (outer - inner), last = STRIPE.y * (outer - inner) - at;
    float stripe = clamp(first / blur + 0.5, 0.0, 1.0) * clamp(last / blur + 0.5, 0.0, 1.0);
    vec4 paint = vec4(mix(material.rgb, other, stripe), material.a);
    // Thin plastic lets light through, so that it glows where the lamp is behind it.
    vec3 through = shade(-normal, -along, vec4(paint.rgb, 0.0));
    // Light from behind draws its edges, and passes over its face.
    vec3 front = shade(normal, mix(-normal, along, max(abs(bent), 0.3)), paint);
    vec3 lit = mix(front, max(front, through), 0.7);
    colour = vec4(lit, blended(lit, coverage));
}
