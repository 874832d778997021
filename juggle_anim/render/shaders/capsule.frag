#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"
#include "shade.glsl"

flat in vec4 solid;
flat in vec4 axis;
flat in vec4 material;
flat in vec2 slope;
#ifdef CLUB
flat in vec4 bent;

// The share of a pixel that is `wide` along the club between two places.
float between(float place, float first, float last, float wide) {
    return clamp((place - first) / wide + 0.5, 0.0, 1.0) * clamp((last - place) / wide + 0.5, 0.0, 1.0);
}

// The paint at a place along a club: rubber at both ends, tape around the handle, stripes around the body.
vec4 club_paint(float place, float wide) {
    float tape = between(place, KNOB_END, TAPE_END, wide);
    tape += between(place, STRIPES.x, STRIPES.y, wide) + between(place, STRIPES.z, STRIPES.w, wide);
    vec4 paint = mix(material, vec4(TAPE.rgb * TAPE.rgb, TAPE.a), min(tape, 1.0));
    return mix(vec4(RUBBER.rgb * RUBBER.rgb, RUBBER.a), paint, between(place, KNOB_END, TOP_START, wide));
}
#endif
out vec4 colour;
#ifdef LIFTED
uniform float lift;  // toward the eye, in depth
#endif

// A round cone is the union of spheres at start + s * axis, 0 <= s <= size, of radius(s) = solid.w - k * s. The ray is
// start + miss + t * along, with `miss` at right angles to it: t = 0 is its point nearest to the start.
void main() {
    vec3 start, along;
    view_ray(start, along);
    float forward = -along.z;
    vec3 away = solid.xyz - start;
    float reach = dot(away, along);
    vec3 miss = reach * along - away;
    float k = slope.x, size = axis.w;

    // The sphere nearest to the ray: least |s * flat_axis - miss| - radius(s).
    float lean = dot(axis.xyz, along);
    vec3 flat_axis = axis.xyz - lean * along;
    float shrink = max(dot(flat_axis, flat_axis), 1e-9);
    float m = dot(miss, flat_axis), miss2 = dot(miss, miss);
    float a = shrink - k * k;
    float apart = sqrt(max(miss2 - m * m / shrink, 0.0));
    float s = m / shrink - k * apart * inversesqrt(shrink * max(a, 1e-9));
    s = a > 1e-8 ? clamp(s, 0.0, size) : (k > 0.0 || (k == 0.0 && lean > 0.0) ? 0.0 : size);
    vec3 off = miss - s * flat_axis;
    float radius = solid.w - k * s;
    float off2 = dot(off, off);
    float coverage = (radius - sqrt(off2)) / pixel_at((reach + s * lean) * forward) + 0.5;
#ifdef EDGE
    if (coverage <= 0.0 || coverage >= 1.0) discard;
#else
    if (coverage < 1.0) discard;
    // Where the ray enters the infinite cone: a t^2 + 2 b t + c = 0. Beyond an end, it hits the sphere there.
    float shift = m - k * solid.w;
    float b = -lean * shift, c2 = 1.0 - k * k;
    float taper = solid.w - k * m;
    float c = c2 * (miss2 - m * m) - taper * taper;
    float root = sqrt(max(b * b - a * c, 0.0));
    float t = b < 0.0 ? c / (root - b) : -(b + root) / (abs(a) < 1e-9 ? 1e-9 : a);
    s = clamp((shift + t * lean) / c2, 0.0, size);
    // Looking along the axis, inside the cone's angle, toward its tip: the wide end hides all else.
    if (a <= 1e-8 && k * lean >= 0.0) s = lean > 0.0 ? 0.0 : size;
    off = miss - s * flat_axis;
    radius = solid.w - k * s;
    off2 = dot(off, off);
#endif
    float inside = sqrt(max(radius * radius - off2, 0.0));
    float distance = (reach + s * lean - inside) * forward;
    if (behind(distance)) discard;
    gl_FragDepth = depth_at(distance);
#ifdef LIFTED
    gl_FragDepth -= lift;
#endif
    vec3 normal = (off - inside * along) / radius;
#ifdef CLUB
    vec4 paint = club_paint(bent.w + s + dot(normal, axis.xyz) * radius, pixel_at(distance) * inversesqrt(max(shrink, 0.03)));
    if (bent.z > 0.0 && size > 0.0) {
        float rise = mix(bent.x, bent.y, s / size);
        vec3 level = normal - dot(normal, axis.xyz) * axis.xyz;
        normal = rise * axis.xyz + sqrt(1.0 - rise * rise) * normalize(level);
    }
#else
    vec4 paint = material;
#endif
    vec3 lit = shade(normal, along, paint);
#ifdef GHOST
    colour = vec4(lit, min(coverage, 1.0) * slope.y * GHOST);
#else
    colour = vec4(lit, blended(lit, min(coverage, 1.0) * slope.y));
#endif
}
