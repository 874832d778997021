#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"
#include "shade.glsl"

flat in vec4 solid;
flat in vec4 axis;
flat in vec4 material;
flat in vec2 slope;
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
    vec3 lit = shade(normal, along, material);
#ifdef GHOST
    colour = vec4(lit, min(coverage, 1.0) * slope.y * GHOST);
#else
    colour = vec4(lit, blended(lit, min(coverage, 1.0) * slope.y));
#endif
}
