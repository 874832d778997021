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
    colour = dithered(wall(aside * scale, (start.y + reach * along.y) * scale, pixel) * vignette());
#else
    vec3 behind = backdrop();
#ifdef SPOT
    vec3 start, along;
    view_ray(start, along);
    behind += mist(start, along, 1e6);
#endif
    colour = dithered(behind * vignette());
#endif
}
