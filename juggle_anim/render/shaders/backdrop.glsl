// A pixel's ray in the world: its start and its direction, not of length 1.
void view_ray(out vec3 start, out vec3 along) {
    along = ahead.xyz + gl_FragCoord.x * across.xyz + gl_FragCoord.y * above.xyz;
    start = eye.xyz;
    if (up.w > 0.0) {
        vec3 back = vec3(view[0].z, view[1].z, view[2].z);
        start += up.w * (along + back);
        along = -back;
    }
}

// The sky, always in perspective: parallel rays would give it one colour.
vec3 backdrop() {
    vec3 along = ahead.xyz + gl_FragCoord.x * across.xyz + gl_FragCoord.y * above.xyz;
    float rise = clamp(1.8 * along.y * inversesqrt(dot(along, along)), 0.0, 1.0);
    return mix(backdrop_bottom, backdrop_top, rise * (2.0 - rise)).rgb;
}

// How much of a line of this width a pixel shows whose middle is `off` the middle of the line.
float line_cover(float off, float width, float pixel) {
    return clamp((0.5 * (width + pixel) - abs(off)) / pixel, 0.0, min(width / pixel, 1.0));
}
