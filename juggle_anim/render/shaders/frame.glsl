// Camera, light and colours of a frame. Filled by `FrameUniforms`, in the same order.
layout(std140) uniform Frame {
    mat4 view;            // world to camera
    vec4 projection;      // horizontal scale, vertical scale; see `depth_at`
    vec4 ray;             // camera ray of a pixel: (gl_FragCoord.xy * ray.xy + ray.zw, -1)
    vec4 light;           // toward the light, in the camera's axes; w: width of a pixel at distance 1
    vec4 up;              // up, in the camera's axes; w: for an orthographic camera, the distance at which
                          // perspective has the same scale; 0 for perspective
    vec4 eye;             // world; w: 1 / radius of the lit floor
    vec4 ahead;           // world ray of a pixel: ahead + across * x + above * y; w: middle of the floor, x
    vec4 across;          // w: middle of the floor, z
    vec4 above;           // w: how far straight ahead is to the right of the middle, in half pictures
    vec4 backdrop_top;    // colours are sRGB
    vec4 backdrop_bottom;
    vec4 floor_colour;
    vec4 line_colour;
    vec4 sun;             // toward the light, in the world; w: how fast a penumbra grows with height
    vec4 shadow_u;        // axes of the plane across the light, in the world
    vec4 shadow_v;
    vec4 shadow_box;      // origin in that plane, texture coordinates per metre, metres per texel
    vec4 shadow_end;      // far corner of the part that is used; z: brightness of the
                          // backdrop, sRGB; w: 1 where there is none, 0 elsewhere
    vec4 key_light;       // light is linear
    vec4 sky_light;       // how much more comes from above than from below
    vec4 ground_light;    // from below
    vec4 fill;            // toward a lamp above the camera, in its axes; w: its light
    vec4 rim_light;       // from behind
};

// Clip coordinates of a place in the camera's axes at distance `far`.
vec4 in_picture(vec2 place, float far) {
    return vec4(projection.xy * place + vec2(above.w * far, 0.0), 0.0, far);
}
