#version 330 core
#include "frame.glsl"
#include "view_ray.glsl"
#include "shade.glsl"

flat in vec4 solid;
flat in vec4 material;
flat in float strength;
out vec4 colour;

// How far within the outline the ray passes, as the sine of an angle, or in metres for an orthographic camera. The
// outline is made of the edges between a visible face and a hidden one; each spans a plane with the eye.
float within_outline(vec3 eye, vec3 along, float size) {
    float least = 1e9;
    bool parallel = up.w > 0.0;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int corner = 0; corner < 4; corner++) {
            float si = (corner & 1) == 0 ? -1.0 : 1.0, sj = (corner & 2) == 0 ? -1.0 : 1.0;
            bool first = parallel ? si * along[i] < 0.0 : si * eye[i] > size;
            bool second = parallel ? sj * along[j] < 0.0 : sj * eye[j] > size;
            if (first == second) continue;
            // The plane's normal is at right angles to the edge and to the direction to it.
            float a = si * size - eye[i], b = sj * size - eye[j];
            vec2 direction = parallel ? vec2(along[i], along[j]) : vec2(a, b);
            float across = (a * along[j] - b * along[i]) * inversesqrt(dot(direction, direction));
            // The middle of the cube is within.
            float middle = parallel ? sj * along[i] - si * along[j] : a * eye[j] - b * eye[i];
            least = min(least, middle > 0.0 ? -across : across);
        }
    }
    return least;
}

// The edges of cubes are parallel to the world's axes.
void main() {
    vec3 start, seen_along;
    view_ray(start, seen_along);
    float forward = -seen_along.z;
    mat3 turn = transpose(mat3(view));
    vec3 along = turn * seen_along, eye = turn * (start - solid.xyz);
    float size = solid.w;

    float coverage = within_outline(eye, along, size) / pixel_at(forward) + 0.5;
    // A fading cube is blended everywhere.
    if (strength < 1.0) coverage = min(coverage, 0.999);
#ifdef EDGE
    if (coverage <= 0.0 || coverage >= 1.0) discard;
#else
    if (coverage < 1.0) discard;
#endif
    vec3 safe = mix(along, vec3(1e-7), lessThan(abs(along), vec3(1e-7)));
    vec3 enters = -(eye + size * sign(safe)) / safe;
    float reach = max(max(enters.x, enters.y), enters.z);
    float distance = reach * forward;
    if (behind(distance)) discard;
    gl_FragDepth = depth_at(distance);

    // Edges are a little rounded, so that they catch the light.
    vec3 place = (eye + reach * along) / size;
    vec3 normal = normalize(sign(place) * pow(abs(place), vec3(24.0)) + 1e-6);
    vec3 seen = mat3(view) * normal;
    vec3 lit = shade(seen, seen_along, material);
    colour = vec4(lit, blended(lit, min(coverage, 1.0) * strength));
}
