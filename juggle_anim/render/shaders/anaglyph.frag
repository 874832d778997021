#version 330 core

uniform sampler2D eye;
uniform int turned_rows;  // how many rows the texture has, if its top row is the first; else 0
out vec4 colour;

const vec3 BRIGHTNESS = vec3(0.299, 0.587, 0.114);  // weights of red, green and blue

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    if (turned_rows > 0) place.y = turned_rows - 1 - place.y;
    vec4 seen = texelFetch(eye, place, 0);
    colour = vec4(dot(seen.rgb, BRIGHTNESS), 0.0, 0.0, seen.a);
}
