// A corner of the skin, as `skin.js` has carried it. What frame.glsl and pixel.glsl have stands before.
in vec3 point;
in vec3 normal;
in vec4 paint;       // sRGB, gloss
in vec4 away;        // in clip coordinates; w: coverage

out vec4 seen;
flat out vec4 material;

#ifdef EDGE
const float LIFT = 0.003;
#else
const float LIFT = 0.0;
#endif

void main() {
    vec3 place = (view * vec4(point, 1.0)).xyz;
    seen = vec4(mat3(view) * normal, away.w);
    material = vec4(paint.rgb * paint.rgb, paint.a);
    float distance = -place.z, near = distance - min(LIFT, pixel_at(distance));
    gl_Position = in_picture(place.xy, up.w > 0.0 ? up.w : distance);
    gl_Position.xy += away.xy * gl_Position.w;
    float depth = projection.z + (up.w > 0.0 ? projection.w * near : projection.w / near);
    gl_Position.z = (2.0 * depth - 1.0) * gl_Position.w;
}
