#include "pixel.glsl"
// Lines of sight: all from the eye, or side by side from the plane of the eye, where `up.w` is above 0.

// A pixel's line, in the camera's axes: the part of its start that is not the eye, and its direction, of length 1.
void view_ray(out vec3 start, out vec3 along) {
    vec3 pixel = vec3(gl_FragCoord.xy * ray.xy + ray.zw, -1.0);
    start = vec3(pixel.xy * up.w, 0.0);
    along = up.w > 0.0 ? vec3(0.0, 0.0, -1.0) : normalize(pixel);
}

// Where nothing is seen: at the eye and behind it. Parallel sight comes from everywhere.
bool behind(float distance) {
    return up.w == 0.0 && distance <= 0.0;
}

float depth_at(float distance) {
    return projection.z + (up.w > 0.0 ? projection.w * distance : projection.w / distance);
}
