#version 330 core
#include "frame.glsl"
#include "backdrop.glsl"
#ifdef HALL
#include "hall.glsl"
#endif

out vec4 colour;

void main() {
#ifdef HALL
    vec3 start, along;
    view_ray(start, along);
    float size = hall_size(), scale = LEAST_HALL / size, aside;
    float reach = to_wall(start, along, size, aside);
    float pixel = light.w * (up.w > 0.0 ? up.w : reach) * scale;
    colour = vec4(wall(aside * scale, (start.y + reach * along.y) * scale, pixel) * vignette(), 1.0);
#else
    vec3 behind = backdrop();
#ifdef SPOT
    vec3 start, along;
    view_ray(start, along);
    behind += mist(start, along, 1e6);
#endif
    colour = vec4(behind * vignette(), 1.0);
#endif
}
