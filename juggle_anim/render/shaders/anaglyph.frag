#version 330 core

uniform sampler2D eye;
out vec4 colour;

const vec3 BRIGHTNESS = vec3(0.299, 0.587, 0.114);  // weights of red, green and blue

void main() {
    vec4 seen = texelFetch(eye, ivec2(gl_FragCoord.xy), 0);
    colour = vec4(dot(seen.rgb, BRIGHTNESS), 0.0, 0.0, seen.a);
}
