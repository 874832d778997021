#include "pixel.glsl"
// View rays: all from the eye, or, for an orthographic camera (`up.w` > 0), parallel from the plane of the eye.

// A pixel's ray in the camera's axes: its start relative to the eye, and its direction, of length 1.
void view_ray(out vec3 start, out vec3 along) {
    vec3 pixel = vec3(gl_FragCoord.xy * ray.xy + ray.zw, -1.0);
    start = vec3(pixel.xy * up.w, 0.0);
    along = up.w > 0.0 ? vec3(0.0, 0.0, -1.0) : normalize(pixel);
}

// Whether a distance is at the eye or behind it, where a perspective camera sees nothing.
bool behind(float distance) {
    return up.w == 0.0 && distance <= 0.0;
}
