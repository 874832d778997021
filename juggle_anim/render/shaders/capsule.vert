#version 330 core
#include "frame.glsl"
#include "impostor.glsl"

layout(location = 0) in vec4 start;  // centre, radius
layout(location = 1) in vec4 end;
layout(location = 2) in vec4 paint;  // sRGB colour, gloss
#ifdef CLUB
layout(location = 3) in vec4 bend;   // how far normals at start and end point along it; whether they do; where it starts [m]
#endif

flat out vec4 solid;                 // start in the camera's axes, radius there
flat out vec4 axis;                  // unit vector from start to end, length
flat out vec4 material;              // linear colour, gloss
flat out vec2 slope;                 // loss of radius per metre, strength
#ifdef CLUB
flat out vec4 bent;
#endif

// A cone whose larger end contains the smaller one is a sphere.
void measure(vec3 a, float ra, vec3 b, float rb) {
    vec3 step = b - a;
    float size = length(step);
    if (size <= abs(ra - rb) * 1.0001 + 1e-6) {
        solid = ra >= rb ? vec4(a, ra) : vec4(b, rb);
        axis = vec4(1.0, 0.0, 0.0, 0.0);
        slope.x = 0.0;
    } else {
        solid = vec4(a, ra);
        axis = vec4(step / size, size);
        slope.x = (ra - rb) / size;
    }
}

void main() {
    // Without width there is nothing to draw.
    if (max(start.w, end.w) <= 0.0) {
        gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
        return;
    }
    vec3 a = (view * vec4(start.xyz, 1.0)).xyz;
    vec3 b = (view * vec4(end.xyz, 1.0)).xyz;
    float ra = visible_radius(start.w, -a.z), rb = visible_radius(end.w, -b.z);
    slope.y = max(start.w, end.w) / max(ra, rb);
    measure(a, ra, b, rb);
    if (axis.w == 0.0) { a = b = solid.xyz; ra = rb = solid.w; }
    material = vec4(paint.rgb * paint.rgb, paint.a);
#ifdef CLUB
    bent = bend;
#endif

    if (up.w > 0.0) {
        vec2 side = abs(axis.x) + abs(axis.y) > 1e-5 ? normalize(axis.xy) : vec2(1.0, 0.0);
        vec2 across = vec2(-side.y, side.x);
        vec2 from = vec2(dot(a.xy, side), dot(a.xy, across)), to = vec2(dot(b.xy, side), dot(b.xy, across));
        place_flat(side, min(from - ra, to - rb), max(from + ra, to + rb));
        return;
    }
    // Eye, start and end lie in the plane of `ahead` and `side`.
    vec3 ahead = normalize(normalize(a) + normalize(b));
    vec3 side = axis.xyz - dot(axis.xyz, ahead) * ahead;
    if (dot(side, side) < 1e-10) side = cross(ahead, abs(ahead.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
    side = normalize(side);
    float da = dot(a, ahead), db = dot(b, ahead);
    if (da < ra * 1.02 || db < rb * 1.02) {
        place_everywhere();
        return;
    }
    vec2 spans = tangents(dot(a, side), da, ra), other = tangents(dot(b, side), db, rb);
    float rise = max(tangents(0.0, da, ra).y, tangents(0.0, db, rb).y);
    place_quad(ahead, side, cross(ahead, side), vec2(min(spans.x, other.x), -rise), vec2(max(spans.y, other.y), rise));
}
