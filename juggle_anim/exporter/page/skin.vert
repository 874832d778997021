// A corner of the skin, as `skin.js` has carried it. What frame.glsl, pixel.glsl and shade.glsl have stands before.
in vec3 point;
in vec3 normal;
in vec2 open;
in vec4 paint;       // sRGB, gloss
in vec4 away;        // in clip coordinates; z: how far it is lifted toward the eye; w: coverage

#ifdef EDGE
out vec4 lit;
#else
out vec3 seen;
out vec2 light_there;
out float seen_opacity;
flat out vec4 material;
#endif

void main() {
    vec3 place = (view * vec4(point, 1.0)).xyz, facing = mat3(view) * normal;
    vec4 linear = vec4(paint.rgb * paint.rgb, paint.a);
#ifdef EDGE
    vec3 along = up.w > 0.0 ? vec3(0.0, 0.0, -1.0) : normalize(place);
    lit = vec4(shade_open(facing, along, linear, open), away.w);
#else
    seen = facing;
    seen_opacity = 1.0;
    light_there = open;
    material = linear;
#endif
    float distance = -place.z, near = distance;
#ifdef EDGE
    near -= away.z;
#endif
    gl_Position = in_picture(place.xy, up.w > 0.0 ? up.w : distance);
    gl_Position.xy += away.xy * gl_Position.w;
    gl_Position.z = (2.0 * depth_at(near) - 1.0) * gl_Position.w;
}
